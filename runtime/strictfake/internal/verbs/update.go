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

// Create creates an object, or performs the action of a subresource, such as an eviction.
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
		result, err = s.write(r, func() (decoded, error) { return r.decodeNew(object, options.FieldValidation) })
		return err
	})
	return result, err
}

// decodeSeed decodes an object for Add.
func (r *request) decodeSeed(object runtime.Object) (decoded, error) {
	d, err := r.decodeNew(object, "")
	if err == nil {
		r.key = store.Key{Namespace: d.object.GetNamespace(), Name: d.object.GetName()}
		d.isOwned = len(d.object.GetManagedFields()) > 0
	}
	return d, err
}

// decodeNew decodes an object to create.
func (r *request) decodeNew(object runtime.Object, fieldValidation string) (decoded, error) {
	u, err := r.kind.Receive(object, fieldValidation)
	return decoded{draft: draft{object: u}}, err
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
		result, err = s.write(r, func() (decoded, error) { return r.decodeUpdate(object, options.FieldValidation) })
		return err
	})
	return result, err
}

// decodeUpdate decodes an updated object or scale.
func (r *request) decodeUpdate(object runtime.Object, fieldValidation string) (d decoded, err error) {
	if scale, ok := object.(*autoscalingv1.Scale); ok && r.subresource == codec.Scale {
		return r.decodeScale(func(live *current, old *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
			return r.updateScale(live, old, scale)
		})
	}
	if d, err = r.decodeNew(object, fieldValidation); err != nil {
		return d, err
	}
	if err := r.fixNamespace(d.object); err != nil {
		return d, err
	}
	if d.live, err = r.load(); err != nil {
		return d, err
	}
	return d, r.checkUID(d.live, d.object.GetUID())
}

// checkUID returns the error for an update whose UID differs from the stored object's UID.
func (r *request) checkUID(live *current, wanted types.UID) error {
	found := live.Object.GetUID()
	if wanted == "" || wanted == found {
		return nil
	}
	key := fmt.Sprintf("/registry/%s/%s/%s", r.kind.Group, r.kind.Resource, r.key)
	return apierrors.NewConflict(r.name(), r.key.Name, fmt.Errorf(
		"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: "+
			"Precondition failed: UID in precondition: %s, UID in object meta: %s",
		key, wanted, found))
}

// updateScale returns an updated scale. The writer owns the replicas if they differ from the old.
func (r *request) updateScale(live *current, old, scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	if scale.Namespace != "" && scale.Namespace != r.key.Namespace {
		return nil, errNamespace()
	}
	if err := r.checkUID(live, scale.UID); err != nil {
		return nil, err
	}
	return r.writer().OwnScale(old, scale.DeepCopy())
}

// decodeScale returns the stored object with the replicas of a changed scale and their owners.
func (r *request) decodeScale(change func(*current, *autoscalingv1.Scale) (*autoscalingv1.Scale, error)) (d decoded, err error) {
	live, err := r.load()
	if err != nil {
		return d, err
	}
	scale, err := r.kind.ScaleToChange(live.old)
	if err != nil {
		return d, err
	}
	if scale, err = change(live, scale); err != nil {
		return d, err
	}
	u := live.old.DeepCopy()
	err = r.kind.Rescale(u, scale)
	if scale.ResourceVersion != "" {
		u.SetResourceVersion(scale.ResourceVersion)
	}
	return decoded{draft: draft{object: u, live: live}, isOwned: true}, err
}
