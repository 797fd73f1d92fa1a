package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/cli/form"
)

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
	if !slices.Contains(form.All, r.format) {
		err := fmt.Errorf("--output: unknown format %q, must be one of %s", r.format, strings.Join(form.All, ", "))
		return option.UsageError{Err: err}
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
	if err := form.Print(w, r.format, r.color, r.pending.Sorted(a.dir)); err != nil {
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
