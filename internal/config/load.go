package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// CommandLine holds the arguments of a command. They take precedence over the configuration file.
type CommandLine struct {
	// Dir is the directory that paths and packages on the command line are relative to.
	Dir string
	// Given are the parsed flags, and Flags the values that they were registered with.
	Given *pflag.FlagSet
	Flags *Flags
	// Packages are patterns; if there are none, those of the file or, without a file, ./....
	Packages []string
}

// Options returns the options of each output: one, or as many as the configuration file has. A UsageError concerns the command
// line, a diag.List the file.
func (c CommandLine) Options() ([]Options, error) {
	name, err := c.File()
	if err != nil {
		return nil, err
	}
	if name == "" {
		opts, err := c.Flags.Options(c.Dir, c.Packages)
		if err != nil {
			return nil, UsageError{err}
		}
		return []Options{opts}, nil
	}
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, &FlagError{Flags: []string{"config"}, Err: err}
	}
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	return c.over(f)
}

// File returns the absolute name of the configuration file, or "" if there is none.
func (c CommandLine) File() (string, error) {
	switch given := c.Flags.Config; {
	case c.Given.Changed("config") && given == "":
		return "", nil
	case c.Given.Changed("config") && filepath.IsAbs(given):
		return given, nil
	case c.Given.Changed("config"):
		return filepath.Join(c.Dir, given), nil
	}
	module, err := OwningModule(c.Dir)
	if err != nil {
		return "", nil // outside a module there is no configuration file
	}
	name := filepath.Join(module.Dir, FileName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return name, nil
}

// over returns the options of each output of the file, overridden by the command line.
func (c CommandLine) over(f *file) ([]Options, error) {
	if len(c.Packages) > 0 && len(f.outputs) > 1 {
		return nil, UsageError{fmt.Errorf("%s has %d outputs, so the command line cannot name packages: omit them, or use --config= to ignore the file",
			diag.Relative(c.Dir, f.name), len(f.outputs))}
	}
	var diags diag.List
	var usage []error
	all := make([]Options, len(f.outputs))
	for i, b := range f.outputs {
		var err error
		if all[i], err = c.overBlock(f, b, &diags); err != nil {
			usage = append(usage, err)
		}
	}
	if len(usage) > 0 {
		return nil, UsageError{usage[0]} // the same flags override each output
	}
	if len(diags) == 0 {
		f.checkApart(all, &diags)
	}
	return all, diags.Err()
}

// Parse returns the options of each output of a configuration file with an absolute name, which need not exist, and this text.
// Problems with it are a diag.List.
func Parse(name string, text []byte) ([]Options, error) {
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	return noFlags().over(f)
}

// noFlags returns an empty command line.
func noFlags() CommandLine {
	return CommandLine{Given: pflag.NewFlagSet("", pflag.ContinueOnError)}
}

// Output is one output of a configuration file.
type Output struct {
	Flags Flags
	// Dir is the directory that Packages and relative paths refer to.
	Dir      string
	Packages []string
}

// Read reads the configuration file with an absolute name. Invalid values are a diag.List.
func Read(name string) ([]Output, error) {
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	if _, err := noFlags().over(f); err != nil {
		return nil, err
	}
	var diags diag.List
	outputs := make([]Output, len(f.outputs))
	for i, b := range f.outputs {
		outputs[i] = Output{Dir: f.dir(), Packages: f.packages(b)}
		f.set(&outputs[i].Flags, b, &diags)
	}
	return outputs, diags.Err()
}

// set sets the flags to the values of one output and returns the flag set that they are registered with. Invalid values
// are added to the diagnostics.
func (f *file) set(values *Flags, b block, diags *diag.List) *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	values.Register(flags)
	for _, v := range f.top.under(b) {
		v.set(flags.Lookup(v.key), f.dir(), diags)
	}
	return flags
}

// packages returns the packages of one output.
func (f *file) packages(b block) []string {
	if b.packages != nil {
		return b.packages
	}
	return f.top.packages
}

// overBlock sets the flags of one output in order of precedence. Problems with values of the file are added to the diagnostics;
// an error concerns the command line.
func (c CommandLine) overBlock(f *file, b block, diags *diag.List) (Options, error) {
	var values Flags
	known := len(*diags)
	flags := f.set(&values, b, diags)
	if len(*diags) > known {
		return Options{}, nil
	}
	var err error
	c.Given.Visit(func(given *pflag.Flag) {
		if flag := flags.Lookup(given.Name); flag != nil {
			err = errors.Join(err, c.copy(flag, given))
		}
	})
	if err != nil {
		return Options{}, err
	}
	dir, packages := f.dir(), f.packages(b)
	if len(c.Packages) > 0 {
		dir, packages = c.Dir, c.Packages
	} else {
		values.Prune = true // the file lists all packages
	}
	opts, err := values.Options(dir, packages)
	var problems FlagErrors
	if !errors.As(err, &problems) {
		return opts, err
	}
	return opts, c.locate(problems, b, f.top.under(b), diags).err()
}

// copy copies the value of one flag to another. Paths are made absolute, because they may be relative to a directory other than
// that of the packages.
func (c CommandLine) copy(flag, given *pflag.Flag) error {
	if values, ok := given.Value.(pflag.SliceValue); ok {
		return flag.Value.(pflag.SliceValue).Replace(values.GetSlice())
	}
	return flag.Value.Set(resolvePath(flag, c.Dir, given.Value.String()))
}

// resolvePath makes the value of a flag absolute if it is a path.
func resolvePath(flag *pflag.Flag, dir, value string) string {
	isPath := slices.ContainsFunc(PathFlags(), func(p PathFlag) bool { return p.Name == flag.Name })
	if !isPath || value == "" || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(dir, filepath.FromSlash(value))
}

// locate reports problems with values of the file at their positions. It returns the problems that involve the command line.
func (c CommandLine) locate(problems FlagErrors, b block, values []setting, diags *diag.List) (left FlagErrors) {
	for _, problem := range problems {
		if slices.ContainsFunc(problem.Flags, c.Given.Changed) {
			left = append(left, problem)
			continue
		}
		pos := b.pos
		for _, v := range values {
			if slices.Contains(problem.Flags, v.key) {
				pos = v.pos
			}
		}
		diags.Add(pos, "%s", problem.text(""))
	}
	return left
}

// checkApart reports outputs that would write to the same directories and remove each other's files there.
func (f *file) checkApart(all []Options, diags *diag.List) {
	type area struct {
		root string
		dirs []string
	}
	areas := make([]area, len(all))
	for i, opts := range all {
		areas[i].root = opts.Absolute(opts.OutputDir)
		if opts.OutputDir == "" {
			areas[i].root = filepath.Join(f.dir(), filepath.FromSlash(DefaultOutput))
		}
		owned, _ := opts.Directories()
		for _, dir := range owned {
			areas[i].dirs = append(areas[i].dirs, filepath.Join(areas[i].root, filepath.FromSlash(dir)))
		}
		for j, other := range areas[:i] {
			if areas[i].root == other.root || AnyWithin(areas[i].dirs, other.dirs) || AnyWithin(other.dirs, areas[i].dirs) {
				diags.AddHint(f.outputs[i].pos, "set a different output-dir for each",
					"outputs %d and %d write to the same directory", j+1, i+1)
			}
		}
	}
}
