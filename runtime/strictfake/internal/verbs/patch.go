package verbs

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/handlers"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// Patch is the content of a patch request.
type Patch struct {
	// Type is the type of the patch, and Data its text.
	Type types.PatchType
	Data []byte
	// Configuration replaces Data in a server-side apply.
	Configuration runtime.Object
	Options       metav1.PatchOptions
}

// isApply reports whether the patch is a server-side apply.
func (p Patch) isApply() bool { return p.Type == types.ApplyYAMLPatchType }

// isForced reports whether a server-side apply takes fields from other managers.
func (p Patch) isForced() bool { return p.Options.Force != nil && *p.Options.Force }

// Patch patches or applies an object, its status or its scale.
func (s *Server) Patch(t Target, p Patch) (result runtime.Object, err error) {
	err = s.serve(t, http.MethodPatch, func(r *request) error {
		if err := r.checkPatch(p); err != nil {
			return err
		}
		result, err = s.write(r, func() (decoded, error) { return r.decodePatch(p) })
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
func (r *request) decodePatch(p Patch) (d decoded, err error) {
	switch {
	case r.subresource == codec.Scale:
		return r.decodeScale(func(_ *current, old *autoscalingv1.Scale) (*autoscalingv1.Scale, error) { return r.patchScale(old, p) })
	case p.isApply():
		return r.decodeApply(p)
	}
	if d.live, err = r.load(); err != nil {
		return d, err
	}
	if d.object, err = r.patched(d.live.old, p); err != nil {
		return d, err
	}
	return d, r.checkName(d.object)
}

// patched returns the result of a patch that is not an apply.
func (r *request) patched(old *unstructuredObject, p Patch) (*unstructuredObject, error) {
	data, odd, err := r.change(old.Object, p, r.kind.New)
	if err != nil {
		return nil, err
	}
	u := &unstructuredObject{}
	duplicate, err := kjson.UnmarshalStrict(data, &u.Object)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	unknown, err := object.CoerceMetadata(u)
	if err != nil {
		return nil, invalidPatch(data, err)
	}
	unknown = append(unknown, r.kind.Schema().Prune(u.Object)...)
	if err := p.reject(data, odd, duplicate, codec.UnknownFields(unknown)); err != nil {
		return nil, err
	}
	r.kind.Schema().Default(u.Object)
	return u, nil
}

// change applies a patch to the JSON of an object. It also returns what strict field validation rejects in the patch.
func (r *request) change(object any, p Patch, typed func() (runtime.Object, error)) (data []byte, odd []error, err error) {
	if data, err = json.Marshal(object); err != nil {
		return nil, nil, err
	}
	return handlers.Patch{Type: p.Type, Data: p.Data, FieldValidation: p.Options.FieldValidation, New: typed}.Apply(data)
}

// reject returns an error for the result of a patch if field validation is strict and has anything to reject.
func (p Patch) reject(result []byte, odd ...[]error) error {
	all := slices.Concat(odd...)
	if len(all) == 0 || p.Options.FieldValidation != metav1.FieldValidationStrict {
		return nil
	}
	return invalidPatch(result, runtime.NewStrictDecodingError(all))
}

func invalidPatch(result []byte, err error) error {
	invalid := field.Invalid(field.NewPath("patch"), string(result), err.Error())
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{invalid})
}

// patchScale returns a scale after a patch or an apply.
func (r *request) patchScale(scale *autoscalingv1.Scale, p Patch) (*autoscalingv1.Scale, error) {
	if p.isApply() {
		return r.applyScale(scale, p)
	}
	data, odd, err := r.change(scale, p, func() (runtime.Object, error) { return scale, nil })
	if err != nil {
		return nil, err
	}
	patched := &autoscalingv1.Scale{}
	unknown, err := kjson.UnmarshalStrict(data, patched)
	if err != nil {
		return nil, invalidPatch(data, err)
	}
	if err := p.reject(data, odd, unknown); err != nil {
		return nil, err
	}
	return r.writer().OwnScale(scale, patched)
}
