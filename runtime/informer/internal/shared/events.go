package shared

import (
	"fmt"
	"slices"

	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/delivery"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/store"
)

// prepare trims and transforms an object for the store. It returns the name and the object.
func (i *Informer) prepare(s *source, obj any) (cache.ObjectName, any, error) {
	trimmed := i.config.Trimmer.Trim(obj)
	if i.config.Transform != nil {
		transformed, err := i.config.Transform(trimmed)
		if err != nil {
			name, _ := store.NameOf(obj) // without a name, the error is good enough
			return cache.ObjectName{}, nil, fmt.Errorf("%s %s: transform: %w", i.config.Resource.GroupResource(), name, err)
		}
		trimmed = transformed
	}
	name, err := store.NameOf(trimmed)
	if err == nil {
		err = i.checkPlace(s, name, obj, trimmed)
	}
	return name, trimmed, err
}

// checkPlace returns an error for an object that is not in the namespace of a source, or whose place in the store would be another one.
func (i *Informer) checkPlace(s *source, name cache.ObjectName, obj, trimmed any) error {
	switch {
	case !s.part.CoversNamespace(name.Namespace):
		return fmt.Errorf("unexpected object %s: it is not in namespace %q", name, s.part.Namespace)
	case !s.part.Arcs.IsAll() && i.config.Key.PlaceOf(trimmed) != i.config.Key.PlaceOf(obj):
		return fmt.Errorf("%s %s: transform: the function must keep what shards are made from: the UID, or the label",
			i.config.Resource.GroupResource(), name)
	}
	return nil
}

// apply stores an object of a watch and notifies the handlers.
func (i *Informer) apply(s *source, obj any) error {
	v := versionOf(obj)
	name, obj, err := i.prepare(s, obj)
	if err != nil {
		s.failed(err) // the reflector only logs the error
		return err
	}
	i.events.Lock()
	defer i.events.Unlock()
	if !i.isStale(s, i.config.Key.PlaceOf(obj), v) && !i.isSucceeded(s, name, v) {
		i.tellStored(i.store.Set(name, obj), obj, !s.synced && !i.everSynced || s.arriving)
	}
	s.advance(v)
	return nil
}

// delete removes an object that a watch reports as deleted, and notifies the handlers.
func (i *Informer) delete(s *source, obj any) error {
	v := versionOf(obj)
	name, obj, err := i.prepare(s, obj)
	if err != nil {
		return err
	}
	i.events.Lock()
	defer i.events.Unlock()
	if i.isStale(s, i.config.Key.PlaceOf(obj), v) || i.isSucceeded(s, name, v) {
		return nil
	}
	if stored, exists := i.store.GetByName(name.Namespace, name.Name); exists && s.part.Covers(i.config.Key.PlaceOf(stored)) {
		i.store.Remove(name)
		i.tellRemoved(stored, obj)
	}
	s.advance(v)
	return nil
}

// isSucceeded reports whether the stored object with a name has come after a version, in the place of another source, or in a place for
// which the source has a floor: the object that had the name was deleted, and another one was created. The caller holds events.
func (i *Informer) isSucceeded(s *source, name cache.ObjectName, v version) bool {
	if s.part.Arcs.IsAll() && len(s.floors) == 0 {
		return false
	}
	stored, exists := i.store.GetByName(name.Namespace, name.Name)
	if !exists {
		return false
	}
	at := i.config.Key.PlaceOf(stored)
	return !s.part.Covers(at) && versionOf(stored).reaches(v) || i.isStale(s, at, v)
}

// replace stores a list of all objects of a source at once. The handlers receive deletions first, as client-go's do: a handler that
// keeps objects by a unique property can give it to the next object.
func (i *Informer) replace(s *source, list []any, v version) error {
	fresh := store.Objects{}
	for n, obj := range list {
		name, obj, err := i.prepare(s, obj)
		if err != nil {
			return err
		}
		i.store.Prepare(fresh, name.Namespace)
		fresh.Put(name, obj)
		list[n] = obj
	}
	i.events.Lock()
	defer i.events.Unlock()
	initial := !i.everSynced || s.arriving
	var old store.Objects
	i.swap(s.part, fresh, func(stored store.Objects) store.Objects {
		old = stored
		i.keepAhead(s, v, stored, fresh)
		return fresh
	}, func() {
		for name, before := range old.All() {
			if _, exists := fresh.Get(name); !exists {
				i.tellRemoved(before, unseenDeletion(name, before))
			}
		}
		for _, obj := range list {
			name, _ := store.NameOf(obj) // prepare has it
			if stored, _ := fresh.Get(name); stored == obj {
				before, _ := old.Get(name)
				i.tellStored(before, obj, initial)
			}
		}
	})
	i.listed(s, v)
	return nil
}

// swap replaces the stored objects of a part, and those with the names of others, at once. The caller holds events.
func (i *Informer) swap(p arcs.Part, also store.Objects, decide func(stored store.Objects) store.Objects, published func()) {
	if p.Arcs.IsAll() {
		i.store.Swap(p.Namespace, decide, published)
		return
	}
	i.store.Patch(p.Namespace, func(name cache.ObjectName, obj any) bool {
		_, named := also.Get(name)
		return named || p.Covers(i.config.Key.PlaceOf(obj))
	}, decide, published)
}

// isStale reports whether a change that a source reports has been stored before, since another source of the same place is ahead, or was
// ahead when it was stopped. That happens while an informer changes from some namespaces to all, or back, or while arcs get other
// sources. The caller holds events.
func (i *Informer) isStale(s *source, at arcs.Place, v version) bool {
	if slices.ContainsFunc(s.floors, func(f floor) bool { return f.part.Covers(at) && f.version.reaches(v) }) {
		return true
	}
	return i.overlap && slices.ContainsFunc(i.sources, func(other *source) bool {
		return other != s && other.part.Covers(at) && other.version.reaches(v)
	})
}

// keepAhead replaces the objects of a new list in whose place another source is ahead by the stored objects. The caller holds events.
func (i *Informer) keepAhead(s *source, v version, stored, fresh store.Objects) {
	if i.overlap || len(s.floors) > 0 {
		for name, obj := range fresh.All() {
			if i.isStale(s, i.config.Key.PlaceOf(obj), v) {
				fresh.Remove(name)
			}
		}
		for name, obj := range stored.All() {
			if i.isStale(s, i.config.Key.PlaceOf(obj), v) {
				fresh.Put(name, obj)
			}
		}
	}
	if s.part.Arcs.IsAll() && len(s.floors) == 0 {
		return
	}
	for name, obj := range stored.All() {
		if listed, exists := fresh.Get(name); exists && i.isSucceeded(s, name, versionOf(listed)) {
			fresh.Put(name, obj)
		}
	}
}

// unseenDeletion is what handlers receive for an object whose deletion no watch has reported.
func unseenDeletion(name cache.ObjectName, before any) cache.DeletedFinalStateUnknown {
	return cache.DeletedFinalStateUnknown{Key: name.String(), Obj: before}
}

// tellStored notifies the handlers of an object that was added or, if before is not nil, updated. The caller holds events.
func (i *Informer) tellStored(before, obj any, initial bool) {
	i.mutations.Replace(before, obj)
	if before == nil {
		i.tell(delivery.Event{Kind: delivery.Added, After: obj, Initial: initial}, false)
		return
	}
	i.tell(delivery.Event{Kind: delivery.Updated, Before: before, After: obj}, versionOf(before).text == versionOf(obj).text)
}

// tellRemoved notifies the handlers of an object that was removed. The delivery.Event has its last state. The caller holds events.
func (i *Informer) tellRemoved(before, last any) {
	i.mutations.Replace(before, nil)
	i.tell(delivery.Event{Kind: delivery.Deleted, Before: last}, false)
}

// tell queues an event for all handlers, or only for the ones that receive the current resync.
func (i *Informer) tell(e delivery.Event, resync bool) {
	for _, listener := range i.listeners {
		if !resync || listener.Resyncing {
			listener.Add(e)
		}
	}
}
