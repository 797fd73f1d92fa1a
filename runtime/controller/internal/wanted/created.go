package wanted

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CreatedByOthers reports whether another manager created the object. Writes of subresources create nothing. After a delay, the
// creator may be another process of the same controller, with the same manager; then only managers with earlier writes count.
func CreatedByOthers(entries []metav1.ManagedFieldsEntry, manager string, prompt bool) bool {
	var ours *metav1.Time
	for _, e := range entries {
		if e.Manager == manager && e.Operation == metav1.ManagedFieldsOperationApply && e.Subresource == "" {
			ours = e.Time
		}
	}
	return slices.ContainsFunc(entries, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager != manager && e.Subresource == "" && (prompt || e.Time.Before(ours))
	})
}
