package verbs

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// validate returns an error if an object is invalid, or cannot replace the stored object.
func (r *request) validate(o owned) (v valid, err error) {
	typed, is, err := r.accept(o)
	if err != nil {
		return v, err
	}
	var errs field.ErrorList
	if o.live == nil {
		errs = r.validateNew(is, o.object)
	} else if errs, err = r.validateUpdate(is, o.object, o.live); err != nil {
		return v, err
	}
	if len(errs) > 0 {
		return v, apierrors.NewInvalid(r.kind.GroupKind(), o.object.GetName(), errs)
	}
	return valid{o.draft, typed}, nil
}

// validateNew validates a new object with its metadata.
func (r *request) validateNew(is metav1.Object, u *unstructuredObject) field.ErrorList {
	metadata := field.NewPath("metadata")
	if r.kind.HasCustomSchema() {
		if errs := r.kind.Schema().Validate(u.Object, nil, r.subresource); len(errs) > 0 {
			return errs
		}
		return apivalidation.ValidateObjectMetaAccessor(is, r.kind.Namespaced, pathSegment, metadata)
	}
	validName := apivalidation.ValidateNameFunc(apivalidation.NameIsDNSSubdomain)
	if other, ok := otherNames[r.kind.Kind]; ok && r.kind.BuiltIn {
		validName = other
	}
	errs := apivalidation.ValidateObjectMetaAccessor(is, r.kind.Namespaced, validName, metadata)
	return append(errs, r.kind.Schema().Validate(u.Object, nil, r.subresource)...)
}

// otherNames has the built-in kinds whose names need not, or not only, be DNS subdomains, as
// https://kubernetes.io/docs/concepts/overview/working-with-objects/names says. A role may be named "system:node".
var otherNames = map[string]apivalidation.ValidateNameFunc{
	"Role": pathSegment, "ClusterRole": pathSegment, "RoleBinding": pathSegment, "ClusterRoleBinding": pathSegment,
	"CertificateSigningRequest": pathSegment, "ClusterTrustBundle": pathSegment, "IPAddress": pathSegment,
	"Namespace": apivalidation.NameIsDNSLabel, "Service": apivalidation.NameIsDNSLabel,
}

// validateUpdate validates an updated object with its metadata.
func (r *request) validateUpdate(is metav1.Object, u *unstructuredObject, live *current) (field.ErrorList, error) {
	metadata := field.NewPath("metadata")
	was, err := r.server.decoded(r.kind, live.Record)
	if err != nil {
		return nil, err
	}
	before, err := meta.Accessor(was)
	if err != nil {
		return nil, err
	}
	changes := apivalidation.ValidateObjectMetaAccessorUpdate(is, before, metadata)
	errs := append(apivalidation.ValidateObjectMetaAccessor(is, r.kind.Namespaced, pathSegment, metadata), changes...)
	if !r.kind.HasCustomSchema() {
		errs = append(errs, r.again(changes)...)
	}
	if r.kind.BuiltIn {
		errs = append(builtin.CheckApprovals(u, live.old, r.subresource), errs...)
	}
	return append(errs, r.kind.Schema().Validate(u.Object, live.old.Object, r.subresource)...), nil
}

// again returns the errors of immutable metadata as a server reports them for the second time. Later servers do not say
// which deletionTimestamp was sent.
func (r *request) again(changes field.ErrorList) field.ErrorList {
	if !r.server.is38 {
		return changes
	}
	var errs field.ErrorList
	for _, change := range changes {
		if change.Field == "metadata.deletionTimestamp" {
			change = field.Invalid(field.NewPath("metadata", "deletionTimestamp"), nil, change.Detail)
		}
		errs = append(errs, change)
	}
	return errs
}

// accept decodes an object into its Go type and returns it with its metadata. It returns an error if the kind is wrong or the object
// does not fit the type. If there is a schema, which reports misfits, accept decodes nothing.
func (r *request) accept(o owned) (runtime.Object, metav1.Object, error) {
	u := o.object
	var errs field.ErrorList
	if u.GetKind() != r.kind.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), u.GetKind(), "must be "+r.kind.Kind))
	}
	if version := r.kind.GroupVersion().String(); u.GetAPIVersion() != version {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(), "must be "+version))
	}
	if len(errs) > 0 {
		return nil, nil, apierrors.NewInvalid(u.GroupVersionKind().GroupKind(), u.GetName(), errs)
	}
	if r.kind.HasCustomSchema() {
		return nil, u, nil
	}
	typed, err := r.kind.Decode(o.part())
	if err != nil {
		return nil, nil, apierrors.NewInvalid(r.kind.GroupKind(), u.GetName(), codec.DecodeErrors(err))
	}
	accessor, err := meta.Accessor(typed)
	if err == nil && o.owners != nil {
		accessor.SetManagedFields(o.owners)
	}
	return typed, accessor, err
}

// part returns the object without managed fields, unless they have to be decoded.
func (o owned) part() *unstructuredObject {
	if o.owners == nil {
		return o.object
	}
	part := object.Clone(o.object)
	object.SetManagedFields(part, nil)
	return part
}

// pathSegment is an apivalidation.ValidateNameFunc that accepts names that can be part of a path.
func pathSegment(name string, prefix bool) []string {
	if prefix {
		return rest.IsValidPathSegmentPrefix(name)
	}
	return rest.IsValidPathSegmentName(name)
}
