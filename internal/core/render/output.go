package render

// Output is one row of a generator's table: a template, and the path of its output for a view.
type Output[View any] struct {
	Template string
	Path     func(View) string
	// If reports whether the file is needed; nil means always.
	If func(View) bool
	// Formatted is true if the template writes declarations as gofmt does, except for alignment. That saves time.
	Formatted bool
	// Names returns how the file imports packages; nil means as the template does.
	Names func(View) *Names
}

// Jobs returns the jobs of a table of outputs for one view.
func Jobs[View any](outputs []Output[View], view View) []Job {
	jobs := make([]Job, 0, len(outputs))
	for _, output := range outputs {
		if output.If == nil || output.If(view) {
			job := Job{Path: output.Path(view), Template: output.Template, View: view, Formatted: output.Formatted}
			if output.Names != nil {
				job.Names = output.Names(view)
			}
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// Unformatted reports whether gofmt would change a type as go/types writes it: the fields of a struct are on one line there, and type
// arguments have no spaces between them.
func Unformatted(typ string) bool {
	for i := range len(typ) - 1 {
		if typ[i] == '{' && typ[i+1] != '}' || typ[i] == ',' && typ[i+1] != ' ' {
			return true
		}
	}
	return false
}
