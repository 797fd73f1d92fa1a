// Package manifests compares rendered manifests, such as those of a Helm chart, with what types and controllers need.
package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Stream is a rendered stream of manifests.
type Stream struct {
	name    string
	objects []*object

	// unnamed is the namespace of objects without one; "" if nothing in the stream names it.
	unnamed string

	// roles are also ClusterRoles, bindings also ClusterRoleBindings.
	roles     []decoded[rbacv1.ClusterRole]
	bindings  []decoded[rbacv1.RoleBinding]
	workloads []workload
	bundles   []bundle
}

// object is an object in a stream.
type object struct {
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

// Parse reads a stream of YAML documents, or JSON. The name is that of the file, for positions. The error is a diag.List.
func Parse(name string, text []byte) (*Stream, error) {
	s := &Stream{name: name}
	var diags diag.List
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for index := 1; ; {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			pos, message := located(token.Position{Filename: name}, err)
			if pos.Line > 0 {
				index = documentAt(text, pos.Line) // the decoder reads ahead
			}
			diags.Add(pos, "document %d: %s", index, message)
			break // nothing is known about the rest
		}
		if len(node.Content) == 1 && node.Content[0].Tag != "!!null" {
			s.add(&object{stream: name, index: index, node: node.Content[0]}, &diags)
			index++
		}
	}
	if len(diags) == 0 && len(s.objects) == 0 {
		diags.AddHint(token.Position{Filename: name}, "check the command that renders the manifests", "%w", ErrEmpty)
	}
	s.nameNamespace()
	return s, diags.Err()
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
func (s *Stream) add(o *object, diags *diag.List) {
	if o.node.Kind != yaml.MappingNode {
		if o.item == "" { // a document of another program may have any items
			diags.Add(o.at(), "document %d is not a manifest", o.index)
		}
		return
	}
	if again := repeated(o.node); again != nil {
		diags.AddHint(token.Position{Filename: s.name, Line: again.Line, Column: again.Column},
			"put --- between two manifests", "document %d has the key %s twice", o.index, again.Value)
		return
	}
	_ = o.node.Decode(o) // documents of other programs may have any form
	s.objects = append(s.objects, o)
	if items := child(o.node, "items"); strings.HasSuffix(o.Kind, "List") && items != nil {
		for i, item := range items.Content {
			s.add(&object{stream: s.name, index: o.index, item: fmt.Sprintf("%sitems[%d], ", o.item, i), node: resolveAlias(item)}, diags)
		}
		return
	}
	if err := s.read(o); err != nil {
		diags.Add(o.at(), "%s: %s", o, err)
	}
}

// read reads an object that matters.
func (s *Stream) read(o *object) error {
	switch o.group() + "/" + o.Kind {
	case "apps/Deployment":
		return s.readDeployment(o)
	case "operators.coreos.com/ClusterServiceVersion":
		return s.readBundle(o)
	case "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole":
		return decode(&s.roles, o)
	case "rbac.authorization.k8s.io/RoleBinding", "rbac.authorization.k8s.io/ClusterRoleBinding":
		return decode(&s.bindings, o)
	}
	return nil
}

// String names the object in messages: document 3, ClusterRole/robot-controller.
func (o *object) String() string {
	return fmt.Sprintf("document %d, %s%s/%s", o.index, o.item, o.Kind, o.Metadata.Name)
}

func (o *object) group() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group
}

// decode decodes the object as API servers do: by the names in JSON.
func (o *object) decode(into any) error {
	var value any
	if err := o.node.Decode(&value); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
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
