package manifests

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// path has the keys and elements that lead to a part of an object.
type path []any

// element is an element of a list: its index in the stream, and its name if it has one.
type element struct {
	index int
	name  string
}

// String formats the path: spec.versions[v1].schema.
func (p path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch e, isElement := step.(element); {
		case isElement && e.name != "":
			fmt.Fprintf(&b, "[%s]", e.name)
		case isElement:
			fmt.Fprintf(&b, "[%d]", e.index)
		case i > 0:
			fmt.Fprintf(&b, ".%s", step)
		default:
			fmt.Fprint(&b, step)
		}
	}
	return b.String()
}

// with returns the path to a part of what the path leads to.
func (p path) with(step any) path { return append(slices.Clip(p), step) }

// at returns the position of a part of the object, or of the nearest one around it.
func (o *object) at(p ...any) token.Position {
	line, _ := o.find(p)
	return token.Position{Filename: o.stream, Line: line.Line, Column: line.Column}
}

// find returns the key and the value at a path, or of the nearest part around it.
func (o *object) find(p path) (line, node *yaml.Node) {
	node, line = o.node, o.node
	for _, step := range p {
		key, value := node, node
		if e, isElement := step.(element); !isElement {
			key, value = entry(node, step.(string))
		} else if e.index < len(node.Content) {
			key, value = node.Content[e.index], node.Content[e.index]
		}
		if value == nil {
			break
		}
		line, node = key, resolveAlias(value)
	}
	return line, node
}
