package resolve

import (
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
)

// kubebuilderTags is what the markers for controller-gen say of a type, as far as clients are concerned
// (https://book.kubebuilder.io/reference/markers/crd).
type kubebuilderTags struct {
	// path is the plural, scope Cluster or Namespaced; nil where no marker says it.
	path, scope *kubebuilderArgument
	// status and scale are the subresources' markers.
	status, scale *marker.Marker
}

// kubebuilderArgument is one argument of a marker with its position.
type kubebuilderArgument struct {
	value string
	pos   token.Position
}

const (
	resourcePrefix   = "kubebuilder:resource:"
	statusMarker     = "kubebuilder:subresource:status"
	scaleMarker      = "kubebuilder:subresource:scale"
	scopeCluster     = "Cluster"
	scopeNamespaced  = "Namespaced"
	argumentQuoteSet = "\"`"
)

// readKubebuilderTags reads the markers of a type, known to us or not.
func readKubebuilderTags(scanned marker.Set) kubebuilderTags {
	var tags kubebuilderTags
	for _, m := range scanned {
		switch {
		case strings.HasPrefix(m.Name, resourcePrefix):
			tags.readResource(m)
		case m.Name == statusMarker:
			tags.status = &m
		case m.Name == scaleMarker, strings.HasPrefix(m.Name, scaleMarker+":"):
			tags.scale = &m
		}
	}
	return tags
}

// readResource reads path and scope. Arguments stand behind a colon, so that the name of the first is part of the
// marker's name in our grammar.
func (tags *kubebuilderTags) readResource(m marker.Marker) {
	arguments := strings.TrimPrefix(m.Name, resourcePrefix) + "=" + m.Value
	for offset, word := range words(arguments) {
		key, value, _ := strings.Cut(word, "=")
		argument := &kubebuilderArgument{value: strings.Trim(strings.TrimSpace(value), argumentQuoteSet), pos: m.Pos}
		argument.pos.Column += len("+") + len(resourcePrefix) + offset
		switch strings.TrimSpace(key) {
		case "path":
			tags.path = argument
		case "scope":
			tags.scope = argument
		}
	}
}
