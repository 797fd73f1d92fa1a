package manifest

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

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

// With returns the path to a part of what the path leads to.
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
