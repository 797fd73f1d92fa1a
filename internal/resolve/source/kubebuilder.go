package source

import (
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// Kubebuilder is the part of a type's markers for controller-gen that concerns clients
// (https://book.kubebuilder.io/reference/markers/crd).
type Kubebuilder struct {
	// Path is the plural, Scope is Cluster or Namespaced. Either is nil if no marker sets it.
	Path, Scope *Argument
	// Status and Scale are the markers of the subresources.
	Status, Scale *marker.Marker
}

// Argument is the value of one argument of a marker, and its position.
type Argument struct {
	Value string
	Pos   token.Position
}

// Names and values of controller-gen's markers.
const (
	ResourcePrefix  = "kubebuilder:resource:"
	StatusMarker    = "kubebuilder:subresource:status"
	ScaleMarker     = "kubebuilder:subresource:scale"
	ScopeCluster    = "Cluster"
	ScopeNamespaced = "Namespaced"
)

const argumentQuotes = "\"`"

func readKubebuilder(scanned marker.Set) Kubebuilder {
	var k Kubebuilder
	for _, m := range scanned {
		switch {
		case strings.HasPrefix(m.Name, ResourcePrefix):
			k.readResource(m)
		case m.Name == StatusMarker:
			k.Status = &m
		case m.Name == ScaleMarker, strings.HasPrefix(m.Name, ScaleMarker+":"):
			k.Scale = &m
		}
	}
	return k
}

// readResource reads path and scope. Arguments follow a colon, so in our grammar the name of the first is part of the
// marker's name.
func (k *Kubebuilder) readResource(m marker.Marker) {
	arguments := strings.TrimPrefix(m.Name, ResourcePrefix) + "=" + m.Value
	for offset, word := range marker.Words(arguments) {
		key, value, _ := strings.Cut(word, "=")
		argument := &Argument{Value: strings.Trim(strings.TrimSpace(value), argumentQuotes), Pos: m.Pos}
		argument.Pos.Column += len("+") + len(ResourcePrefix) + offset
		switch strings.TrimSpace(key) {
		case "path":
			k.Path = argument
		case "scope":
			k.Scope = argument
		}
	}
}
