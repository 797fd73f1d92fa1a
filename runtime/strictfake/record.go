package strictfake

import (
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"
)

// recording makes a Fake record actions for Serve instead of answering them. Until it stops, nobody else may use the Fake.
type recording struct {
	fake         *testing.Fake
	actions      []testing.Action
	chain        []testing.Reactor
	watchChain   []testing.WatchReactor
	lastRecorded testing.Action
}

// errRecorded is what clients receive while a recording runs.
var errRecorded = errors.New("recorded")

// startRecording starts a recording.
func startRecording(fake *testing.Fake) *recording {
	r := &recording{fake: fake, actions: fake.Actions(), chain: fake.ReactionChain, watchChain: fake.WatchReactionChain}
	fake.ReactionChain = []testing.Reactor{&testing.SimpleReactor{
		Verb: "*", Resource: "*", Reaction: func(action testing.Action) (bool, runtime.Object, error) {
			r.lastRecorded = action
			return true, nil, errRecorded
		},
	}}
	fake.WatchReactionChain = []testing.WatchReactor{&testing.SimpleWatchReactor{
		Resource: "*", Reaction: func(action testing.Action) (bool, watch.Interface, error) {
			r.lastRecorded = action
			return true, nil, errRecorded
		},
	}}
	return r
}

// stop restores the reactors and the actions of the Fake.
func (r *recording) stop() {
	r.fake.ReactionChain, r.fake.WatchReactionChain = nil, nil
	r.fake.ClearActions()
	for _, action := range r.actions {
		_, _ = r.fake.Invokes(action, nil) // without reactors, it only records
	}
	r.fake.ReactionChain, r.fake.WatchReactionChain = r.chain, r.watchChain
}

// resourceOf calls a method of a client and returns the resource of its action. It returns false if the method records no action.
func (r *recording) resourceOf(method reflect.Value) (schema.GroupVersionResource, bool) {
	r.lastRecorded = nil
	t := method.Type()
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for i := 1; i < t.NumIn(); i++ {
		if !t.IsVariadic() || i < t.NumIn()-1 {
			arguments = append(arguments, sampleOf(t.In(i)))
		}
	}
	method.Call(arguments)
	if r.lastRecorded == nil {
		return schema.GroupVersionResource{}, false
	}
	return r.lastRecorded.GetResource(), true
}

// sampleOf returns an argument that clients accept: objects are empty, names are not.
func sampleOf(t reflect.Type) reflect.Value {
	const name = "sample"
	switch t.Kind() {
	case reflect.String:
		return reflect.ValueOf(name).Convert(t)
	case reflect.Pointer:
		object := reflect.New(t.Elem())
		setter := object.MethodByName("WithName") // Apply needs a name
		if setter.IsValid() && setter.Type().NumIn() == 1 && setter.Type().In(0).Kind() == reflect.String {
			setter.Call([]reflect.Value{reflect.ValueOf(name)})
		}
		return object
	}
	return reflect.Zero(t)
}
