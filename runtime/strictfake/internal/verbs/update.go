package verbs

import (
	"fmt"
	"net/http"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// Create creates an object, or does what a subresource stands for, such as an eviction.
func (s *Server) Create(t Target, object runtime.Object, options metav1.CreateOptions) (result runtime.Object, err error) {
	if accessor, ok := object.(metav1.Object); ok && t.Subresource != "" && t.Name == "" {
		t.Name = accessor.GetName() // as clients do
	}
	err = s.serve(t, http.MethodPost, func(r *request) error {
		r.setWrite(options.FieldManager, options.DryRun)
		if err := r.route("create"); err != nil {
			return err
		}
		if err := optionsError("CreateOptions", metav1validation.ValidateCreateOptions(&options)); err != nil {
			return err
		}
		if r.subresource != "" {
			result, err = r.createSubresource(object, options)
			return err
		}
		result, err = s.write(r, func() (*unstructuredObject, error) { return r.kind.Receive(object, options.FieldValidation) })
		return err
	})
	return result, err
}

// decodeSeed decodes an object for Add.
func (r *request) decodeSeed(object runtime.Object) (*unstructuredObject, error) {
	u, err := r.kind.Receive(object, "")
	if err != nil {
		return nil, err
	}
	r.key = store.Key{Namespace: u.GetNamespace(), Name: u.GetName()}
	return u, nil
}

// Update updates an object, its status or its scale.
func (s *Server) Update(t Target, object runtime.Object, options metav1.UpdateOptions) (result runtime.Object, err error) {
	if accessor, ok := object.(metav1.Object); ok {
		t.Name = accessor.GetName()
	}
	err = s.serve(t, http.MethodPut, func(r *request) error {
		r.setWrite(options.FieldManager, options.DryRun)
		if err := r.route("update"); err != nil {
			return err
		}
		if err := r.checkPath(); err != nil {
			return err
		}
		if err := optionsError("UpdateOptions", metav1validation.ValidateUpdateOptions(&options)); err != nil {
			return err
		}
		result, err = s.write(r, func() (*unstructuredObject, error) { return r.decodeUpdate(object, options.FieldValidation) })
		return err
	})
	return result, err
}

// decodeUpdate decodes an updated object or scale.
func (r *request) decodeUpdate(object runtime.Object, fieldValidation string) (*unstructuredObject, error) {
	if scale, ok := object.(*autoscalingv1.Scale); ok && r.subresource == codec.Scale {
		return r.decodeScale(scale)
	}
	u, err := r.kind.Receive(object, fieldValidation)
	if err != nil {
		return nil, err
	}
	if err := r.fixNamespace(u); err != nil {
		return nil, err
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	return u, r.checkUID(u.GetUID())
}

// checkUID returns the error for an update whose UID is not that of the stored object.
func (r *request) checkUID(wanted types.UID) error {
	found := r.live.Object.GetUID()
	if wanted == "" || wanted == found {
		return nil
	}
	key := fmt.Sprintf("/registry/%s/%s/%s", r.kind.Group, r.kind.Resource, r.key)
	return apierrors.NewConflict(r.name(), r.key.Name, fmt.Errorf(
		"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: "+
			"Precondition failed: UID in precondition: %s, UID in object meta: %s",
		key, wanted, found))
}

// decodeScale returns the stored object with the replicas of an updated scale.
func (r *request) decodeScale(scale *autoscalingv1.Scale) (*unstructuredObject, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	if scale.Namespace != "" && scale.Namespace != r.key.Namespace {
		return nil, errNamespace()
	}
	if err := r.checkUID(scale.UID); err != nil {
		return nil, err
	}
	old, err := r.kind.ScaleToChange(r.old)
	if err != nil {
		return nil, err
	}
	return r.ownScaled(old, scale.DeepCopy())
}

// ownScaled returns the stored object with the replicas of an updated or patched scale. The writer owns them if they differ from the old.
func (r *request) ownScaled(old, scale *autoscalingv1.Scale) (*unstructuredObject, error) {
	owned, err := r.writer().OwnScale(old, scale)
	if err != nil {
		return nil, err
	}
	return r.scaled(owned)
}

// scaled returns the stored object with the replicas of a changed scale and their owners.
func (r *request) scaled(scale *autoscalingv1.Scale) (*unstructuredObject, error) {
	u := r.old.DeepCopy()
	if err := r.kind.Rescale(u, scale); err != nil {
		return nil, err
	}
	if scale.ResourceVersion != "" {
		u.SetResourceVersion(scale.ResourceVersion)
	}
	r.isOwned = true
	return u, nil
}
