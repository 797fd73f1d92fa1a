// Package handlers applies patches to JSON as API servers do. The names handlers and jsonPatchOp are part of errors that servers return.
package handlers

import (
	"errors"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
)

// maxPatchOperations is the maximum number of operations in a JSON patch.
const maxPatchOperations = 10000

// Patch is a patch that is not a server-side apply.
type Patch struct {
	// Type is the type of the patch, and Data its text.
	Type types.PatchType
	Data []byte
	// FieldValidation is the field validation of the request. Without one, fields are only validated for warnings.
	FieldValidation string
	// New returns the Go object whose tags a strategic merge patch follows.
	New func() (runtime.Object, error)
}

// jsonPatchOp is an operation of a JSON patch.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// Apply applies the patch to the JSON of an object. It also returns what strict field validation rejects in the patch: duplicate fields,
// and unknown fields of operations.
func (p Patch) Apply(data []byte) (result []byte, odd []error, err error) {
	if odd, err = p.odd(); err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	switch p.Type {
	case types.MergePatchType:
		result, err = jsonpatch.MergePatch(data, p.Data)
		if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			err = apierrors.NewBadRequest(err.Error())
		}
	case types.StrategicMergePatchType:
		result, err = p.mergeStrategically(data)
	default:
		result, err = p.operate(data)
	}
	return result, odd, err
}

// odd decodes the patch, and returns what strict field validation rejects.
func (p Patch) odd() (odd []error, err error) {
	if p.FieldValidation == metav1.FieldValidationIgnore {
		return nil, nil
	}
	if p.Type != types.JSONPatchType {
		return kjson.UnmarshalStrict(p.Data, &map[string]any{})
	}
	odd, err = kjson.UnmarshalStrict(p.Data, &[]jsonPatchOp{})
	for i := range odd {
		odd[i] = fmt.Errorf("json patch %w", odd[i])
	}
	return odd, err
}

// operate applies a JSON patch.
func (p Patch) operate(data []byte) ([]byte, error) {
	operations, err := jsonpatch.DecodePatch(p.Data)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if len(operations) > maxPatchOperations {
		return nil, apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(operations)))
	}
	if data, err = operations.Apply(data); err != nil {
		return nil, apierrors.NewGenericServerResponse(
			http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
	}
	return data, nil
}

// mergeStrategically applies a strategic merge patch.
func (p Patch) mergeStrategically(data []byte) ([]byte, error) {
	typed, err := p.New()
	if err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergePatch(data, p.Data, typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return merged, nil
}
