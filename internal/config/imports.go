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

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// ImportsKey has the sources of imported types.
const ImportsKey = "imports"

// Import is an entry of imports: a source of types of other projects.
type Import struct {
	// From is the absolute name of a file or directory with CustomResourceDefinitions, Into that of the directory for the packages.
	From, Into string
	// SHA256 is the checksum of the source that the types are from, in hexadecimal digits.
	SHA256 string
	// Note says in free text where the source is from. Nothing reads it.
	Note string
	// Groups are the groups with types; none for all.
	Groups []string
	// Omit are the names of definitions without types, such as parcels.depot.example.
	Omit []string
	// Versions are the versions with types; none for those that servers serve.
	Versions []string
	// Names has names of types by the names that they get otherwise.
	Names map[string]string
	// Markers has lines for the comments of types by their names, such as +informergen:controller.
	Markers map[string][]string
	// Plain is true if no type of Kubernetes replaces an equal structure.
	Plain bool
	// Pos is the position of the entry in the configuration file.
	Pos token.Position

	// checksumAt is the position of SHA256.
	checksumAt token.Position
}

// The keys of an entry of imports.
const (
	FromKey      = "from"
	intoKey      = "into"
	sha256Key    = "sha256"
	noteKey      = "note"
	groupsKey    = "groups"
	OmitKey      = "omit"
	versionsKey  = "versions"
	namesKey     = "names"
	recognizeKey = "recognize"
	// MarkersKey adds markers to imported types.
	MarkersKey = "markers"
)

// imports reads the entries of imports.
func (p *parser) readImports(node *yaml.Node) {
	if node.Kind != yaml.SequenceNode {
		p.diags.Add(p.at(node.Line, node.Column), "%s: got %s, want a list of mappings", ImportsKey, describe(node))
		return
	}
	for _, element := range node.Content {
		element = resolveAlias(element)
		entry := Import{Pos: p.at(element.Line, element.Column)}
		if element.Kind != yaml.MappingNode {
			p.diags.Add(entry.Pos, "got %s, want a mapping", describe(element))
			continue
		}
		for i := 0; i < len(element.Content); i += 2 {
			p.importKey(&entry, element.Content[i], resolveAlias(element.Content[i+1]))
		}
		if entry.From == "" || entry.Into == "" {
			p.diags.Add(entry.Pos, "%s: an entry needs %s and %s", ImportsKey, FromKey, intoKey)
		}
		p.imports = append(p.imports, entry)
	}
}

// importKey reads one key of an entry.
func (p *parser) importKey(entry *Import, key, value *yaml.Node) {
	texts := map[string]*string{FromKey: &entry.From, intoKey: &entry.Into, sha256Key: &entry.SHA256, noteKey: &entry.Note}
	wanted := ""
	switch text := texts[key.Value]; {
	case text != nil && (value.Tag == "!!str" || key.Value == sha256Key && value.Kind == yaml.ScalarNode):
		*text = value.Value
		if key.Value == sha256Key {
			entry.checksumAt = p.at(value.Line, value.Column)
		}
		if key.Value == FromKey || key.Value == intoKey {
			if IsURL(value.Value) {
				p.diags.AddHint(p.at(value.Line, value.Column), DownloadHint(value.Value),
					"%s: %s is a URL, and sources are files", key.Value, value.Value)
			}
			*text = diag.Absolute(filepath.Dir(p.name), filepath.FromSlash(value.Value))
		}
	case text != nil:
		wanted = "a string"
	case key.Value == versionsKey:
		entry.Versions = p.strings(key.Value, value)
	case key.Value == OmitKey:
		entry.Omit = p.strings(key.Value, value)
	case key.Value == groupsKey:
		entry.Groups = p.strings(key.Value, value)
	case key.Value == namesKey:
		if value.Kind != yaml.MappingNode || value.Decode(&entry.Names) != nil {
			wanted = "a mapping of names"
		}
		for _, name := range entry.Names {
			if !token.IsIdentifier(name) || !token.IsExported(name) {
				p.diags.Add(p.at(value.Line, value.Column), "%s: %q is not an exported Go name", namesKey, name)
			}
		}
	case key.Value == MarkersKey:
		if value.Kind != yaml.MappingNode || value.Decode(&entry.Markers) != nil {
			wanted = "a mapping of types to lists of markers"
		}
		p.checkMarkers(entry.Markers, value)
	case key.Value == recognizeKey:
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
			p.diags.Add(p.at(value.Line, value.Column), "%s: %q is not a marker: it begins with + and is one line", MarkersKey, line)
		}
	}
}

// IsURL reports whether a source is a URL, which import does not read.
func IsURL(from string) bool { return strings.Contains(from, "://") }

// DownloadHint says how to import what is at a URL.
func DownloadHint(url string) string {
	return "download it first: curl -fsSL " + url + " | informer-gen-lite import -"
}

// Replaces reports whether an entry takes the place of another: it has the same source and directory.
func (i Import) Replaces(other Import) bool { return i.From == other.From && i.Into == other.Into }

// Imports returns the entries of imports in the configuration file, if there is one.
func (c CommandLine) Imports() ([]Import, error) {
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
	name = cmp.Or(name, filepath.Join(c.Module, FileName))
	if text, err = regular.ReadFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil, err
	}
	f, err = parse(name, text)
	return name, text, f, err
}
