package config

import (
	"cmp"
	"errors"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

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
