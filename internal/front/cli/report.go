package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

// reporter prints diagnostics.
type reporter struct {
	format string
	// color is true if text may be colored: on a terminal without NO_COLOR (https://no-color.org).
	color bool
	// pending are the diagnostics of the run that are not printed yet.
	pending diag.List
}

// fail prints the errors and warnings of a failed run: text to stderr, machine-readable output to stdout.
func (r *reporter) fail(a app, err error) {
	var diags diag.List
	var stale outOfDate
	switch {
	case errors.As(err, &diags):
		r.pending = append(r.pending, diags...)
	case r.format == "text":
		r.flush(a)
		if errors.As(err, &stale) {
			stale.print(a.stdout, a.dir)
		}
		fmt.Fprintf(a.stderr, "informer-gen-lite: %v\n", err)
		return
	case errors.As(err, &stale):
		r.pending = append(r.pending, stale.diagnostics()...)
	default:
		r.pending = append(r.pending, diag.Diagnostic{Message: err.Error()})
	}
	r.flush(a)
}

// flush prints the diagnostics of a completed run: text to stderr, machine-readable output to stdout.
func (r *reporter) flush(a app) {
	if r.format == "text" {
		r.flushTo(a.stderr, a)
	} else {
		r.flushTo(a.stdout, a)
	}
}

// flushTo prints the diagnostics of a run.
func (r *reporter) flushTo(w io.Writer, a app) {
	if err := printDiagnostics(w, r.format, r.color, r.pending.Sorted(a.dir)); err != nil {
		fmt.Fprintf(a.stderr, "informer-gen-lite: %v\n", err)
	}
	r.pending = nil
}

// warn prints warnings to stderr if the output of the command goes to stdout.
func (r *reporter) warn(a app, warnings diag.List) {
	if len(warnings) > 0 {
		r.pending = append(r.pending, warnings...)
		r.flushTo(a.stderr, a)
	}
}

// prose returns the writer for the summary, which must not mix with machine-readable output.
func (a app) prose() io.Writer {
	if a.report.format == "json" {
		return a.stderr
	}
	return a.stdout
}

// formats are the formats of diagnostics: for people, for programs, and for GitHub.
var formats = []string{"text", "json", "github"}

// diagnostic is the JSON form of a diagnostic.
type diagnostic struct {
	// Severity is error or warning.
	Severity string `json:"severity"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// printDiagnostics writes diagnostics, which are sorted and relative to the working directory, in one of the formats. Text may be colored.
func printDiagnostics(w io.Writer, format string, colored bool, diags diag.List) error {
	switch format {
	case "json":
		out := make([]diagnostic, len(diags))
		for i, d := range diags {
			out[i] = diagnostic{severity(d), d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Message, d.Hint}
		}
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(out)
	case "github":
		for _, d := range diags {
			fmt.Fprintln(w, githubAnnotation(d))
		}
	default:
		for _, d := range diags {
			fmt.Fprintln(w, textOf(d, colored))
		}
	}
	return nil
}

// severity returns the machine-readable severity of a diagnostic.
func severity(d diag.Diagnostic) string {
	if d.Warning {
		return "warning"
	}
	return "error"
}

// textOf formats the diagnostic like Diagnostic.String, with important words in color.
func textOf(d diag.Diagnostic, colored bool) string {
	if !colored {
		return d.String()
	}
	paint := func(s string, attributes ...color.Attribute) string {
		c := color.New(attributes...)
		c.EnableColor()
		return c.Sprint(s)
	}
	out := paint(d.Message, color.FgRed, color.Bold)
	if d.Warning {
		out = paint("warning: "+d.Message, color.FgYellow, color.Bold)
	}
	if d.Pos.Filename != "" {
		out = paint(d.Pos.String(), color.Bold) + ": " + out
	}
	if d.Hint != "" {
		out += "\n\t" + paint(d.Hint, color.FgGreen)
	}
	return out
}

// githubAnnotation returns the workflow command that makes GitHub show the diagnostic next to its line
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
func githubAnnotation(d diag.Diagnostic) string {
	var properties []string
	if d.Pos.Filename != "" {
		properties = append(properties, "file="+strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(d.Pos.Filename)))
	}
	if d.Pos.Line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d,col=%d", d.Pos.Line, d.Pos.Column))
	}
	message := d.Message
	if d.Hint != "" {
		message += "\n" + d.Hint
	}
	return strings.TrimSuffix("::"+severity(d)+" "+strings.Join(properties, ","), " ") + "::" + escapeData(message)
}

func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// locate adds positions in the configuration file to diagnostics about packages that it names, in an error of runs that start in dir. If a
// package belongs to another module of the repository, the file is in the wrong place, and the diagnostic says so.
func locate(err error, dir string, all []run.Options) error {
	var diags diag.List
	if !errors.As(err, &diags) {
		return err
	}
	for i, d := range diags {
		unmatched, ok := errors.AsType[*load.Unmatched](d.Cause)
		if !ok || d.Pos.IsValid() {
			continue
		}
		for _, opts := range all {
			file := configFile(dir, opts)
			pos := config.PackagePosition(file, unmatched.Pattern)
			if !slices.Contains(opts.Load.Patterns, unmatched.Pattern) || !pos.IsValid() {
				continue
			}
			diags[i].Pos = pos
			if owner, ok := otherModule(opts.Load.Dir, unmatched.Pattern); ok {
				diags[i].Message = unmatched.Pattern + " belongs to module " + owner.ImportPath + ", but this file to another module"
				diags[i].Hint = "move this file to " + diag.Relative(dir, owner.Dir) + ", with paths relative to it; or list both modules in " +
					"a go.work; or require the module, and name its packages by import path"
			}
		}
	}
	return diags
}

// configFile returns the configuration file of a run that starts in dir. It need not exist.
func configFile(dir string, opts run.Options) string {
	if named := opts.Values.ConfigFile; named != option.FileName {
		return diag.Absolute(dir, named)
	}
	return filepath.Join(opts.Load.Dir, option.FileName)
}

// otherModule returns the module of the repository that holds the packages of a pattern, unless it is the module of the directory.
func otherModule(dir, pattern string) (module.Place, bool) {
	root := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	from := diag.Absolute(dir, root)
	if !build.IsLocalImport(root) && !filepath.IsAbs(root) {
		from = repository.At(dir).Dir(root)
	}
	owner, err := module.Owner(from)
	here, err2 := module.Owner(dir)
	return owner, from != "" && err == nil && err2 == nil && owner != here
}
