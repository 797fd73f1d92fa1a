package verbs

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Patch is the content of a patch request.
type Patch struct {
	// Type is the type of the patch, and Data its text.
	Type types.PatchType
	Data []byte
	// Configuration is what a server-side apply applies, in place of Data.
	Configuration runtime.Object
	Options       metav1.PatchOptions
}

// isApply reports whether the patch is a server-side apply.
func (p Patch) isApply() bool { return p.Type == types.ApplyYAMLPatchType }

// isForced reports whether a server-side apply takes fields from other managers.
func (p Patch) isForced() bool { return p.Options.Force != nil && *p.Options.Force }

// maxPatchOperations is the maximum number of operations in a JSON patch.
const maxPatchOperations = 10000

// Patch patches or applies an object, its status or its scale.
func (s *Server) Patch(t Target, p Patch) (result runtime.Object, err error) {
	err = s.serve(t, http.MethodPatch, func(r *request) error {
		if err := r.checkPatch(p); err != nil {
			return err
		}
		result, err = s.write(r, func() (*unstructuredObject, error) { return r.decodePatch(p) })
		return err
	})
	return result, err
}

// checkPatch returns an error if a server would not look at the patch.
func (r *request) checkPatch(p Patch) error {
	if err := r.checkPath(); err != nil {
		return err
	}
	r.setWrite(p.Options.FieldManager, p.Options.DryRun)
	if err := r.route("patch"); err != nil {
		return err
	}
	if !r.kind.Takes(p.Type) {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
			Message: "the body of the request was in an unknown format - accepted media types include: " +
				strings.Join(codec.PatchTypes, ", "),
		}}
	}
	if err := optionsError("PatchOptions", metav1validation.ValidatePatchOptions(&p.Options, p.Type)); err != nil {
		return err
	}
	if !p.isApply() && !json.Valid(p.Data) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	return nil
}

// decodePatch returns the patched object.
func (r *request) decodePatch(p Patch) (*unstructuredObject, error) {
	switch isScale := r.subresource == codec.Scale; {
	case isScale && p.isApply():
		return r.decodeApplyScale(p)
	case isScale:
		return r.decodePatchScale(p)
	case p.isApply():
		return r.decodeApply(p)
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	u, err := r.patched(p)
	if err != nil {
		return nil, err
	}
	return u, r.checkName(u)
}

// patched returns the result of a patch that is not an apply.
func (r *request) patched(p Patch) (*unstructuredObject, error) {
	data, err := json.Marshal(r.old.Object)
	if err != nil {
		return nil, err
	}
	if p.Type == types.StrategicMergePatchType {
		var typed runtime.Object
		if typed, err = r.kind.New(); err == nil {
			data, err = mergeStrategically(data, p.Data, typed)
		}
	} else {
		data, err = changeJSON(data, p)
	}
	if err != nil {
		return nil, err
	}
	u := &unstructuredObject{}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := object.CoerceMetadata(u); err != nil {
		return nil, invalidPatch(data, err.Error())
	}
	unknown := r.kind.Schema().Prune(u.Object)
	if len(unknown) > 0 && p.Options.FieldValidation == metav1.FieldValidationStrict {
		return nil, invalidPatch(data, codec.UnknownFields(unknown))
	}
	r.kind.Schema().Default(u.Object)
	return u, nil
}

func invalidPatch(result []byte, message string) error {
	invalid := field.Invalid(field.NewPath("patch"), string(result), message)
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{invalid})
}

// changeJSON applies a JSON patch or a merge patch to the JSON of an object.
func changeJSON(data []byte, p Patch) ([]byte, error) {
	if p.Type == types.MergePatchType {
		var content map[string]any
		if err := json.Unmarshal(p.Data, &content); err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
		}
		merged, err := jsonpatch.MergePatch(data, p.Data)
		if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		return merged, err
	}
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

// mergeStrategically applies a strategic merge patch, which follows the tags of the Go type.
func mergeStrategically(data, patch []byte, typed runtime.Object) ([]byte, error) {
	merged, err := strategicpatch.StrategicMergePatch(data, patch, typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return merged, nil
}

// decodePatchScale returns the stored object with the replicas of its patched scale.
func (r *request) decodePatchScale(p Patch) (*unstructuredObject, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	scale, err := r.kind.Scale(r.old)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(scale)
	if err != nil {
		return nil, err
	}
	if p.Type == types.StrategicMergePatchType {
		data, err = mergeStrategically(data, p.Data, scale)
	} else {
		data, err = changeJSON(data, p)
	}
	if err != nil {
		return nil, err
	}
	patched := &autoscalingv1.Scale{}
	if err := json.Unmarshal(data, patched); err != nil {
		return nil, invalidPatch(data, err.Error())
	}
	return r.scaled(patched)
}
