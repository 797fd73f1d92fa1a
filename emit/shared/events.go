package shared

import "k8s.io/client-go/tools/cache"

// apply stores an object and notifies the handlers.
func (i *Informer) apply(s *source, obj any) error {
	name, obj, err := i.prepare(obj)
	if err != nil {
		s.failed(err) // the reflector only logs the error
		return err
	}
	i.events.Lock()
	defer i.events.Unlock()
	i.set(name, obj, !s.synced && !i.everSynced)
	return nil
}

// set stores an object and notifies the handlers. The caller holds events.
func (i *Informer) set(name cache.ObjectName, obj any, initial bool) {
	if cached, ok := i.store.GetByName(name.Namespace, name.Name); ok && i.overlapping() && before(versionOf(obj), versionOf(cached)) {
		return // another source of the same object is ahead
	}
	before := i.store.set(name, obj)
	i.mutations.replace(before, obj)
	if before == nil {
		i.tell(event{kind: added, after: obj, initial: initial}, false)
		return
	}
	i.tell(event{kind: updated, before: before, after: obj}, versionOf(before) == versionOf(obj))
}

// forget removes an object from the store and notifies the handlers. Last is the object in the deletion event, or nil if the
// watch missed it. The caller holds events.
func (i *Informer) forget(name cache.ObjectName, last any) {
	before := i.store.remove(name)
	if before == nil {
		return
	}
	i.mutations.replace(before, nil)
	if last == nil {
		last = cache.DeletedFinalStateUnknown{Key: name.String(), Obj: before}
	}
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
