package controllertest

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// Write is a successful write request.
type Write struct {
	// Verb is create, update, patch, apply, delete or delete-collection.
	Verb        string
	Resource    schema.GroupVersionResource
	Subresource string
	// Name has an empty name for delete-collection.
	Name cache.ObjectName
	// Object is the object that the fake clientset returned, or nil for deletions.
	Object runtime.Object
}

// String returns a form such as "update workloads/status shop/web".
func (w Write) String() string {
	resource := w.Resource.Resource
	if w.Subresource != "" {
		resource += "/" + w.Subresource
	}
	return w.Verb + " " + resource + " " + w.Name.String()
}

// writes collects the writes of several clientsets. The zero value is ready to use.
type writes struct {
	lock sync.Mutex
	list []Write
}

func (w *writes) add(write Write) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.list = append(w.list, write)
}

func (w *writes) all() []Write {
	w.lock.Lock()
	defer w.lock.Unlock()
	return slices.Clone(w.list)
}

// recording is a reactor whose successful writes are recorded.
type recording struct {
	testing.Reactor
	writes *writes
}

// React implements testing.Reactor.
func (r recording) React(action testing.Action) (bool, runtime.Object, error) {
	handled, object, err := r.Reactor.React(action)
	if handled && err == nil {
		switch action.GetVerb() {
		case "get", "list", "watch":
		default:
			r.writes.add(writeOf(action, object))
		}
	}
	return handled, object, err
}

func writeOf(action testing.Action, object runtime.Object) Write {
	w := Write{Verb: action.GetVerb(), Resource: action.GetResource(), Subresource: action.GetSubresource()}
	w.Name.Namespace = action.GetNamespace()
	if patch, ok := action.(testing.PatchAction); ok && patch.GetPatchType() == types.ApplyPatchType {
		w.Verb = "apply"
	}
	if accessor, err := meta.Accessor(object); err == nil && w.Verb != "delete" {
		w.Name.Name = accessor.GetName()
		w.Object = object.DeepCopyObject() // the reconciler may modify the original
	}
	if named, ok := action.(interface{ GetName() string }); ok {
		w.Name.Name = named.GetName()
	}
	return w
}
