package render

import "github.com/informer-gen-lite/informer-gen-lite/internal/model"

// Generator makes the files of one kind of output.
type Generator struct {
	// Name is how users select the generator.
	Name string
	// Tree returns the directory that holds all its files, slash-separated and relative to the output directory; nil for a
	// generator that writes into API packages.
	Tree func(*model.Layout) string
	// Beside is the name of its file in an API package; "" for all other generators.
	Beside string
	// Jobs lists its files for an API. It is a function of its arguments alone.
	Jobs func(*model.API, *model.Layout) []Job
}

// Dir returns the directory that holds all files of the generator; "" if they lie in API packages.
func (g Generator) Dir(layout *model.Layout) string {
	if g.Tree == nil {
		return ""
	}
	return g.Tree(layout)
}

// Output is one row of a generator's table: a template or an emitted file, and the path of the file that it makes of a view.
type Output[View any] struct {
	Template string
	// Emit names a file of run-time code that is emitted instead of a template. The view must be a Target.
	Emit string
	Path func(View) string
	// If reports whether the file is needed; nil means always.
	If func(View) bool
	// Formatted reports whether the template writes declarations as gofmt does, except for alignment. That saves time.
	Formatted bool
}

// Jobs returns the jobs that a table of outputs makes of one view.
func Jobs[View any](outputs []Output[View], view View) []Job {
	jobs := make([]Job, 0, len(outputs))
	for _, output := range outputs {
		if output.If == nil || output.If(view) {
			jobs = append(jobs, Job{Path: output.Path(view), Template: output.Template, Emit: output.Emit, View: view, Formatted: output.Formatted})
		}
	}
	return jobs
}
