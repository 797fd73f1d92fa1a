package strict

import (
	"errors"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// Tracker is the object tracker of a server. Its requests are not recorded and bypass reactors.
type Tracker struct{ *Server }

var _ testing.ObjectTracker = Tracker{}

// request returns a request for objects of a resource and locks the server.
func (t Tracker) request(gvr schema.GroupVersionResource, namespace, method string) (*request, func(), error) {
	t.lock.Lock()
	k := t.kinds[gvr]
	if k == nil {
		t.lock.Unlock()
		return nil, nil, errors.New("the clientset has no client for " + gvr.String())
	}
	return &request{served: k, method: method, key: cache.ObjectName{Namespace: namespace}}, t.lock.Unlock, nil
}

// only returns the last of the options, or the zero value if there are none.
func only[O any](options []O) (option O) {
	if len(options) > 0 {
		option = options[len(options)-1]
	}
	return option
}

// Get implements testing.ObjectTracker.
func (t Tracker) Get(gvr schema.GroupVersionResource, namespace, name string, options ...metav1.GetOptions) (runtime.Object, error) {
	r, unlock, err := t.request(gvr, namespace, http.MethodGet)
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.key.Name = name
	return t.get(r, only(options))
}

// Create implements testing.ObjectTracker.
func (t Tracker) Create(gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.CreateOptions) error {
	r, unlock, err := t.request(gvr, namespace, http.MethodPost)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = t.create(r, object, only(options))
	return err
}

// Update implements testing.ObjectTracker.
func (t Tracker) Update(gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.UpdateOptions) error {
	r, unlock, err := t.request(gvr, namespace, http.MethodPut)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = t.update(r, object, only(options))
	return err
}

// Patch implements testing.ObjectTracker. The object is the result of the patch.
func (t Tracker) Patch(gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.PatchOptions) error {
	o := only(options)
	return t.Update(gvr, object, namespace, metav1.UpdateOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation})
}

// Apply implements testing.ObjectTracker.
func (t Tracker) Apply(gvr schema.GroupVersionResource, configuration runtime.Object, namespace string, options ...metav1.PatchOptions) error {
	accessor, err := meta.Accessor(configuration)
	if err != nil {
		return err
	}
	r, unlock, err := t.request(gvr, namespace, http.MethodPatch)
	if err != nil {
		return err
	}
	defer unlock()
	u, err := encode(r.served, configuration)
	if err != nil {
		return err
	}
	data, err := u.MarshalJSON()
	if err != nil {
		return err
	}
	r.key.Name = accessor.GetName()
	_, err = t.patch(r, patch{applyPatchType, data, only(options)})
	return err
}

// List implements testing.ObjectTracker.
func (t Tracker) List(gvr schema.GroupVersionResource, _ schema.GroupVersionKind, namespace string, options ...metav1.ListOptions) (runtime.Object, error) {
	r, unlock, err := t.request(gvr, namespace, http.MethodGet)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return t.list(r, only(options))
}

// Delete implements testing.ObjectTracker.
func (t Tracker) Delete(gvr schema.GroupVersionResource, namespace, name string, options ...metav1.DeleteOptions) error {
	r, unlock, err := t.request(gvr, namespace, http.MethodDelete)
	if err != nil {
		return err
	}
	defer unlock()
	r.key.Name = name
	return t.delete(r, only(options))
}

// Watch implements testing.ObjectTracker.
func (t Tracker) Watch(gvr schema.GroupVersionResource, namespace string, options ...metav1.ListOptions) (watch.Interface, error) {
	r, unlock, err := t.request(gvr, namespace, http.MethodGet)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return t.watch(r, only(options))
}
