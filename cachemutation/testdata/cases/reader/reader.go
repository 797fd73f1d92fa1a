// Package reader has the names of a package that was once generated, for objects that no cache has.
package reader

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Lister lists objects of its own.
type Lister interface {
	List(selector labels.Selector) ([]*corev1.Pod, error)
}

// PodLister is a lister by its name.
type PodLister struct{}

// List returns new objects, but looks as any lister.
func (PodLister) List(labels.Selector) ([]*corev1.Pod, error) { return []*corev1.Pod{{}}, nil }

// Sorted returns new objects.
func Sorted(Lister) []*corev1.Pod { return []*corev1.Pod{{}} }
