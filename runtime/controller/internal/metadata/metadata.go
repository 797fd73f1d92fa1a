// Package metadata patches the metadata of objects: their owners, labels and finalizers.
package metadata

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Patcher is a client with the verb patch.
type Patcher[O any] interface {
	Patch(
		ctx context.Context, name string, patch types.PatchType, data []byte, options metav1.PatchOptions, subresources ...string,
	) (O, error)
}

// Patch returns a merge patch that sets fields of the metadata, with the resource version as an optimistic lock.
func Patch(resourceVersion string, fields map[string]any) ([]byte, error) {
	if resourceVersion != "" { // fake clientsets leave it empty
		fields["resourceVersion"] = resourceVersion
	}
	return json.Marshal(map[string]any{"metadata": fields})
}
