package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// configName is the file at the root of a module that carries the flags.
const configName = ".informer-gen.yaml"

// loadOptions checks the flags of a command together with the configuration file. It returns one set of options for
// each output, which are several if the file has that many. flags are those that f was registered with.
func (a app) loadOptions(flags *pflag.FlagSet, f *generateFlags, patterns []string) ([]options, error) {
	name, err := a.findConfig(flags, f.config)
	if err != nil {
		return nil, err
	}
	if name == "" {
		opts, err := f.options(a.dir, patterns)
		if err != nil {
			return nil, usageError{err}
		}
		return []options{opts}, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	file, err := parseConfig(name, text)
	if err != nil {
		return nil, err
	}
	return commandLine{dir: a.dir, flags: flags, patterns: patterns}.over(file)
}

// findConfig returns the absolute name of the configuration file, or "" if there is none.
func (a app) findConfig(flags *pflag.FlagSet, given string) (string, error) {
	switch {
	case flags.Changed("config") && given == "":
		return "", nil
	case flags.Changed("config") && filepath.IsAbs(given):
		return given, nil
	case flags.Changed("config"):
		return filepath.Join(a.dir, given), nil
	}
	root, _, err := owningModule(a.dir)
	if err != nil {
		return "", nil // without a module there is no place for the file
	}
	name := filepath.Join(root, configName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return name, nil
}

// commandLine is what was given beside a configuration file, and wins over it.
type commandLine struct {
	// dir is what paths and patterns on the command line are relative to.
	dir      string
	flags    *pflag.FlagSet
	patterns []string
}

// over returns the options of each output of the configuration, with those of the command line put over them.
func (c commandLine) over(file *configFile) ([]options, error) {
	if len(c.patterns) > 0 && len(file.outputs) > 1 {
		return nil, usageError{fmt.Errorf("%s has %d outputs: to name packages, choose another file or none with --config",
			diag.Relative(c.dir, file.name), len(file.outputs))}
	}
	var diags diag.List
	var usage []error
	all := make([]options, len(file.outputs))
	for i, block := range file.outputs {
		var err error
		if all[i], err = c.overBlock(file, block, &diags); err != nil {
			usage = append(usage, err)
		}
	}
	if len(usage) > 0 {
		return nil, usageError{usage[0]} // each output has the same flags put over it
	}
	if len(diags) == 0 {
		file.checkApart(all, &diags)
	}
	return all, diags.Err()
}

// overBlock sets the flags of one output in the order of their weight. What is wrong with a value from the file is added
// to the diagnostics; an error is about the command line.
func (c commandLine) overBlock(file *configFile, block configBlock, diags *diag.List) (options, error) {
	var f generateFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.register(flags)
	known := len(*diags)
	values := file.top.under(block)
	for _, v := range values {
		v.set(flags.Lookup(v.key), file.dir(), diags)
	}
	if len(*diags) > known {
		return options{}, nil
	}
	var err error
	c.flags.Visit(func(given *pflag.Flag) {
		if flag := flags.Lookup(given.Name); flag != nil {
			err = errors.Join(err, c.copy(flag, given))
		}
	})
	if err != nil {
		return options{}, err
	}
	dir, patterns := file.dir(), file.top.packages
	if block.packages != nil {
		patterns = block.packages
	}
	if len(c.patterns) > 0 {
		dir, patterns = c.dir, c.patterns
	}
	opts, err := f.options(dir, patterns)
	return opts, c.locate(err, block, values, diags)
}

// copy gives one flag the value of another. Paths are made absolute, since they may be relative to another directory
// than the packages.
func (c commandLine) copy(flag, given *pflag.Flag) error {
	if values, ok := given.Value.(pflag.SliceValue); ok {
		return flag.Value.(pflag.SliceValue).Replace(values.GetSlice())
	}
	return flag.Value.Set(resolvePath(flag, c.dir, given.Value.String()))
}

// markPaths tells shell completion, and resolvePath, which flags are paths.
func markPaths(flags *pflag.FlagSet) {
	for _, name := range []string{"output-dir", "crd-dir"} {
		_ = cobra.MarkFlagDirname(flags, name) // fails for unknown flags only, which a test would show
	}
	_ = cobra.MarkFlagFilename(flags, "go-header-file")
	_ = cobra.MarkFlagFilename(flags, "openapi-schema", "json")
	_ = cobra.MarkFlagFilename(flags, "config", "yaml", "yml")
}

// resolvePath makes the value of a flag absolute if it is a path.
func resolvePath(flag *pflag.Flag, dir, value string) string {
	_, isFile := flag.Annotations[cobra.BashCompFilenameExt]
	_, isDir := flag.Annotations[cobra.BashCompSubdirsInDir]
	if !isFile && !isDir || value == "" || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(dir, filepath.FromSlash(value))
}

var flagName = regexp.MustCompile(`--([a-z-]+)`)

// locate gives errors about values their positions in the file; what is left is about the command line.
func (c commandLine) locate(err error, block configBlock, values []configValue, diags *diag.List) error {
	if err == nil {
		return nil
	}
	var left []error
	for _, problem := range unjoin(err) {
		pos, ofCommandLine := block.pos, false
		for _, match := range flagName.FindAllStringSubmatch(problem.Error(), -1) {
			if c.flags.Changed(match[1]) {
				ofCommandLine = true
			}
			for _, v := range values {
				if v.key == match[1] {
					pos = v.pos
				}
			}
		}
		if ofCommandLine {
			left = append(left, problem)
		} else {
			diags.Add(pos, "%s", strings.ReplaceAll(problem.Error(), "--", ""))
		}
	}
	return errors.Join(left...)
}

func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// checkApart reports outputs that would write to, and tidy up in, the same directories.
func (file *configFile) checkApart(all []options, diags *diag.List) {
	type area struct {
		root string
		dirs []string
	}
	areas := make([]area, len(all))
	for i, opts := range all {
		areas[i].root = opts.absolute(opts.outputDir)
		if opts.outputDir == "" {
			areas[i].root = filepath.Join(file.dir(), filepath.FromSlash(defaultOutput))
		}
		owned, _ := opts.directories()
		for _, dir := range owned {
			areas[i].dirs = append(areas[i].dirs, filepath.Join(areas[i].root, filepath.FromSlash(dir)))
		}
		for j, other := range areas[:i] {
			if areas[i].root == other.root || anyWithin(areas[i].dirs, other.dirs) || anyWithin(other.dirs, areas[i].dirs) {
				diags.AddHint(file.outputs[i].pos, "give each an output-dir of its own",
					"outputs %d and %d write to the same directory", j+1, i+1)
			}
		}
	}
}

func anyWithin(names, dirs []string) bool {
	for _, name := range names {
		for _, dir := range dirs {
			if within(dir, name) {
				return true
			}
		}
	}
	return false
}

// within tells whether name is dir or lies below it.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}
