package strictfake

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/verbs"
)

// Tracker returns the object tracker of the server. Its requests are checked like requests of clients, but they are not recorded as
// actions and bypass other reactors, so reactors may call it. It also has the methods SetSchema and Kinds of the server, which
// crdfake looks for, and Server, which returns the server.
//
// It differs from the result of Tracker of a clientset that was created elsewhere, such as client-go's: that tracker holds the objects
// which the clientset held before, and clients no longer see it.
func (s *Server) Tracker() testing.ObjectTracker { return tracker{s} }

// tracker is the object tracker of a server.
type tracker struct{ server *Server }

// only returns the last of the options, or the zero value if there are none.
func only[O any](options []O) (option O) {
	if len(options) > 0 {
		option = options[len(options)-1]
	}
	return option
}

// SetSchema is Server.SetSchema.
func (t tracker) SetSchema(kind schema.GroupVersionKind, to Schema) error {
	return t.server.SetSchema(kind, to)
}

// Server returns the server. Package controllertest looks for this method, to find the server of a clientset.
func (t tracker) Server() *Server { return t.server }

// Kinds is Server.Kinds.
func (t tracker) Kinds() []schema.GroupVersionKind { return t.server.Kinds() }

// Add implements testing.ObjectTracker.
func (t tracker) Add(object runtime.Object) error { return t.server.Add(object) }

// Get implements testing.ObjectTracker.
func (t tracker) Get(
	gvr schema.GroupVersionResource, namespace, name string, options ...metav1.GetOptions,
) (runtime.Object, error) {
	return t.server.verbs.Get(verbs.Target{Resource: gvr, Namespace: namespace, Name: name}, only(options))
}

// Create implements testing.ObjectTracker.
func (t tracker) Create(
	gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.CreateOptions,
) error {
	_, err := t.server.verbs.Create(verbs.Target{Resource: gvr, Namespace: namespace}, object, only(options))
	return err
}

// Update implements testing.ObjectTracker.
func (t tracker) Update(
	gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.UpdateOptions,
) error {
	_, err := t.server.verbs.Update(verbs.Target{Resource: gvr, Namespace: namespace}, object, only(options))
	return err
}

// Patch implements testing.ObjectTracker. The object is the result of the patch.
func (t tracker) Patch(
	gvr schema.GroupVersionResource, object runtime.Object, namespace string, options ...metav1.PatchOptions,
) error {
	o := only(options)
	update := metav1.UpdateOptions{DryRun: o.DryRun, FieldManager: o.FieldManager, FieldValidation: o.FieldValidation}
	return t.Update(gvr, object, namespace, update)
}

// Apply implements testing.ObjectTracker.
func (t tracker) Apply(
	gvr schema.GroupVersionResource, configuration runtime.Object, namespace string, options ...metav1.PatchOptions,
) error {
	accessor, err := meta.Accessor(configuration)
	if err != nil {
		return err
	}
	patch := verbs.Patch{Type: types.ApplyYAMLPatchType, Configuration: configuration, Options: only(options)}
	_, err = t.server.verbs.Patch(verbs.Target{Resource: gvr, Namespace: namespace, Name: accessor.GetName()}, patch)
	return err
}

// List implements testing.ObjectTracker. The kind follows from the resource.
func (t tracker) List(
	gvr schema.GroupVersionResource, _ schema.GroupVersionKind, namespace string, options ...metav1.ListOptions,
) (runtime.Object, error) {
	return t.server.verbs.List(verbs.Target{Resource: gvr, Namespace: namespace}, only(options))
}

// Delete implements testing.ObjectTracker. It returns an error if the object does not exist.
func (t tracker) Delete(gvr schema.GroupVersionResource, namespace, name string, options ...metav1.DeleteOptions) error {
	_, err := t.server.verbs.Delete(verbs.Target{Resource: gvr, Namespace: namespace, Name: name}, only(options))
	return err
}

// Watch implements testing.ObjectTracker.
func (t tracker) Watch(gvr schema.GroupVersionResource, namespace string, options ...metav1.ListOptions) (watch.Interface, error) {
	return t.server.verbs.Watch(verbs.Target{Resource: gvr, Namespace: namespace}, only(options))
}
