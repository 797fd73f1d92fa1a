package informergen

import (
	"errors"
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Diagnostic is one problem of the input.
type Diagnostic struct {
	// Warning is true for what is odd but harmless. Diagnostics of a run that succeeded are warnings.
	Warning bool
	// Pos is where the problem is, with an absolute file name. It has no line if the problem belongs to a whole file, and is
	// empty if it belongs to no file.
	Pos token.Position
	// Message says what is wrong, Hint what to do about it. Hint may be empty.
	Message, Hint string
}

// String formats the diagnostic as file:line:column: message, followed by an indented line with the hint.
func (d Diagnostic) String() string {
	return diag.Diagnostic{Warning: d.Warning, Pos: d.Pos, Message: d.Message, Hint: d.Hint}.String()
}

// Diagnostics are all problems of a run, sorted by position. They are an error; use errors.As to get them.
type Diagnostics []Diagnostic

// Error returns the diagnostics, one after the other.
func (d Diagnostics) Error() string {
	lines := make([]string, len(d))
	for i := range d {
		lines[i] = d[i].String()
	}
	return strings.Join(lines, "\n")
}

// ConfigError is a field of a Config with an invalid value.
type ConfigError struct {
	// Field is the name of the field; several that do not go together are separated by commas.
	Field string
	Err   error
}

// Error names the field and says what is wrong with it.
func (e *ConfigError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *ConfigError) Unwrap() error { return e.Err }

// fieldOf are the fields that correspond to flags, where the flag's name in camel case is not the field's.
var fieldOf = map[string]string{
	"applyconfiguration-dir": "ApplyConfigurationDir", "applyconfiguration-package": "ApplyConfigurationPackage",
	"external-applyconfigurations": "ExternalApplyConfigurations", "openapi-schema": "OpenAPISchema",
	"crd-dir": "CRDDir", "gvk-constants": "GVKConstants",
}

// field returns the field that corresponds to a flag.
func field(flag string) string {
	if name, ok := fieldOf[flag]; ok {
		return name
	}
	var b strings.Builder
	for word := range strings.SplitSeq(flag, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// publicError translates an error of internal packages.
func publicError(err error) error {
	var list diag.List
	var flags config.FlagErrors
	var flag *config.FlagError
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

func configError(e *config.FlagError) error {
	var fields []string
	for _, flag := range e.Flags {
		fields = append(fields, field(flag))
	}
	return &ConfigError{strings.Join(fields, ", "), e.Err}
}
