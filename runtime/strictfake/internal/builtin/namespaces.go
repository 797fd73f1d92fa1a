package builtin

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

func isNamespace(u *unstructured.Unstructured) bool {
	return u.GetKind() == "Namespace" && u.GetAPIVersion() == "v1"
}

// IsHeld reports whether an object has finalizers outside of its metadata, as namespaces can have.
func IsHeld(u *unstructured.Unstructured) bool {
	if !isNamespace(u) {
		return false
	}
	finalizers, _, err := unstructured.NestedSlice(u.Object, "spec", "finalizers")
	return err == nil && len(finalizers) > 0
}

// Terminate sets the phase of a namespace that is being deleted. It replaces the status, and does not modify it.
func Terminate(u *unstructured.Unstructured) {
	if isNamespace(u) {
		object.Child(u.Object, "status")["phase"] = "Terminating"
	}
}
