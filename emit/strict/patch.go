package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// patch is the content of a patch request.
type patch struct {
	kind    types.PatchType
	data    []byte
	options metav1.PatchOptions
}

// patchTypes are the patch types that custom resources accept.
var patchTypes = []string{string(types.JSONPatchType), string(types.MergePatchType), string(applyPatchType)}

// applyPatchType is the patch type of server-side apply.
const applyPatchType = types.ApplyYAMLPatchType

// maxPatchOperations is the maximum number of operations in a JSON patch.
const maxPatchOperations = 10000

func (s *Server) patch(r *request, p patch) (runtime.Object, error) {
	r.setWrite(p.options.FieldManager, p.options.DryRun)
	if err := r.route(statusSubresource, scaleSubresource); err != nil {
		return nil, err
	}
	if !r.takes(p.kind) {
		return nil, &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
			Message: "the body of the request was in an unknown format - accepted media types include: " + strings.Join(patchTypes, ", "),
		}}
	}
	if err := optionsError("PatchOptions", metav1validation.ValidatePatchOptions(&p.options, p.kind)); err != nil {
		return nil, err
	}
	if p.kind != applyPatchType && !json.Valid(p.data) {
		return nil, apierrors.NewBadRequest("invalid JSON patch")
	}
	if r.subresource == scaleSubresource {
		return s.patchScale(r, p)
	}
	if p.kind == applyPatchType {
		return s.apply(r, p)
	}
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	old, err := s.inVersion(r.served, live.object)
	if err != nil {
		return nil, err
	}
	u, err := r.patched(old, p)
	if err != nil {
		return nil, err
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	return s.replace(r, live, u)
}

// takes reports whether the kind accepts a patch type.
func (k *served) takes(kind types.PatchType) bool {
	return slices.Contains(patchTypes, string(kind)) || kind == types.StrategicMergePatchType && k.BuiltIn
}

// checkName returns an error if a patch has changed the name or namespace of an object.
func (r *request) checkName(u *unstructured.Unstructured) error {
	if err := r.fixNamespace(u); err != nil {
		return err
	}
	if u.GetName() == "" {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", r.key.Name))
	}
	if u.GetName() != r.key.Name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", u.GetName(), r.key.Name))
	}
	return nil
}

// patched returns the result of a JSON patch or merge patch.
func (r *request) patched(old *unstructured.Unstructured, p patch) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(old.Object)
	if err != nil {
		return nil, err
	}
	if p.kind == types.StrategicMergePatchType {
		data, err = r.mergeStrategically(data, p.data)
	} else {
		data, err = changeJSON(data, p)
	}
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := coerceMetadata(u); err != nil {
		return nil, invalidPatch(data, err.Error())
	}
	if unknown := r.schema.Prune(u.Object); len(unknown) > 0 && p.options.FieldValidation == metav1.FieldValidationStrict {
		return nil, invalidPatch(data, strictMessage(unknown))
	}
	r.schema.Default(u.Object)
	return u, nil
}

func strictMessage(unknown []string) string {
	var messages []string
	for _, name := range unknown {
		messages = append(messages, fmt.Sprintf("unknown field %q", name))
	}
	return "strict decoding error: " + strings.Join(messages, ", ")
}

func invalidPatch(result []byte, message string) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), string(result), message)})
}

// changeJSON applies a JSON patch or a merge patch to the JSON of an object.
func changeJSON(data []byte, p patch) ([]byte, error) {
	if p.kind == types.MergePatchType {
		var content map[string]any
		if err := json.Unmarshal(p.data, &content); err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
		}
		merged, err := jsonpatch.MergePatch(data, p.data)
		if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		return merged, err
	}
	operations, err := jsonpatch.DecodePatch(p.data)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if len(operations) > maxPatchOperations {
		return nil, apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(operations)))
	}
	if data, err = operations.Apply(data); err != nil {
		return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
	}
	return data, nil
}

// mergeStrategically applies a strategic merge patch, which follows the tags of the Go type.
func (k *served) mergeStrategically(data, patch []byte) ([]byte, error) {
	typed, err := k.scheme.New(k.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergePatch(data, patch, typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return merged, nil
}

// apply performs a server-side apply. It creates a missing object, unless it is for a subresource.
func (s *Server) apply(r *request, p patch) (runtime.Object, error) {
	configuration := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(p.data, &configuration.Object); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	live := r.objects[r.key]
	if live == nil && r.subresource != "" {
		return nil, apierrors.NewNotFound(r.name, r.key.Name)
	}
	var old *unstructured.Unstructured
	if live != nil {
		var err error
		if old, err = s.inVersion(r.served, live.object); err != nil {
			return nil, err
		}
	}
	resetApplied(r, configuration)
	uid := configuration.GetUID()
	u, err := s.applied(r, old, configuration, p.options.Force != nil && *p.options.Force)
	if err != nil {
		return nil, err
	}
	if old == nil && uid != "" {
		return nil, apierrors.NewConflict(r.name, r.key.Name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	uniqueOwners(u)
	metadata := u.Object["metadata"]
	if err := coerceMetadata(u); err != nil {
		return nil, err
	}
	if old == nil {
		if !r.dryRun {
			u.SetResourceVersion("")
		}
		r.dropStatus(u, nil)
		return s.insert(r, u)
	}
	// An apply that removes the last label leaves an empty map. A server stores it, and drops it when it reads the object.
	r.untidy = !sameJSON(metadata, u.Object["metadata"])
	return s.commit(r, live, old, r.reset(old, u))
}
