package cli

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// The keys of the configuration file that are no flags.
const (
	packagesKey = "packages"
	outputsKey  = "outputs"
)

// configFile is a configuration file whose keys are known to be right, though not its values.
type configFile struct {
	// name is the file's absolute name.
	name string
	// top holds what stands outside of outputs: the defaults of them all.
	top configBlock
	// outputs are the blocks of that key; one empty block if it is missing.
	outputs []configBlock
}

// dir is the directory that paths and packages in the file are relative to.
func (file *configFile) dir() string { return filepath.Dir(file.name) }

func (file *configFile) at(line, column int) token.Position {
	return token.Position{Filename: file.name, Line: line, Column: column}
}

// configBlock is one mapping of the file.
type configBlock struct {
	pos      token.Position
	packages []string
	values   []configValue
}

// configValue is the value of a flag.
type configValue struct {
	key  string
	pos  token.Position
	node *yaml.Node
}

// under returns the values of both blocks, those of b winning.
func (top configBlock) under(b configBlock) []configValue {
	overridden := func(v configValue) bool {
		return slices.ContainsFunc(b.values, func(w configValue) bool { return w.key == v.key })
	}
	return append(slices.DeleteFunc(slices.Clone(top.values), overridden), b.values...)
}

// parseConfig reads a configuration file. The error is a diag.List.
func parseConfig(name string, text []byte) (*configFile, error) {
	p := configParser{configFile: &configFile{name: name}}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			p.diags.Add(p.at(second.Line, second.Column), "a second document, where there may be only one")
		}
	}
	if !errors.Is(err, io.EOF) && err != nil {
		p.syntax(err)
	}
	p.top.pos = token.Position{Filename: name, Line: 1, Column: 1}
	if len(document.Content) == 1 && document.Content[0].Tag != "!!null" {
		p.top = p.block(document.Content[0], true)
	}
	if p.outputs == nil {
		p.outputs = []configBlock{{pos: p.top.pos}}
	}
	return p.configFile, p.diags.Err()
}

type configParser struct {
	*configFile
	diags diag.List
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntax reports what the YAML library has to say, with the line in its place.
func (p *configParser) syntax(err error) {
	match := yamlError.FindStringSubmatch(err.Error())
	if match == nil {
		match = []string{"", "", err.Error()}
	}
	line, _ := strconv.Atoi(match[1])
	p.diags.Add(p.at(max(line, 1), 1), "%s", match[2])
}

// block reads a mapping, the top one or one of the outputs.
func (p *configParser) block(node *yaml.Node, top bool) configBlock {
	node = resolveAlias(node)
	block := configBlock{pos: p.at(node.Line, node.Column)}
	if node.Kind != yaml.MappingNode {
		p.diags.Add(block.pos, "%s, where a mapping of keys and values belongs", describe(node))
		return block
	}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], resolveAlias(node.Content[i+1])
		pos := p.at(key.Line, key.Column)
		switch {
		case seen[key.Value]:
			p.diags.Add(pos, "%s is given twice", key.Value)
		case key.Value == packagesKey:
			block.packages = p.strings(key.Value, value)
		case key.Value == outputsKey && top:
			p.blocks(value)
		case configFlag(key.Value) == nil:
			p.unknown(pos, key.Value, top)
		default:
			block.values = append(block.values, configValue{key.Value, p.at(value.Line, value.Column), value})
		}
		seen[key.Value] = true
	}
	return block
}

func (p *configParser) blocks(node *yaml.Node) {
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		p.diags.Add(p.at(node.Line, node.Column), "outputs: %s, where a list of mappings belongs", describe(node))
		return
	}
	for _, element := range node.Content {
		p.outputs = append(p.outputs, p.block(element, false))
	}
}

// unknown reports a key that is none.
func (p *configParser) unknown(pos token.Position, key string, top bool) {
	var hint string
	if key == outputsKey && !top {
		hint = "outputs cannot be nested"
	} else if nearest := marker.Nearest(strings.TrimLeft(key, "-"), append(configKeys(), outputsKey)); nearest != "" {
		hint = "did you mean " + nearest + "?"
	}
	p.diags.AddHint(pos, hint, "unknown key %s", key)
}

// strings reads a list of packages.
func (p *configParser) strings(key string, node *yaml.Node) []string {
	values, bad := stringList(node)
	if bad != nil {
		p.diags.Add(p.at(bad.Line, bad.Column), "%s: %s, where a list of strings belongs", key, describe(bad))
	}
	return values
}

// configKeys are the keys of a block: packages, and every flag but the one that names the file.
func configKeys() []string {
	keys := []string{packagesKey}
	configFlags().VisitAll(func(flag *pflag.Flag) {
		if configFlag(flag.Name) != nil {
			keys = append(keys, flag.Name)
		}
	})
	return keys
}

// configFlags are the flags that the file may carry, with their defaults.
func configFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(generateFlags).register(flags)
	return flags
}

// configFlag finds the flag that a key is for; nil if there is none.
func configFlag(key string) *pflag.Flag {
	if key == "config" {
		return nil
	}
	return configFlags().Lookup(key)
}

// set gives the flag its value. Paths are relative to dir.
func (v configValue) set(flag *pflag.Flag, dir string, diags *diag.List) {
	var err error
	wrong, wanted := v.node, ""
	switch kind := flag.Value.Type(); kind {
	case "stringSlice":
		var values []string
		if values, wrong = stringList(v.node); wrong != nil {
			wanted = "a list of strings"
		} else {
			err = flag.Value.(pflag.SliceValue).Replace(values)
		}
	case "bool":
		if v.node.Tag != "!!bool" {
			wanted = "true or false"
		} else {
			err = flag.Value.Set(v.node.Value)
		}
	default:
		if v.node.Tag != "!!str" {
			wanted = "a string"
		} else {
			err = flag.Value.Set(resolvePath(flag, dir, v.node.Value))
		}
	}
	if wanted != "" {
		pos := v.pos
		pos.Line, pos.Column = wrong.Line, wrong.Column
		diags.Add(pos, "%s: %s, where %s belongs", v.key, describe(wrong), wanted)
	} else if err != nil {
		diags.Add(v.pos, "%s: %s", v.key, err)
	}
}

// stringList returns the elements of a list of strings, or else the node that is at fault.
func stringList(node *yaml.Node) (values []string, bad *yaml.Node) {
	if node.Kind != yaml.SequenceNode {
		return nil, node
	}
	values = []string{} // an empty list says something, a missing one does not
	for _, element := range node.Content {
		if element = resolveAlias(element); element.Tag != "!!str" {
			return nil, element
		}
		values = append(values, element.Value)
	}
	return values, nil
}

func resolveAlias(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// describe says what a node is, in words for a message.
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
