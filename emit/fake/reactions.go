package fake

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"
)

// addReactors makes a fake client serve from a tracker.
func addReactors(client *testing.Fake, tracker subresourceTracker, known knownKinds) {
	client.AddReactor("*", "*", objectReaction(tracker, known))
	client.AddWatchReactor("*", func(action testing.Action) (bool, watch.Interface, error) {
		var opts metav1.ListOptions
		if watchAction, ok := action.(testing.WatchActionImpl); ok {
			opts = watchAction.ListOptions
		}
		w, err := tracker.Watch(action.GetResource(), action.GetNamespace(), opts)
		if err != nil {
			return false, nil, err
		}
		return true, w, nil
	})
}

// objectReaction serves from the tracker, with behavior of API servers that testing.ObjectReaction lacks.
func objectReaction(tracker subresourceTracker, known knownKinds) testing.ReactionFunc {
	names := 0
	return func(action testing.Action) (bool, runtime.Object, error) {
		react := testing.ObjectReaction(tracker.through(action.GetSubresource()))
		switch action := action.(type) {
		case testing.CreateActionImpl:
			if err := generateName(&action, &names); err != nil {
				return true, nil, err
			}
			return react(action)
		case testing.UpdateActionImpl:
			if other, err := ofOtherType(tracker, action); other || err != nil {
				return true, action.GetObject(), err
			}
			return react(action)
		case testing.DeleteCollectionActionImpl:
			return true, nil, deleteCollection(tracker, known, action)
		}
		return react(action)
	}
}

// generateName sets the name of an object that only has a generateName. Names are numbered, so they are the same in every run
// of a test.
func generateName(action *testing.CreateActionImpl, names *int) error {
	accessor, err := meta.Accessor(action.Object)
	if err != nil || action.GetSubresource() != "" || accessor.GetName() != "" || accessor.GetGenerateName() == "" {
		return err
	}
	action.Object = action.Object.DeepCopyObject()
	if accessor, err = meta.Accessor(action.Object); err != nil {
		return err
	}
	*names++
	accessor.SetName(fmt.Sprintf("%s%05d", accessor.GetGenerateName(), *names))
	return nil
}

// ofOtherType reports whether an update of a subresource sends an object of a different type than the resource, such as a Scale.
// The fake returns that object and does not change the resource.
func ofOtherType(tracker testing.ObjectTracker, action testing.UpdateActionImpl) (bool, error) {
	if action.GetSubresource() == "" {
		return false, nil
	}
	accessor, err := meta.Accessor(action.GetObject())
	if err != nil {
		return true, nil
	}
	current, err := tracker.Get(action.GetResource(), action.GetNamespace(), accessor.GetName(), metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	return reflect.TypeOf(current) != reflect.TypeOf(action.GetObject()), nil
}

// deleteCollection deletes the objects that match the label selector of the action.
func deleteCollection(tracker testing.ObjectTracker, known knownKinds, action testing.DeleteCollectionActionImpl) error {
	kind, ok := known.kindOf(action.GetResource())
	if !ok {
		return nil
	}
	list, err := tracker.List(action.GetResource(), kind, action.GetNamespace())
	if err != nil {
		return err
	}
	return meta.EachListItem(list, func(item runtime.Object) error {
		accessor, err := meta.Accessor(item)
		if err != nil || !action.GetListRestrictions().Labels.Matches(labels.Set(accessor.GetLabels())) {
			return err
		}
		return tracker.Delete(action.GetResource(), accessor.GetNamespace(), accessor.GetName())
	})
}
