// Package builtin knows the kinds of Kubernetes: a table of the strategies of a server for their objects, and the effects of
// some subresources. It works on Go objects and on objects in JSON form, and knows no requests.
package builtin

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Table has the effects of kube-apiserver's strategies. The program test/e2e-full/strategies writes it.
type Table struct {
	// Version is the version of k8s.io/kubernetes.
	Version string
	Kinds   []*Kind
}

// Kind is a version of a kind.
type Kind struct {
	Group, Version, Kind, Resource string
	Namespaced                     bool
	// Singular, ShortNames, Categories and Verbs are those in discovery.
	Singular                      string
	ShortNames, Categories, Verbs []string
	// Virtual is set for kinds that servers answer, but do not store.
	Virtual bool
	// Counted is set for kinds with a metadata.generation.
	Counted bool
	// Returned is set for kinds whose deletion is answered with the object that is gone.
	Returned bool
	Create   Creation
	// Keeps are the paths of the fields that updates cannot change.
	Keeps        []string
	Fields       []Label
	Subresources []Subresource
}

// Creation has a server's changes to new objects.
type Creation struct {
	// Drops are the paths of the fields that clients cannot set.
	Drops []string
	// Sets are fields with the same value in all new objects.
	Sets map[string]any
}

// Label is a label of field selectors.
type Label struct {
	Name string
	// Paths are the fields with the value; the first that is not empty counts. Without paths, the name is the path.
	Paths []string
	// Zero is the value for objects without the field.
	Zero string
	// Always is set if the value is always Zero.
	Always bool
}

// Subresource is a subresource of a kind.
type Subresource struct {
	Name string
	// Group, Version and Kind identify the kind of the objects that clients send.
	Group, Version, Kind string
	Verbs                []string
	// Keeps are the paths of the fields that updates of the subresource cannot change.
	Keeps []string
}

//go:embed table.json
var tableJSON []byte

// Load returns the table.
var Load = sync.OnceValue(func() *Table {
	table := &Table{}
	if err := json.Unmarshal(tableJSON, table); err != nil {
		return &Table{} // TestKubernetesTable would fail
	}
	return table
})

// moved are the groups that kinds of the group extensions have moved to.
var moved = []string{"apps", "networking.k8s.io"}

// IsGroup reports whether a group is one of Kubernetes itself. Other groups of *.k8s.io belong to custom resources.
func IsGroup(group string) bool {
	switch group {
	case "apiextensions.k8s.io", "apiregistration.k8s.io", "extensions", "imagepolicy.k8s.io", "lifecycle.k8s.io":
		return true // of other servers, or of none by default
	}
	return slices.ContainsFunc(Load().Kinds, func(k *Kind) bool { return k.Group == group })
}

// Of returns the rules for a kind. A version that servers do not have today has the rules of another version. It returns nil for
// unknown kinds.
func Of(kind schema.GroupVersionKind) *Kind {
	var found *Kind
	for _, k := range Load().Kinds {
		sameGroup := k.Group == kind.Group || kind.Group == "extensions" && slices.Contains(moved, k.Group)
		switch {
		case k.Kind != kind.Kind || !sameGroup:
		case k.Group == kind.Group && k.Version == kind.Version:
			return k
		case found == nil:
			found = k
		}
	}
	return found
}

// Subresource returns a subresource, or nil.
func (k *Kind) Subresource(name string) *Subresource {
	for i := range k.Subresources {
		if k.Subresources[i].Name == name {
			return &k.Subresources[i]
		}
	}
	return nil
}

// KeptBy returns the paths of the fields that updates of the object or of a subresource cannot change.
func (k *Kind) KeptBy(subresource string) []string {
	if subresource == "" {
		return k.Keeps
	}
	if s := k.Subresource(subresource); s != nil {
		return s.Keeps
	}
	return nil
}

// Label returns a label of field selectors, or nil.
func (k *Kind) Label(name string) *Label {
	for i := range k.Fields {
		if k.Fields[i].Name == name {
			return &k.Fields[i]
		}
	}
	return nil
}

// Labels returns the names of all labels of field selectors in addition to the metadata.
func (k *Kind) Labels() (names []string) {
	for _, label := range k.Fields {
		names = append(names, label.Name)
	}
	return names
}

// sources returns the paths of the fields that the label has its value from.
func (l *Label) sources() [][]string {
	paths := l.Paths
	switch {
	case l.Always:
		return nil
	case len(paths) == 0:
		paths = []string{l.Name}
	}
	steps := make([][]string, len(paths))
	for i, path := range paths {
		steps[i] = strings.Split(path, ".")
	}
	return steps
}

// Value returns the value of the label for an object in JSON form.
func (l *Label) Value(u *unstructured.Unstructured) string {
	for _, path := range l.sources() {
		if text := text(u, path); text != "" {
			return text
		}
	}
	return l.Zero
}
