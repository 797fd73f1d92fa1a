package verbs

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// validate returns an error if an object is invalid, or cannot replace the stored one.
func (r *request) validate(u *unstructuredObject) error {
	is, err := r.accept(u)
	if err != nil {
		return err
	}
	var errs field.ErrorList
	if r.live == nil {
		errs = r.validateNew(is, u)
	} else if errs, err = r.validateUpdate(is, u); err != nil {
		return err
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(r.kind.GroupKind(), u.GetName(), errs)
	}
	return nil
}

// validateNew returns what is invalid in a new object with its metadata.
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

// validateUpdate returns what is invalid in an updated object with its metadata.
func (r *request) validateUpdate(is metav1.Object, u *unstructuredObject) (field.ErrorList, error) {
	metadata := field.NewPath("metadata")
	was, err := r.server.decoded(r.kind, r.live)
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
		errs = append(builtin.CheckApprovals(u, r.old, r.subresource), errs...)
	}
	return append(errs, r.kind.Schema().Validate(u.Object, r.old.Object, r.subresource)...), nil
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

// accept decodes an object into its Go type and returns its metadata. It returns an error if the kind is wrong or the object does
// not fit the type, which validation reports if there is a schema.
func (r *request) accept(u *unstructuredObject) (metav1.Object, error) {
	var errs field.ErrorList
	if u.GetKind() != r.kind.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), u.GetKind(), "must be "+r.kind.Kind))
	}
	if version := r.kind.GroupVersion().String(); u.GetAPIVersion() != version {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(), "must be "+version))
	}
	if len(errs) > 0 {
		return nil, apierrors.NewInvalid(u.GroupVersionKind().GroupKind(), u.GetName(), errs)
	}
	if r.kind.HasCustomSchema() {
		return u, nil
	}
	typed, err := r.kind.Decode(r.withoutOwners(u))
	if err != nil {
		return nil, apierrors.NewInvalid(r.kind.GroupKind(), u.GetName(), codec.DecodeErrors(err))
	}
	r.typed = typed
	accessor, err := meta.Accessor(typed)
	if err == nil && r.owners != nil {
		accessor.SetManagedFields(r.owners)
	}
	return accessor, err
}

// withoutOwners returns an object without managed fields, unless they have to be decoded.
func (r *request) withoutOwners(u *unstructuredObject) *unstructuredObject {
	if r.owners == nil {
		return u
	}
	part := object.Clone(u)
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
