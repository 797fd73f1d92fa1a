package source

import (
	"go/token"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// Kubebuilder has the controller-gen markers of a type that affect clients (https://book.kubebuilder.io/reference/markers/crd).
type Kubebuilder struct {
	// Path is the plural, Scope is Cluster or Namespaced. Either is nil if no marker sets it.
	Path, Scope *Argument
	// Status and Scale are the markers of the subresources.
	Status, Scale *marker.Marker
	// SelectableFields are the fields that field selectors can use, such as "spec.nodeName".
	SelectableFields []Argument

	// unread are the problems with invalid markers.
	unread diag.List
}

// Argument is the value of one argument of a marker, and its position.
type Argument struct {
	Value string
	Pos   token.Position
}

// Names and values of controller-gen's markers.
const (
	ResourceMarker        = "kubebuilder:resource"
	StatusMarker          = "kubebuilder:subresource:status"
	ScaleMarker           = "kubebuilder:subresource:scale"
	SelectableFieldMarker = "kubebuilder:selectablefield"
	ScopeCluster          = "Cluster"
	ScopeNamespaced       = "Namespaced"
)

func readKubebuilder(scanned marker.Set) Kubebuilder {
	var k Kubebuilder
	for _, m := range scanned {
		switch m.Name {
		case ResourceMarker:
			k.readResource(m)
		case StatusMarker:
			k.Status = &m
		case ScaleMarker:
			k.Scale = &m
		case SelectableFieldMarker:
			k.readSelectableField(m)
		}
	}
	return k
}

// readResource reads path and scope. CheckSpelling reports arguments that do not exist.
func (k *Kubebuilder) readResource(m marker.Marker) {
	for offset, argument := range marker.Arguments(m.Value) {
		key, _, _ := strings.Cut(argument, "=")
		if key = strings.TrimSpace(key); key != "path" && key != "scope" {
			continue
		}
		parsed, err := marker.ParseArguments(marker.Marker{Name: m.Name, Value: argument})
		resource, ok := parsed.(crdmarkers.Resource)
		switch {
		case err != nil || !ok:
			k.unread.AddHint(m.ValuePos(offset), "write "+key+"=value", "cannot parse argument %q of +%s", argument, m.Name)
		case key == "path":
			k.Path = &Argument{resource.Path, m.ValuePos(offset)}
		default:
			k.Scope = &Argument{resource.Scope, m.ValuePos(offset)}
		}
	}
}

// readSelectableField reads a selectable field. Only the strict fake uses it, so an invalid marker is a warning.
func (k *Kubebuilder) readSelectableField(m marker.Marker) {
	parsed, err := marker.ParseArguments(m)
	selectable, ok := parsed.(crdmarkers.SelectableField)
	path := strings.TrimPrefix(selectable.JSONPath, ".")
	if err != nil || !ok || path == "" {
		k.unread.Warn(m.Pos, "write JSONPath=.spec.field", "+%s needs a field", m.Name)
		return
	}
	k.SelectableFields = append(k.SelectableFields, Argument{path, m.Pos})
}
