package informergen

import (
	"errors"
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// Diagnostic is one problem of the input.
type Diagnostic struct {
	// Warning is true if the problem is harmless. All diagnostics of a successful run are warnings.
	Warning bool
	// Pos is the position of the problem, with an absolute file name. It has no line if the problem concerns a whole file, and is
	// empty if it concerns no file.
	Pos token.Position
	// Message describes the problem. Hint suggests a fix; it may be empty.
	Message, Hint string
}

// String formats the diagnostic as file:line:column: message, followed by an indented line with the hint.
func (d Diagnostic) String() string {
	return diag.Diagnostic{Warning: d.Warning, Pos: d.Pos, Message: d.Message, Hint: d.Hint}.String()
}

// Diagnostics are all problems of a run, sorted by position. Use errors.As to get them from an error.
type Diagnostics []Diagnostic

// Error returns the formatted diagnostics, separated by newlines.
func (d Diagnostics) Error() string {
	lines := make([]string, len(d))
	for i := range d {
		lines[i] = d[i].String()
	}
	return strings.Join(lines, "\n")
}

// ConfigError reports an invalid field of a Config.
type ConfigError struct {
	// Field is the name of the field. The names of conflicting fields are separated by commas.
	Field string
	Err   error
}

// Error returns the name of the field and the problem.
func (e *ConfigError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *ConfigError) Unwrap() error { return e.Err }

// publicError converts an error of internal packages.
func publicError(err error) error {
	var list diag.List
	var flags option.FlagErrors
	var flag *option.FlagError
	switch {
	case errors.As(err, &list):
		return publicDiagnostics(list)
	case errors.As(err, &flags):
		var all []error
		for _, f := range flags {
			all = append(all, configError(f))
		}
		return errors.Join(all...)
	case errors.As(err, &flag):
		return configError(flag)
	}
	return err
}

func publicDiagnostics(list diag.List) Diagnostics {
	var all Diagnostics
	for _, d := range list.Sorted("") {
		all = append(all, Diagnostic{d.Warning, d.Pos, d.Message, d.Hint})
	}
	return all
}

func configError(e *option.FlagError) error {
	var fields []string
	for _, flag := range e.Flags {
		fields = append(fields, option.Lookup(flag).Field)
	}
	return &ConfigError{strings.Join(fields, ", "), e.Err}
}
