// Package ownerlabel labels owned objects. Caches select them by the label, so that a controller does not watch the whole cluster.
package ownerlabel

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Label is the label of the objects that objects of one kind own. The zero value is no label.
type Label struct {
	Key, Value string
	// BucketKey is the key of a second label, which says in which bucket the owner is, see [Label.Of]. It is empty without shards.
	BucketKey, Bucket string
}

// Of returns the label for a kind of owners, such as fleet.example.com/owner-kind=Workload.
func Of(owner schema.GroupKind) Label {
	return Label{Key: keyOf(owner, "owner-kind"), Value: owner.Kind}
}

func keyOf(owner schema.GroupKind, name string) string {
	if owner.Group == "" {
		return name
	}
	return owner.Group + "/" + name
}

// Map returns the label as a map, which is nil for the zero value.
func (l Label) Map() map[string]string {
	if l.Key == "" {
		return nil
	}
	all := map[string]string{l.Key: l.Value}
	if l.Bucket != "" {
		all[l.BucketKey] = l.Bucket
	}
	return all
}

// In reports whether labels have the label.
func (l Label) In(all map[string]string) bool {
	return l.Key == "" || all[l.Key] == l.Value && (l.BucketKey == "" || all[l.BucketKey] == l.Bucket)
}

// AddTo returns a copy of labels with the label.
func (l Label) AddTo(all map[string]string) map[string]string {
	if l.Key == "" {
		return all
	}
	added := maps.Clone(all)
	if added == nil {
		added = map[string]string{}
	}
	maps.Copy(added, l.Map())
	return added
}

// isOf reports whether the controller reference of an object names a kind whose owned objects have the label.
func (l Label) isOf(object metav1.Object) bool {
	ref := metav1.GetControllerOfNoCopy(object)
	if ref == nil {
		return false
	}
	version, err := schema.ParseGroupVersion(ref.APIVersion)
	of := Of(version.WithKind(ref.Kind).GroupKind())
	return err == nil && of.Key == l.Key && of.Value == l.Value
}

// Selector selects objects with the label, of owners in all buckets.
func (l Label) Selector() labels.Selector { return labels.SelectorFromSet(labels.Set{l.Key: l.Value}) }

// lacking selects objects without the label, and then objects without the second one.
func (l Label) lacking() []string {
	selectors := []string{l.Key + "!=" + l.Value}
	if l.BucketKey != "" {
		selectors = append(selectors, l.Key+"="+l.Value+",!"+l.BucketKey)
	}
	return selectors
}
