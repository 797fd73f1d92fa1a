package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// file is a configuration file with valid keys, and values of the right types.
type file struct {
	// name is the file's absolute name.
	name string
	// top holds the keys outside of outputs: the defaults of all outputs.
	top block
	// outputs are the blocks of the key outputs; one empty block if it is missing.
	outputs []block
	// imports are the entries of the key imports.
	imports []option.Import
}

// block is one mapping of the file.
type block struct {
	pos      token.Position
	packages []string
	settings []setting
}

// setting is the value of an option in the file: a string, bool or []string.
type setting struct {
	option *option.Option
	pos    token.Position
	value  any
}

// parse reads a configuration file. The error is a diag.List.
func parse(name string, text []byte) (*file, error) {
	p := parser{name: name}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			p.diags.Add(p.at(second.Line, second.Column), "the file must have a single document")
		}
	}
	if bad, ok := errors.AsType[*yaml.LoadError](err); ok {
		p.diags.Add(p.at(max(bad.Mark.Line, 1), max(bad.Mark.Column, 1)), "%s", bad.Message)
	} else if err != nil && !errors.Is(err, io.EOF) {
		p.diags.Add(p.at(1, 1), "%s", err) // the position is unknown for bytes that YAML does not allow
	}
	f := &file{name: name, top: block{pos: p.at(1, 1)}}
	if len(document.Content) == 1 && document.Content[0].Tag != "!!null" {
		f.top = p.block(document.Content[0], true)
	}
	f.imports = p.imports
	if f.outputs = p.outputs; f.outputs == nil {
		f.outputs = []block{{pos: f.top.pos}}
	}
	return f, p.diags.Err()
}

// parser reads one file and collects its outputs and problems.
type parser struct {
	name    string
	outputs []block
	imports []option.Import
	diags   diag.List
}

func (p *parser) at(line, column int) token.Position {
	return token.Position{Filename: p.name, Line: line, Column: column}
}

// block reads a mapping, the top one or one of the outputs.
func (p *parser) block(node *yaml.Node, top bool) block {
	node = resolveAlias(node)
	b := block{pos: p.at(node.Line, node.Column)}
	if node.Kind != yaml.MappingNode {
		p.diags.Add(b.pos, "got %s, want a mapping", describe(node))
		return b
	}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, content := node.Content[i], resolveAlias(node.Content[i+1])
		pos := p.at(key.Line, key.Column)
		switch {
		case p.questions(key.Value, content):
		case seen[key.Value]:
			p.diags.Add(pos, "duplicate key %s", key.Value)
		case key.Value == option.PackagesKey:
			b.packages = p.strings(key.Value, content)
		case key.Value == option.OutputsKey && top:
			p.blocks(content)
		case key.Value == option.ImportsKey && top:
			p.readImports(content)
		case option.Keyed(key.Value) == nil && content.Kind == yaml.MappingNode && option.IsPrefix(key.Value):
			b.settings = append(b.settings, p.nested(key.Value, content)...)
		case option.Keyed(key.Value) == nil:
			p.unknown(pos, key.Value, top)
		default:
			b.settings = append(b.settings, p.setting(option.Keyed(key.Value), content)...)
		}
		seen[key.Value] = true
	}
	return b
}

// nested reads options that have a prefix in common, in the form rbac: {namespaces: [shop]}.
func (p *parser) nested(prefix string, node *yaml.Node) (settings []setting) {
	for i := 0; i < len(node.Content); i += 2 {
		key, content := node.Content[i], resolveAlias(node.Content[i+1])
		name := prefix + "-" + key.Value
		if o := option.Keyed(name); o != nil {
			settings = append(settings, p.setting(o, content)...)
		} else {
			p.unknown(p.at(key.Line, key.Column), name, false)
		}
	}
	return settings
}

// setting reads the value of an option; none if it is invalid.
func (p *parser) setting(o *option.Option, node *yaml.Node) []setting {
	value := p.value(o, node)
	if value == nil {
		return nil
	}
	return []setting{{o, p.at(node.Line, node.Column), value}}
}

// PackagePosition returns the position of a package pattern in a configuration file, which need not exist or be valid; an invalid
// position if it is not there.
func PackagePosition(name, pattern string) token.Position {
	text, err := regular.ReadFile(name)
	if err != nil {
		return token.Position{}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return token.Position{}
	}
	return position(name, &document, pattern, false)
}

// position searches the elements of packages below a node.
func position(name string, node *yaml.Node, pattern string, isPackages bool) (pos token.Position) {
	if isPackages && node.Kind == yaml.ScalarNode && node.Value == pattern {
		return token.Position{Filename: name, Line: node.Line, Column: node.Column}
	}
	for i, child := range node.Content {
		isValue := node.Kind == yaml.MappingNode && i%2 == 1
		if found := position(name, child, pattern, isPackages || isValue && node.Content[i-1].Value == option.PackagesKey); found.IsValid() {
			return found
		}
	}
	return pos
}

// questions reports the values that are still to be filled in.
func (p *parser) questions(key string, node *yaml.Node) (found bool) {
	nodes := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		nodes = node.Content
	}
	for _, n := range nodes {
		if question, ok := strings.CutPrefix(n.Value, option.Question); ok && n.Kind == yaml.ScalarNode {
			p.diags.AddHint(p.at(n.Line, n.Column), "write the value of "+key+" here", "unknown %s: %s", key, strings.TrimSpace(question))
			found = true
		}
	}
	return found
}

func (p *parser) blocks(node *yaml.Node) {
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		p.diags.Add(p.at(node.Line, node.Column), "outputs: got %s, want a list of mappings", describe(node))
		return
	}
	for _, element := range node.Content {
		p.outputs = append(p.outputs, p.block(element, false))
	}
}

// unknown reports a key that does not exist.
func (p *parser) unknown(pos token.Position, key string, top bool) {
	hint := spelling.DidYouMean(strings.TrimLeft(key, "-"), append(option.Keys(), option.OutputsKey, option.ImportsKey), "")
	if key == option.OutputsKey && !top {
		hint = "outputs cannot be nested"
	}
	if instead := Removed("", key); instead != "" {
		p.diags.AddHint(pos, instead, "%s was removed", key)
	} else {
		p.diags.AddHint(pos, hint, "unknown key %s", key)
	}
}

// strings reads a list of strings, or reports it and returns nil.
func (p *parser) strings(key string, node *yaml.Node) []string {
	invalid := func(bad *yaml.Node) []string {
		p.diags.Add(p.at(bad.Line, bad.Column), "%s: got %s, want a list of strings", key, describe(bad))
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return invalid(node)
	}
	values := []string{} // an empty list differs from a missing one
	for _, element := range node.Content {
		if element = resolveAlias(element); element.Tag != "!!str" {
			return invalid(element)
		}
		values = append(values, element.Value)
	}
	return values
}

// value reads the value of an option, or reports it and returns nil. Paths become absolute.
func (p *parser) value(o *option.Option, node *yaml.Node) any {
	wanted := "a string"
	switch new(option.Values).Of(*o).Kind() {
	case reflect.Slice:
		if values := p.strings(o.Flag, node); values != nil {
			return values
		}
		return nil
	case reflect.Bool:
		var value bool
		if node.Tag == "!!bool" && node.Decode(&value) == nil {
			return value
		}
		wanted = "true or false"
	case reflect.Pointer:
		var value *bool // stays nil for null
		if (node.Tag == "!!bool" || node.Tag == "!!null") && node.Decode(&value) == nil {
			return value
		}
		wanted = "true, false or null"
	default:
		if node.Tag == "!!str" {
			return o.Resolve(filepath.Dir(p.name), node.Value)
		}
	}
	p.diags.Add(p.at(node.Line, node.Column), "%s: got %s, want %s", o.Flag, describe(node), wanted)
	return nil
}

func resolveAlias(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// describe describes a node for a message.
func describe(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "a mapping"
	case node.Kind == yaml.SequenceNode && len(node.Content) == 0:
		return "an empty list"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.Tag == "!!null":
		return "nothing"
	}
	return fmt.Sprintf("%q", node.Value)
}

// removed has flags and keys of earlier states of main, and what to do instead. Flags of a single command start with its name.
var removed = map[string]string{
	"openapi-schema": "omit it: the schema of apply configurations follows from the types",
	"timings":        "run time informer-gen-lite generate",

	"import from-cluster": "run kubectl get crd NAME… -o yaml | informer-gen-lite import - --group GROUP",
	"import kubeconfig":   "run kubectl --kubeconfig FILE get crd NAME… -o yaml | informer-gen-lite import -",
	"import context":      "run kubectl --context CONTEXT get crd NAME… -o yaml | informer-gen-lite import -",
}

// Removed returns what to do instead of a flag of a command, or of a key if the command is empty; "" if it was not removed.
func Removed(command, name string) string { return cmp.Or(removed[command+" "+name], removed[name]) }
