package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/known"
)

// view is the data of the template for one package.
type view struct {
	Source, Name, Group, Version string
	// GoName is the Go name of the group, if its first label is also the first label of another group, or begins with a digit.
	GoName       string
	Imports      []importView
	Kinds, Types []typeView
}

type importView struct{ Alias, Path string }

// typeView is a declaration: of a struct, unless Underlying is another type.
type typeView struct {
	Comment          []string
	Name, Underlying string
	Fields           []fieldView
	Constants        []constantView
}

type fieldView struct {
	Comment         []string
	Name, Type, Tag string
}

type constantView struct{ Name, Type, Value string }

// metav1 is the package of what every kind has, and objectMeta its type of metadata.
const (
	metav1     = "k8s.io/apimachinery/pkg/apis/meta/v1"
	objectMeta = "ObjectMeta"
)

// writer makes the views of one package.
type writer struct {
	imports *goname.Imports
	names   *goname.Scope
	view    view
}

// kind adds the declaration of a kind.
func (w *writer) kind(k served, root *node) {
	v := typeView{Name: goType(k.Definition), Fields: w.fields(root)}
	v.Comment = commentOf(k.description(), root.notes(), paragraph, slices.Concat(k.markers(root), root.markers()))
	w.view.Kinds = append(w.view.Kinds, v)
}

// shape adds the declaration of a type that has a name.
func (w *writer) shape(s *shape) {
	n := s.nodes[0]
	v := typeView{Name: s.name, Fields: w.fields(n)}
	if n.form != object {
		v.Underlying = w.typeOf(n)
	}
	v.Comment = commentOf(s.description(), n.notes(), paragraph, n.allMarkers())
	if n.form == text {
		v.Constants = w.constants(s)
	}
	w.view.Types = append(w.view.Types, v)
}

// constants returns constants for the values of an enum.
func (w *writer) constants(s *shape) (all []constantView) {
	for _, encoded := range values(s.nodes[0].schema) {
		var text string
		if err := json.Unmarshal([]byte(encoded), &text); err != nil {
			continue // the server refuses it
		}
		name := cmp.Or(goname.Camel(text), "Empty")
		all = append(all, constantView{w.names.Free(s.name + name), s.name, strconv.Quote(text)})
	}
	return all
}

func (w *writer) fields(n *node) (all []fieldView) {
	for _, f := range n.fields {
		typ, option := w.reference(f.node), ""
		if !f.required {
			typ, option = optional(f.node, typ)
		} else if f.node.schema.Nullable {
			typ, _ = optional(f.node, typ)
		}
		v := fieldView{Name: f.name, Type: typ, Tag: "`json:" + strconv.Quote(f.property+option) + "`"}
		markers, notes := f.usage(), []string(nil)
		if f.node.shape == nil {
			markers, notes = append(markers, f.node.allMarkers()...), f.node.notes()
		}
		v.Comment = commentOf(f.node.schema.Description, notes, nil, markers)
		all = append(all, v)
	}
	return all
}

// optional returns the type of a field that may be absent, and the option of its tag. Empty lists and maps are not absent.
func optional(n *node, typ string) (string, string) {
	switch formOf(n.schema) { // the Go type of a mapping is a map, also if it is a type of Kubernetes
	case list, mapping, bytes64:
		return typ, ",omitzero"
	default:
		return "*" + typ, ",omitempty"
	}
}

// allMarkers returns the markers of a node and of elements whose type has no name.
func (n *node) allMarkers() []string {
	all := n.markers()
	if e := n.unnamed(); e != nil && n.form == list {
		all = append(all, asItems(e.markers())...)
	}
	return all
}

// reference returns the type of a node, by name if it has one.
func (w *writer) reference(n *node) string {
	if n.shape != nil {
		return n.shape.name
	}
	return w.typeOf(n)
}

// typeOf returns the type of a node that has no name, or what its name stands for.
func (w *writer) typeOf(n *node) string {
	switch n.form {
	case foundType:
		return w.imported(n.found.Type.Package, n.found.Type.Name)
	case list:
		return "[]" + w.element(n)
	case mapping:
		return "map[string]" + w.element(n)
	case anything:
		return w.imported("k8s.io/apimachinery/pkg/runtime", "RawExtension")
	case either:
		return w.imported("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")
	case quantity:
		return w.imported("k8s.io/apimachinery/pkg/api/resource", "Quantity")
	case moment:
		return w.imported(metav1, "Time")
	case integer:
		return n.impliedFormat()
	default:
		return map[form]string{text: "string", boolean: "bool", number: "float64", bytes64: "[]byte", object: "struct{}"}[n.form]
	}
}

// element returns the type of the elements of a list or map. Elements that may be null are pointers.
func (w *writer) element(n *node) string {
	switch {
	case n.element == nil:
		return w.imported("k8s.io/apimachinery/pkg/runtime", "RawExtension") // additionalProperties: true
	case n.element.schema.Nullable:
		return "*" + w.reference(n.element)
	}
	return w.reference(n.element)
}

func (w *writer) imported(pkg, name string) string {
	base := path.Base(pkg)
	alias := base
	if goname.IsVersion(base) {
		alias = path.Base(path.Dir(pkg)) + base
	}
	return w.imports.Alias(pkg, alias) + "." + name
}

// description returns the description of a kind.
func (k served) description() string {
	byDefault := fmt.Sprintf("%s is a kind of the API group %s.", goType(k.Definition), k.Spec.Group)
	return cmp.Or(k.version().Schema.OpenAPIV3Schema.Description, byDefault)
}

// description returns the description of a type. No other comment has the description of an element, so it stays unchanged.
func (s *shape) description() string {
	n := s.nodes[0]
	what, text := "the value", n.schema.Description
	if isElement := n.names[len(n.names)-1] != n.path[len(n.path)-1]; isElement {
		if text != "" && len(s.nodes) == 1 {
			return text
		}
		what = "an element"
	}
	what = fmt.Sprintf("%s is %s of %s", s.name, what, strings.Join(n.names[1:], "."))
	switch {
	case len(s.nodes) > 1:
		return what + " and others."
	case strings.HasPrefix(text, s.name+" "):
		return text
	}
	return strings.TrimSpace(what + ".\n\n" + text)
}

// notes returns the parts of a comment beyond markers: rules without markers, also rules of elements without a declaration, and the
// properties that the schema lacks of a type of Kubernetes.
func (n *node) notes() (notes []string) {
	rules := n.rules()
	if len(rules) > 0 {
		notes = append(notes, "Servers also check rules for which there is no marker:", "")
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		if encoded, err := json.Marshal(rules[name]); err == nil {
			notes = append(notes, "\t"+name+": "+string(encoded))
		}
	}
	for ; n != nil; n = n.unnamed() {
		if slices.Equal(n.found.Lacking, []string{known.All}) {
			notes = append(notes, "Servers drop all fields of "+n.found.Type.Name+", because the schema has none.")
		} else if len(n.found.Lacking) > 0 {
			notes = append(notes, wrap("Servers drop other fields of "+n.found.Type.Name+": "+strings.Join(n.found.Lacking, ", ")+".")...)
		}
	}
	return notes
}

// rules returns the parts of a schema without a marker, also the parts from elements without a declaration.
func (n *node) rules() map[string]any {
	all := n.unmarked()
	if n.element != nil {
		maps.Copy(all, n.element.unmarkedUse(n))
	}
	if e := n.unnamed(); e != nil {
		for name, value := range e.rules() {
			all[fmt.Sprint(e.path[len(e.path)-1], ".", name)] = value
		}
	}
	return all
}

// unnamed returns the node of elements, unless their type has a declaration.
func (n *node) unnamed() *node {
	if n.element == nil || n.element.shape != nil {
		return nil
	}
	return n.element
}

// commentOf returns the lines of a comment: a description, notes and markers, after a separator that may be empty.
func commentOf(description string, notes, separator, markers []string) (lines []string) {
	for line := range strings.SplitSeq(strings.TrimSpace(description), "\n") {
		for _, part := range wrap(printable(line)) {
			if strings.HasPrefix(strings.TrimSpace(part), "+") {
				part = strings.Replace(part, "+", `\+`, 1) // not a marker
			}
			lines = append(lines, part)
		}
	}
	if len(notes) > 0 {
		lines = append(append(lines, ""), notes...)
	}
	if len(markers) > 0 {
		lines = append(lines, separator...)
	}
	for _, marker := range markers {
		lines = append(lines, "+"+gofmtSafe.Replace(marker))
	}
	// Format comments as gofmt does: since Go 1.27, go/printer leaves comments of fields unchanged.
	lines = strings.Split(string((&comment.Printer{}).Comment(new(comment.Parser).Parse(strings.Join(lines, "\n")))), "\n")
	return lines[:len(lines)-1]
}

// gofmtSafe writes pairs of quotes, which are within strings in markers, in a form that gofmt does not change in comments.
var gofmtSafe = strings.NewReplacer("''", `'\u0027`, "``", "`\\u0060")

// paragraph separates the markers of types from the description.
var paragraph = []string{""}

func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.TrimRight(line, " \t\r"))
}

// width is the length of the lines of comments.
const width = 120

// wrap breaks a line at spaces.
func wrap(line string) (lines []string) {
	for len(line) > width {
		end := strings.LastIndexByte(line[:width], ' ')
		if strings.TrimSpace(line[:max(end, 0)]) == "" {
			if end = strings.IndexByte(line[width:], ' ') + width; end < width {
				break
			}
		}
		lines = append(lines, line[:end])
		line = strings.TrimLeft(line[end:], " ")
	}
	return append(lines, line)
}
