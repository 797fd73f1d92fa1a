// Package config locates the configuration file, and reads it and the command line into values of options. It writes nothing.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

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
	// Packages are patterns. Without them, the patterns of the file apply or, without a file, ./....
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

// Locate adds problems with values of the file to the diagnostics, at their positions. The remaining problems are returned as an error:
// a UsageError if there is a command line, otherwise FlagErrors.
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

// imports reads the entries of imports.
func (p *parser) readImports(node *yaml.Node) {
	if node.Kind != yaml.SequenceNode {
		p.diags.Add(p.at(node.Line, node.Column), "%s: got %s, want a list of mappings", option.ImportsKey, describe(node))
		return
	}
	for _, element := range node.Content {
		element = resolveAlias(element)
		entry := option.Import{Pos: p.at(element.Line, element.Column)}
		if element.Kind != yaml.MappingNode {
			p.diags.Add(entry.Pos, "got %s, want a mapping", describe(element))
			continue
		}
		for i := 0; i < len(element.Content); i += 2 {
			p.importKey(&entry, element.Content[i], resolveAlias(element.Content[i+1]))
		}
		if entry.From == "" || entry.Into == "" {
			p.diags.Add(entry.Pos, "%s: an entry needs %s and %s", option.ImportsKey, option.FromKey, option.IntoKey)
		}
		p.imports = append(p.imports, entry)
	}
}

// importKey reads one key of an entry.
func (p *parser) importKey(entry *option.Import, key, value *yaml.Node) {
	texts := map[string]*string{
		option.FromKey: &entry.From, option.IntoKey: &entry.Into, option.SHA256Key: &entry.SHA256, option.NoteKey: &entry.Note,
	}
	if texts[option.ClusterKey] = new(string); entry.Note == "" {
		texts[option.ClusterKey] = &entry.Note
	}
	wanted := ""
	switch text := texts[key.Value]; {
	case text != nil && (value.Tag == "!!str" || key.Value == option.SHA256Key && value.Kind == yaml.ScalarNode):
		*text = value.Value
		if key.Value == option.SHA256Key {
			entry.ChecksumAt = p.at(value.Line, value.Column)
		}
		if key.Value == option.FromKey || key.Value == option.IntoKey {
			if option.IsURL(value.Value) {
				p.diags.AddHint(p.at(value.Line, value.Column), option.DownloadHint(value.Value),
					"%s: %s is a URL, and sources are files", key.Value, value.Value)
			}
			*text = diag.Absolute(filepath.Dir(p.name), filepath.FromSlash(value.Value))
		}
	case text != nil:
		wanted = "a string"
	case key.Value == option.VersionsKey:
		entry.Versions = p.strings(key.Value, value)
	case key.Value == option.OmitKey:
		entry.Omit = p.strings(key.Value, value)
	case key.Value == option.GroupsKey:
		entry.Groups = p.strings(key.Value, value)
	case key.Value == option.NamesKey:
		if value.Kind != yaml.MappingNode || value.Decode(&entry.Names) != nil {
			wanted = "a mapping of names"
		}
		for _, name := range entry.Names {
			if !token.IsIdentifier(name) || !token.IsExported(name) {
				p.diags.Add(p.at(value.Line, value.Column), "%s: %q is not an exported Go name", option.NamesKey, name)
			}
		}
	case key.Value == option.MarkersKey:
		if value.Kind != yaml.MappingNode || value.Decode(&entry.Markers) != nil {
			wanted = "a mapping of types to lists of markers"
		}
		p.checkMarkers(entry.Markers, value)
	case key.Value == option.RecognizeKey:
		recognize := true
		if value.Tag != "!!bool" || value.Decode(&recognize) != nil {
			wanted = "true or false"
		}
		entry.Plain = !recognize
	default:
		p.unknown(p.at(key.Line, key.Column), key.Value, false)
	}
	if wanted != "" {
		p.diags.Add(p.at(value.Line, value.Column), "%s: got %s, want %s", key.Value, describe(value), wanted)
	}
}

// checkMarkers reports markers that are not lines of a comment with a marker.
func (p *parser) checkMarkers(markers map[string][]string, value *yaml.Node) {
	for _, line := range slices.Concat(slices.Collect(maps.Values(markers))...) {
		if !strings.HasPrefix(line, "+") || strings.ContainsAny(line, "\r\n") {
			p.diags.Add(p.at(value.Line, value.Column), "%s: %q is not a marker: it begins with + and is one line", option.MarkersKey, line)
		}
	}
}

// Imports returns the entries of imports in the configuration file, if there is one.
func (c CommandLine) Imports() ([]option.Import, error) {
	if name, err := c.File(); err != nil || name == "" {
		return nil, err
	}
	_, _, f, err := c.read()
	if err != nil {
		return nil, err
	}
	return f.imports, nil
}

// read reads the configuration file, which need not exist.
func (c CommandLine) read() (name string, text []byte, f *file, err error) {
	if name, err = c.File(); err != nil {
		return "", nil, nil, err
	}
	name = cmp.Or(name, filepath.Join(c.Module, option.FileName))
	if text, err = regular.ReadFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil, err
	}
	f, err = parse(name, text)
	return name, text, f, err
}
