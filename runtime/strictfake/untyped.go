package strictfake

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/fakes"
)

// ServeUntyped makes a fake dynamic client or a fake metadata client of client-go answer from the server: clients of
// k8s.io/client-go/dynamic/fake and k8s.io/client-go/metadata/fake. They see the objects of the kinds that the clientsets of Serve have,
// whenever these are served; requests for other resources are left to the client's own reactors. Objects have the fields of their Go
// types.
//
// ServeUntyped returns an error, and changes nothing, if the client is of another type or is served already. Nobody may use the
// client while ServeUntyped runs.
func (s *Server) ServeUntyped(client Clientset) error {
	fake, err := fakes.Of(client)
	if err != nil {
		return err
	}
	var convert func(*unstructured.Unstructured) (runtime.Object, error)
	var toList func(*unstructured.UnstructuredList) (runtime.Object, error)
	switch client.(type) {
	case dynamic.Interface:
		convert = func(u *unstructured.Unstructured) (runtime.Object, error) { return u, nil }
		toList = func(list *unstructured.UnstructuredList) (runtime.Object, error) { return list, nil }
	case metadata.Interface:
		convert, toList = toMetadata, toMetadataList
	default:
		return fmt.Errorf("a %T is neither a dynamic client nor a metadata client: pass it to Serve", client)
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if slices.Contains(s.fakes, fake) {
		return errServed
	}
	u := untyped{s, convert, toList}
	fake.PrependReactor("*", "*", u.react)
	fake.PrependWatchReactor("*", u.reactToWatch)
	s.fakes = append(s.fakes, fake)
	s.announce()
	return nil
}

// untyped answers clients without Go types.
type untyped struct {
	server  *Server
	convert func(*unstructured.Unstructured) (runtime.Object, error)
	toList  func(*unstructured.UnstructuredList) (runtime.Object, error)
}

// react is the reactor of untyped clients.
func (u untyped) react(action testing.Action) (handled bool, result runtime.Object, err error) {
	handled, result, err = u.server.react(action)
	if !handled || err != nil || result == nil {
		return handled, nil, err
	}
	kind, _ := u.server.verbs.KindOf(action.GetResource()) // the reactor knows it
	result, err = u.answer(result, kind)
	return true, result, err
}

// answer converts the response to a typed client.
func (u untyped) answer(object runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	if _, isStatus := object.(*metav1.Status); isStatus {
		return object, nil
	}
	if !meta.IsListType(object) {
		converted, err := toUnstructured(object, kind)
		if err != nil {
			return nil, err
		}
		return u.convert(converted)
	}
	items, err := meta.ExtractList(object)
	if err != nil {
		return nil, err
	}
	of, err := meta.ListAccessor(object)
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{Object: map[string]any{}}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	list.SetResourceVersion(of.GetResourceVersion())
	list.SetContinue(of.GetContinue())
	list.SetRemainingItemCount(of.GetRemainingItemCount())
	for _, item := range items {
		converted, err := toUnstructured(item, kind)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, *converted)
	}
	return u.toList(list)
}

// reactToWatch is the watch reactor of untyped clients.
func (u untyped) reactToWatch(action testing.Action) (bool, watch.Interface, error) {
	handled, typed, err := u.server.reactToWatch(action)
	if !handled || err != nil {
		return handled, nil, err
	}
	kind, _ := u.server.verbs.KindOf(action.GetResource()) // the reactor knows it
	events, stopped := make(chan watch.Event), make(chan struct{})
	go func() {
		defer close(events)
		for event := range typed.ResultChan() {
			object, err := u.answer(event.Object, kind)
			if err != nil {
				status := apierrors.NewInternalError(err).Status()
				event.Type, object = watch.Error, &status
			}
			event.Object = object
			select {
			case events <- event:
			case <-stopped:
				return
			}
		}
	}()
	stop := sync.OnceFunc(func() {
		typed.Stop()
		close(stopped)
	})
	return true, converted{events, stop}, nil
}

// converted is a watch with converted objects. Unlike one of watch.Filter, it ends if nobody reads its events.
type converted struct {
	events chan watch.Event
	stop   func()
}

// Stop implements watch.Interface.
func (c converted) Stop() { c.stop() }

// ResultChan implements watch.Interface.
func (c converted) ResultChan() <-chan watch.Event { return c.events }

// toUnstructured returns an object in JSON form. Some subresources have objects of another kind than the resource.
func toUnstructured(object runtime.Object, kind schema.GroupVersionKind) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(data, &u.Object); err != nil {
		return nil, err
	}
	switch object.(type) {
	case *autoscalingv1.Scale:
		kind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	case *authenticationv1.TokenRequest:
		kind = authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")
	}
	u.SetGroupVersionKind(kind)
	return u, nil
}

func toMetadata(u *unstructured.Unstructured) (runtime.Object, error) {
	object := &metav1.PartialObjectMetadata{}
	return object, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object)
}

// toMetadataList returns a list as client-go's fake metadata client expects it.
func toMetadataList(list *unstructured.UnstructuredList) (runtime.Object, error) {
	result := &metav1.List{ListMeta: metav1.ListMeta{
		ResourceVersion: list.GetResourceVersion(), Continue: list.GetContinue(), RemainingItemCount: list.GetRemainingItemCount(),
	}}
	for i := range list.Items {
		object, err := toMetadata(&list.Items[i])
		if err != nil {
			return nil, err
		}
		result.Items = append(result.Items, runtime.RawExtension{Object: object})
	}
	return result, nil
}
