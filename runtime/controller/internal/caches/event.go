package caches

import (
	"reflect"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// Event is a change of an object. Resyncs and relists without a change are none.
type Event[O informer.Object] struct {
	progress.Cause

	Name cache.ObjectName
	// Before and After are the object before and after the event. They are nil where it did not exist or is not known.
	Before, After O
	// Initial is set for objects that existed before the informer started.
	Initial bool
}

// Each calls a function with the object before and after the event.
func (e Event[O]) Each(call func(object O)) {
	for _, object := range [...]O{e.Before, e.After} {
		if any(object) != any(*new(O)) {
			call(object)
		}
	}
}

// WatchOwned is Watch for objects that are owned.
func WatchOwned[O informer.Object](s *Set, objects *informer.Informer[O], fields string, handle func(Event[O])) *Watcher {
	return watch(s, objects, fields, true, handle)
}

// Watch adds an informer, whose events handle receives while the set runs. The first one is for the objects that are reconciled. The
// fields come from the requested source, which need not be the source that the informer was made with.
func Watch[O informer.Object](s *Set, objects *informer.Informer[O], fields string, handle func(Event[O])) *Watcher {
	return watch(s, objects, fields, false, handle)
}

func watch[O informer.Object](s *Set, objects *informer.Informer[O], fields string, owned bool, handle func(Event[O])) *Watcher {
	w := &Watcher{
		source: objects, object: reflect.TypeFor[O](), resource: objects.Resource().GroupResource(),
		namespaced: objects.Source().Namespaced(), cache: consistency.Track(s.tracker, objects),
		owned: owned, written: owned || len(s.all) == 0,
	}
	w.definition = definitions.Of(s.factory, objects.Resource(), fields, w.written)
	resource := w.resource.String()
	receive := func(event string, e Event[O]) {
		if event != progress.Updated || !repeated(e.Before, e.After) {
			e.Cause = progress.Cause{Resource: resource, Event: event}
			handle(e)
		}
		w.cache.Seen(e.Name)
		s.Changed(w, e.Name)
	}
	handler := informer.HandlerFuncs[O]{
		Added: func(object O, initial bool) {
			receive(progress.Added, Event[O]{Name: cache.MetaObjectToName(object), After: object, Initial: initial})
		},
		Updated: func(before, after O) {
			receive(progress.Updated, Event[O]{Name: cache.MetaObjectToName(after), Before: before, After: after})
		},
		Deleted: func(name cache.ObjectName, last O) { receive(progress.Deleted, Event[O]{Name: name, Before: last}) },
	}
	w.add = func(options cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
		return objects.AddHandlerWithOptions(handler, options)
	}
	s.all = append(s.all, w)
	return w
}

// repeated reports whether an update is a resync or relist without a change. Objects of fake clientsets have no resource
// version, so it only returns true for the same pointer.
func repeated[O informer.Object](before, after O) bool {
	return any(before) == any(after) || after.GetResourceVersion() != "" && before.GetResourceVersion() == after.GetResourceVersion()
}
