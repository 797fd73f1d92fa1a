package shared

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/store"
)

// event is an addition, update or deletion that handlers receive.
type event struct {
	kind          eventKind
	before, after any
	// initial is set if the object is part of the initial list.
	initial bool
}

type eventKind uint8

const (
	added eventKind = iota
	updated
	deleted
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
	if err == nil && !s.covers(name.Namespace) {
		err = fmt.Errorf("unexpected object %s: it is not in namespace %q", name, s.namespace)
	}
	return name, trimmed, err
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
	if i.isStale(s, name.Namespace, v) {
		return nil
	}
	i.tellStored(i.store.Set(name, obj), obj, !s.synced && !i.everSynced)
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
	if i.isStale(s, name.Namespace, v) {
		return nil
	}
	if before := i.store.Remove(name); before != nil {
		i.tellRemoved(before, obj)
	}
	s.advance(v)
	return nil
}

// replace stores a list of all objects of a source at once. The handlers receive deletions first, as client-go's do: who keeps
// objects by a property that only one may have can give it to the next.
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
	initial := !i.everSynced
	var old store.Objects
	i.store.Swap(s.namespace, func(stored store.Objects) store.Objects {
		old = stored
		i.keepAhead(s, v, stored, fresh)
		return fresh
	}, func() {
		old.Each(func(name cache.ObjectName, before any) {
			if _, exists := fresh.Get(name); !exists {
				i.tellRemoved(before, unseenDeletion(name, before))
			}
		})
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

// listed records that a source has listed. The caller holds events.
func (i *Informer) listed(s *source, v version) {
	s.reached(v)
	if i.run.ends() {
		return // the list of a run that was stopped must not complete the sync of the next
	}
	s.synced = true
	i.checkSynced()
	i.changed.Send()
}

// isStale reports whether a change that a source reports has been stored before, since another source of the same namespace is
// ahead, or was ahead when it was stopped. That happens while an informer changes from some namespaces to all, or back. The caller
// holds events.
func (i *Informer) isStale(s *source, namespace string, v version) bool {
	if floor, ok := i.floors[namespace]; ok {
		if floor.reaches(v) {
			return true
		}
		delete(i.floors, namespace)
	}
	return i.overlap && i.isAhead(s, namespace, v)
}

// isAhead reports whether another source has brought all changes in a namespace up to a version. The caller holds events.
func (i *Informer) isAhead(s *source, namespace string, v version) bool {
	return slices.ContainsFunc(i.sources, func(other *source) bool {
		return other != s && other.covers(namespace) && other.version.reaches(v)
	})
}

// keepAhead replaces the namespaces of a new list in which another source is ahead by what is stored. The caller holds events.
func (i *Informer) keepAhead(s *source, v version, stored, fresh store.Objects) {
	if s.namespace == metav1.NamespaceAll {
		clear(i.floors)
	} else {
		delete(i.floors, s.namespace)
	}
	if !i.overlap {
		return
	}
	for namespace := range fresh {
		if i.isAhead(s, namespace, v) {
			delete(fresh, namespace)
		}
	}
	for namespace, objects := range stored {
		if i.isAhead(s, namespace, v) {
			fresh[namespace] = objects
		}
	}
}

// forget removes the objects of a namespace, or of all, from the store, and notifies the handlers. It keeps namespaces for which
// keep returns true. The caller holds events.
func (i *Informer) forget(namespace string, keep func(namespace string) bool) {
	var old store.Objects
	kept := store.Objects{}
	i.store.Swap(namespace, func(stored store.Objects) store.Objects {
		old = stored
		for in, objects := range stored {
			if keep(in) {
				kept[in] = objects
			}
		}
		return kept
	}, func() {
		old.Each(func(name cache.ObjectName, before any) {
			if _, exists := kept.Get(name); !exists {
				i.tellRemoved(before, unseenDeletion(name, before))
			}
		})
	})
}

// unseenDeletion is what handlers receive for an object whose deletion no watch has reported.
func unseenDeletion(name cache.ObjectName, before any) cache.DeletedFinalStateUnknown {
	return cache.DeletedFinalStateUnknown{Key: name.String(), Obj: before}
}

// tellStored notifies the handlers of an object that was added or, if before is not nil, updated. The caller holds events.
func (i *Informer) tellStored(before, obj any, initial bool) {
	i.mutations.Replace(before, obj)
	if before == nil {
		i.tell(event{kind: added, after: obj, initial: initial}, false)
		return
	}
	i.tell(event{kind: updated, before: before, after: obj}, versionOf(before).text == versionOf(obj).text)
}

// tellRemoved notifies the handlers of an object that was removed. The event has its last state. The caller holds events.
func (i *Informer) tellRemoved(before, last any) {
	i.mutations.Replace(before, nil)
	i.tell(event{kind: deleted, before: last}, false)
}

// tell queues an event for all handlers, or only for those that receive the current resync.
func (i *Informer) tell(e event, resync bool) {
	for _, listener := range i.listeners {
		if !resync || listener.resyncing {
			listener.add(e)
		}
	}
}
