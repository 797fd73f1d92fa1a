package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// outputFormats are the formats of printed diagnostics.
var outputFormats = []string{"text", "json", "github"}

// reporter prints diagnostics.
type reporter struct {
	format string
	// color is true if text may be colored: on a terminal without NO_COLOR (https://no-color.org).
	color bool
	// pending are the diagnostics of the run that are not printed yet.
	pending diag.List
}

// check returns an error if the format does not exist.
func (r *reporter) check() error {
	if !slices.Contains(outputFormats, r.format) {
		err := fmt.Errorf("--output: unknown format %q, must be one of %s", r.format, strings.Join(outputFormats, ", "))
		return config.UsageError{Err: err}
	}
	return nil
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
	if err := r.print(w, r.pending.Sorted(a.dir)); err != nil {
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

// jsonDiagnostic is the JSON form of a diagnostic.
type jsonDiagnostic struct {
	// Severity is error or warning.
	Severity string `json:"severity"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// print writes the diagnostics of a run, which are sorted and relative to the working directory.
func (r *reporter) print(w io.Writer, diags diag.List) error {
	switch r.format {
	case "json":
		out := make([]jsonDiagnostic, len(diags))
		for i, d := range diags {
			out[i] = jsonDiagnostic{severity(d), d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Message, d.Hint}
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
			fmt.Fprintln(w, r.text(d))
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

// text formats the diagnostic like Diagnostic.String, with important words in color.
func (r *reporter) text(d diag.Diagnostic) string {
	if !r.color {
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
		properties = append(properties, "file="+escapeProperty(d.Pos.Filename))
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

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
