package source

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

// Kubebuilder has the controller-gen markers of a type that affect clients (https://book.kubebuilder.io/reference/markers/crd).
type Kubebuilder struct {
	// Path is the plural, Scope is Cluster or Namespaced. Either is nil if no marker sets it.
	Path, Scope *marker.Written
	// Status and Scale are the markers of the subresources.
	Status, Scale *marker.Marker
	// SelectableFields are the fields that field selectors can use, such as "spec.nodeName".
	SelectableFields []marker.Written

	// unread are the problems with invalid markers.
	unread diag.List
}

// Values of controller-gen's markers.
const (
	ScopeCluster    = "Cluster"
	ScopeNamespaced = "Namespaced"
)

func readKubebuilder(scanned marker.Set) Kubebuilder {
	var k Kubebuilder
	for _, m := range scanned {
		switch m.Name {
		case marker.Resource:
			names, _ := marker.As[marker.Names](m, &k.unread)
			if names.Path.Pos.IsValid() {
				k.Path = &names.Path
			}
			if names.Scope.Pos.IsValid() {
				k.Scope = &names.Scope
			}
		case marker.StatusSubresource:
			k.Status = &m
		case marker.ScaleSubresource:
			k.Scale = &m
		case marker.SelectableField:
			if field, _ := marker.As[marker.Written](m, &k.unread); field.Text != "" {
				k.SelectableFields = append(k.SelectableFields, field)
			}
		}
	}
	return k
}
