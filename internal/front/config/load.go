// Package config locates the configuration file, and reads it and the command line into values of options. It writes nothing.
package config

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// CommandLine holds the arguments of a command. They take precedence over the configuration file.
type CommandLine struct {
	// Dir is the directory that paths and packages on the command line are relative to. Module is the root of the module that owns it or,
	// if the command line has one, the configuration file; "" outside of modules, where there is no other configuration file.
	Dir, Module string
	// Given are the parsed flags, and Values the values that they were registered with.
	Given  *pflag.FlagSet
	Values *option.Values
	// Packages are patterns; if there are none, those of the file or, without a file, ./....
	Packages []string
	// Creates is true if the command creates the file that the command line names.
	Creates bool
}

// Output is one requested output. Only the types of its values are checked.
type Output struct {
	Values option.Values
	// Dir is the directory that Packages and relative paths refer to.
	Dir string
	// Packages are patterns; none for the default.
	Packages []string
	// Pos is the position of the output in the configuration file. It is invalid without a file.
	Pos token.Position

	// settings are the values in the file, in order of precedence, the most important ones last.
	settings []setting
	// given reports whether the command line has a flag; nil without a command line.
	given func(flag string) bool
}

// Outputs returns the requested outputs: one, or as many as the configuration file has. A UsageError concerns the command line, a
// diag.List the file.
func (c CommandLine) Outputs() ([]Output, error) {
	name, err := c.File()
	if err != nil {
		return nil, err
	}
	if name == "" {
		return []Output{{Values: *c.Values, Dir: c.Dir, Packages: c.Packages, given: c.Given.Changed}}, nil
	}
	text, err := regular.ReadFile(name)
	if err != nil && (!c.Creates || !errors.Is(err, fs.ErrNotExist)) {
		return nil, &option.FlagError{Flags: []string{option.ConfigKey}, Err: err}
	}
	return c.over(name, text)
}

// File returns the absolute name of the configuration file, or "" if there is none.
func (c CommandLine) File() (string, error) {
	if given := c.Given.Changed(option.ConfigKey); given && c.Values.ConfigFile != "" {
		return diag.Absolute(c.Dir, c.Values.ConfigFile), nil
	} else if given || c.Module == "" {
		return "", nil
	}
	name := filepath.Join(c.Module, option.FileName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return name, nil
}

// over returns the outputs of a file with an absolute name, overridden by the command line.
func (c CommandLine) over(name string, text []byte) ([]Output, error) {
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	if len(c.Packages) > 0 && len(f.outputs) > 1 {
		return nil, option.UsageError{Err: fmt.Errorf("%s has %d outputs, so the command line cannot name packages: "+
			"omit them, or use --config= to ignore the file", diag.Relative(c.Dir, f.name), len(f.outputs))}
	}
	outputs := make([]Output, len(f.outputs))
	for i, b := range f.outputs {
		o := Output{Values: option.Default(), Dir: filepath.Dir(f.name), Packages: f.top.packages, Pos: b.pos, given: c.Given.Changed}
		o.settings = slices.Concat(f.top.settings, b.settings)
		for _, s := range o.settings {
			o.Values.Of(*s.option).Set(reflect.ValueOf(s.value))
		}
		if b.packages != nil {
			o.Packages = b.packages
		}
		o.Values.Prune = true // the file lists all packages
		if len(c.Packages) > 0 {
			o.Dir, o.Packages, o.Values.Prune = c.Dir, c.Packages, false
		}
		c.override(&o.Values)
		outputs[i] = o
	}
	return outputs, nil
}

// override sets the values that the command line has. Paths become absolute, because the packages may be relative to another directory.
func (c CommandLine) override(values *option.Values) {
	for _, o := range option.Options {
		if c.Given.Changed(o.Flag) {
			given, value := c.Values.Of(o), values.Of(o)
			value.Set(given)
			if value.Kind() == reflect.String {
				value.SetString(o.Resolve(c.Dir, given.String()))
			}
			for i := 0; o.Kind == option.Files && i < value.Len(); i++ {
				value.Index(i).SetString(diag.Absolute(c.Dir, value.Index(i).String()))
			}
		}
	}
}

// Parse returns the outputs of a configuration file with an absolute name, which need not exist, and this text. Problems with it
// are a diag.List.
func Parse(name string, text []byte) ([]Output, error) {
	return CommandLine{Given: pflag.NewFlagSet("", pflag.ContinueOnError)}.over(name, text)
}

// Locate adds problems with values of the file to the diagnostics, at their positions. The error has the others: it is a UsageError
// if there is a command line, otherwise FlagErrors.
func (o Output) Locate(problems option.FlagErrors, diags *diag.List) error {
	problems.Sort()
	var left option.FlagErrors
	for _, problem := range problems {
		if !o.Pos.IsValid() || slices.ContainsFunc(problem.Flags, o.given) {
			left = append(left, problem)
			continue
		}
		pos := o.Pos
		for _, s := range o.settings {
			if slices.Contains(problem.Flags, s.option.Flag) {
				pos = s.pos
			}
		}
		diags.Add(pos, "%s", problem.Text(""))
	}
	switch {
	case left == nil:
		return nil
	case o.given != nil:
		return option.UsageError{Err: left}
	}
	return left
}
