// Package manifest reads streams of manifests.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Stream is a stream of manifests.
type Stream struct {
	name string
	// Objects are the objects in the stream. Lists are there, too, before their items.
	Objects []*Object
}

// Object is an object in a stream.
type Object struct {
	stream string
	// index is the number of the document, from 1 and without empty ones, and item the path of the object in a document that is a list.
	index int
	item  string
	node  *yaml.Node

	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name, Namespace string }
}

// ErrEmpty is the cause of the error for a stream without documents.
var ErrEmpty = errors.New("no manifests: the stream is empty")

// Parse reads a stream of YAML documents, or of JSON documents with or without separators. Positions have the file name. The error is a
// diag.List.
func Parse(name string, text []byte) (*Stream, error) {
	s, index := &Stream{name: name}, 1
	var diags diag.List
	for start := 0; start < len(text) && len(diags) == 0; { // nothing is known about what follows an error
		end := start + firstJSON(text[start:])
		// Blanks replace the documents that have been read, so that positions stay right.
		before := append(bytes.Repeat([]byte("\n"), bytes.Count(text[:start], []byte("\n"))),
			bytes.Repeat([]byte(" "), start-1-bytes.LastIndexByte(text[:start], '\n'))...)
		index = s.parse(append(before, text[start:end]...), index, &diags)
		start = end
	}
	if len(diags) == 0 && len(s.Objects) == 0 {
		diags.AddHint(token.Position{Filename: name}, "check the command that renders the manifests", "%w", ErrEmpty)
	}
	return s, diags.Err()
}

// firstJSON returns the length of the first document of a stream of JSON, with the separator before the document. For other text, the
// length is the length of the whole text. Unlike YAML, streams of JSON need no separators.
func firstJSON(text []byte) int {
	content := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("---")))
	decoder := json.NewDecoder(bytes.NewReader(content))
	var document map[string]json.RawMessage // not a scalar, which may begin a document in YAML
	if decoder.Decode(&document) != nil {
		return len(text)
	}
	return bytes.Index(text, content) + int(decoder.InputOffset())
}

// parse reads documents and counts them from a number. It returns the number of the document after them.
func (s *Stream) parse(text []byte, first int, diags *diag.List) (index int) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for index = first; ; {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return index
		}
		if err != nil {
			pos, message := located(token.Position{Filename: s.name}, err)
			if pos.Line > 0 {
				index = first - 1 + documentAt(text, pos.Line) // the decoder reads ahead
			}
			diags.Add(pos, "document %d: %s", index, message)
			return index
		}
		if len(node.Content) == 1 && node.Content[0].Tag != "!!null" {
			s.add(&Object{stream: s.name, index: index, node: node.Content[0]}, diags)
			index++
		}
	}
}

// located returns the position and the message of an error of the YAML library, which need not have a position.
func located(pos token.Position, err error) (token.Position, string) {
	if bad, ok := errors.AsType[*yaml.LoadError](err); ok {
		pos.Line, pos.Column = max(bad.Mark.Line, 1), max(bad.Mark.Column, 1)
		return pos, bad.Message
	}
	return pos, err.Error()
}

// documentAt returns the number of the document with a line, without empty ones.
func documentAt(text []byte, line int) int {
	index, empty, number := 1, true, 0
	for l := range bytes.Lines(text) {
		if number++; number > line {
			break
		}
		content, separator := bytes.CutPrefix(l, []byte("---"))
		if separator && !empty {
			index, empty = index+1, true
		}
		content = bytes.TrimSpace(content)
		empty = empty && (len(content) == 0 || content[0] == '#')
	}
	return index
}

// add adds an object or the items of a list.
func (s *Stream) add(o *Object, diags *diag.List) {
	if o.node.Kind != yaml.MappingNode {
		if o.item == "" { // a document of another program may have any items
			diags.Add(o.At(), "document %d is not a manifest", o.index)
		}
		return
	}
	if again := repeated(o.node); again != nil {
		diags.AddHint(token.Position{Filename: s.name, Line: again.Line, Column: again.Column},
			"put --- between two manifests", "document %d has the key %s twice", o.index, again.Value)
		return
	}
	_ = o.node.Decode(o) // documents of other programs may have any form
	s.Objects = append(s.Objects, o)
	if items := child(o.node, "items"); strings.HasSuffix(o.Kind, "List") && items != nil {
		for i, item := range items.Content {
			s.add(&Object{stream: s.name, index: o.index, item: fmt.Sprintf("%sitems[%d], ", o.item, i), node: resolveAlias(item)}, diags)
		}
	}
}

// String names the object in messages: document 3, ClusterRole/robot-controller.
func (o *Object) String() string {
	return fmt.Sprintf("document %d, %s%s/%s", o.index, o.item, o.Kind, o.Metadata.Name)
}

// Group returns the group of the API of the object.
func (o *Object) Group() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group
}

// Decode decodes the object into a value as API servers do: by the names in JSON.
func (o *Object) Decode(into any) error {
	var value any
	if err := o.node.Decode(&value); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	err = json.Unmarshal(text, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // releases of Go describe the place differently
		return fmt.Errorf("cannot unmarshal %s into a value of type %s", wrong.Value, wrong.Type)
	}
	return err
}

// repeated returns a key of a mapping that it already has, or nil. Two files concatenated without a separator are such a mapping.
func repeated(node *yaml.Node) *yaml.Node {
	for i := 0; i < len(node.Content); i += 2 {
		if key, _ := entry(node, node.Content[i].Value); key != node.Content[i] {
			return node.Content[i]
		}
	}
	return nil
}

// entry returns the key and the value of an entry of a mapping, or nil.
func entry(node *yaml.Node, key string) (name, value *yaml.Node) {
	for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i], node.Content[i+1]
		}
	}
	return nil, nil
}

func child(node *yaml.Node, key string) *yaml.Node {
	_, value := entry(node, key)
	return value
}

func resolveAlias(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// Path has the keys and elements that lead to a part of an object.
type Path []any

// Element is an element of a list: its index in the stream, and its name if it has one.
type Element struct {
	Index int
	Name  string
}

// String formats the path: spec.versions[v1].schema.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch e, isElement := step.(Element); {
		case isElement && e.Name != "":
			fmt.Fprintf(&b, "[%s]", e.Name)
		case isElement:
			fmt.Fprintf(&b, "[%d]", e.Index)
		case i > 0:
			fmt.Fprintf(&b, ".%s", step)
		default:
			fmt.Fprint(&b, step)
		}
	}
	return b.String()
}

// With returns the path extended by a step.
func (p Path) With(step any) Path { return append(slices.Clip(p), step) }

// At returns the position of a part of the object, or of the nearest one around it.
func (o *Object) At(p ...any) token.Position {
	line, _ := o.Find(p)
	return token.Position{Filename: o.stream, Line: line.Line, Column: line.Column}
}

// Find returns the key and the value at a path, or of the nearest part around it.
func (o *Object) Find(p Path) (line, node *yaml.Node) {
	node, line = o.node, o.node
	for _, step := range p {
		key, value := node, node
		if e, isElement := step.(Element); !isElement {
			key, value = entry(node, step.(string))
		} else if e.Index < len(node.Content) {
			key, value = node.Content[e.Index], node.Content[e.Index]
		}
		if value == nil {
			break
		}
		line, node = key, resolveAlias(value)
	}
	return line, node
}
