// Package mark labels owned objects. Caches select them by the label, so that a controller does not watch the whole cluster.
package mark

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Label is the label of the objects that objects of one kind own. The zero value is no label.
type Label struct{ Key, Value string }

// LabelOf returns the label for a kind of owners, such as fleet.example.com/owner-kind=Workload.
func LabelOf(owner schema.GroupKind) Label {
	key := "owner-kind"
	if owner.Group != "" {
		key = owner.Group + "/" + key
	}
	return Label{key, owner.Kind}
}

// Map returns the label as a map, which is nil for the zero value.
func (l Label) Map() map[string]string {
	if l.Key == "" {
		return nil
	}
	return map[string]string{l.Key: l.Value}
}

// In reports whether labels have the label.
func (l Label) In(all map[string]string) bool { return l.Key == "" || all[l.Key] == l.Value }

// AddTo returns a copy of labels with the label.
func (l Label) AddTo(all map[string]string) map[string]string {
	if l.Key == "" {
		return all
	}
	added := l.Map()
	for key, value := range all {
		if key != l.Key {
			added[key] = value
		}
	}
	return added
}

// isOf reports whether the controller reference of an object names a kind whose objects own those with the label.
func (l Label) isOf(object metav1.Object) bool {
	ref := metav1.GetControllerOfNoCopy(object)
	if ref == nil {
		return false
	}
	version, err := schema.ParseGroupVersion(ref.APIVersion)
	return err == nil && LabelOf(version.WithKind(ref.Kind).GroupKind()) == l
}

// Selector selects objects with the label.
func (l Label) Selector() labels.Selector { return labels.SelectorFromSet(l.Map()) }

// lacking selects objects without the label.
func (l Label) lacking() string { return l.Key + "!=" + l.Value }
