// Package pause keeps objects with an annotation from being reconciled, and tells people about it.
package pause

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Rule says which objects are paused. The zero value pauses none.
type Rule struct {
	// Annotation pauses the objects that have it, whatever its value, but for "false".
	Annotation string
	// Deletion pauses objects that are being deleted, too.
	Deletion bool
}

// Check returns an error if the key of the annotation is invalid.
func (r Rule) Check() error {
	if problems := validation.IsQualifiedName(strings.ToLower(r.Annotation)); r.Annotation != "" && len(problems) > 0 {
		return fmt.Errorf("WithPause: invalid annotation %q: %s", r.Annotation, strings.Join(problems, "; "))
	}
	return nil
}

// Pauses reports whether an object is paused.
func (r Rule) Pauses(object metav1.Object) bool {
	return isSet(object, r.Annotation) && (r.Deletion || object.GetDeletionTimestamp() == nil)
}

// Changed reports whether only one of two versions of an object is paused.
func (r Rule) Changed(before, after metav1.Object) bool { return r.Pauses(before) != r.Pauses(after) }

func isSet(object metav1.Object, annotation string) bool {
	value, set := object.GetAnnotations()[annotation]
	return set && value != "false"
}
