package strict

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// place identifies an object by resource, namespace and name.
type place struct {
	*resource
	key cache.ObjectName
}

// object returns the object at a place, or nil.
func (p place) object() *unstructured.Unstructured {
	if r, ok := p.objects[p.key]; ok {
		return r.object
	}
	return nil
}

// collector is a synchronous garbage collector: when a request that deletes an owner returns, its dependents are gone too.
type collector struct {
	owners     map[types.UID]place
	dependents map[types.UID]map[place]bool
	// queue has the places to check.
	queue []place
}

func newCollector() *collector {
	return &collector{owners: map[types.UID]place{}, dependents: map[types.UID]map[place]bool{}}
}

// observe updates the graph of owners after a change.
func (c *collector) observe(p place, is, was *record) {
	if was != nil {
		c.forget(p, was.object)
	}
	if is == nil {
		return
	}
	c.owners[is.object.GetUID()] = p
	refs := is.object.GetOwnerReferences()
	for _, ref := range refs {
		if c.dependents[ref.UID] == nil {
			c.dependents[ref.UID] = map[place]bool{}
		}
		c.dependents[ref.UID][p] = true
	}
	if len(refs) > 0 || is.object.GetDeletionTimestamp() != nil {
		c.queue = append(c.queue, p)
	}
}

// forget updates the graph when an object is gone or about to be replaced.
func (c *collector) forget(p place, object *unstructured.Unstructured) {
	for _, ref := range object.GetOwnerReferences() {
		delete(c.dependents[ref.UID], p)
		if len(c.dependents[ref.UID]) == 0 {
			delete(c.dependents, ref.UID)
		}
		if owner, ok := c.owners[ref.UID]; ok {
			c.queue = append(c.queue, owner) // it may wait for this one
		}
	}
	delete(c.owners, object.GetUID())
	c.queue = append(c.queue, c.of(object.GetUID())...)
}

// of returns the dependents of an owner, sorted by name.
func (c *collector) of(owner types.UID) []place {
	return slices.SortedFunc(maps.Keys(c.dependents[owner]), func(a, b place) int { return compareKeys(a.key, b.key) })
}

// collect deletes objects that no longer have an owner, and finishes deletions that wait for dependents.
func (s *Server) collect() {
	for len(s.garbage.queue) > 0 {
		p := s.garbage.queue[0]
		s.garbage.queue = s.garbage.queue[1:]
		if !s.collects {
			continue
		}
		object := p.object()
		switch {
		case object == nil:
		case object.GetDeletionTimestamp() == nil:
			s.collectDependent(p, object)
		case slices.Contains(object.GetFinalizers(), metav1.FinalizerOrphanDependents):
			for _, dependent := range s.garbage.of(object.GetUID()) {
				s.disown(dependent, func(ref metav1.OwnerReference) bool { return ref.UID == object.GetUID() })
			}
			s.removeFinalizer(p, metav1.FinalizerOrphanDependents)
		case slices.Contains(object.GetFinalizers(), metav1.FinalizerDeleteDependents):
			s.deleteDependents(p, object.GetUID())
		}
	}
	s.garbage.queue = nil
}

// deleteDependents continues a foreground deletion, which deletes dependents first.
func (s *Server) deleteDependents(p place, owner types.UID) {
	for _, dependent := range s.garbage.of(owner) {
		if object := dependent.object(); object != nil && object.GetDeletionTimestamp() == nil {
			s.collectDependent(dependent, object)
		}
	}
	for _, dependent := range s.garbage.of(owner) {
		for _, ref := range dependent.object().GetOwnerReferences() {
			if ref.UID == owner && ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion {
				return
			}
		}
	}
	s.removeFinalizer(p, metav1.FinalizerDeleteDependents)
}

// ownerState is the state of an owner.
type ownerState int

const (
	solid    ownerState = iota // it exists, or the server does not serve its kind
	waiting                    // it waits for its dependents to be deleted
	dangling                   // it is gone
)

// stateOf returns the state of the owner that an object in a namespace refers to.
func (s *Server) stateOf(ref metav1.OwnerReference, namespace string) ownerState {
	version, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return solid
	}
	if _, known := s.byKind[version.WithKind(ref.Kind)]; !known {
		return solid
	}
	p, ok := s.garbage.owners[ref.UID]
	if !ok || p.storage.GroupKind() != (schema.GroupKind{Group: version.Group, Kind: ref.Kind}) ||
		p.storage.Namespaced && p.key.Namespace != namespace {
		return dangling
	}
	owner := p.object()
	if owner.GetDeletionTimestamp() != nil && slices.Contains(owner.GetFinalizers(), metav1.FinalizerDeleteDependents) {
		return waiting
	}
	return solid
}

// collectDependent deletes an object if all of its owners are gone or wait for it. If only some are, it removes their references.
func (s *Server) collectDependent(p place, object *unstructured.Unstructured) {
	refs := object.GetOwnerReferences()
	lost := func(ref metav1.OwnerReference) bool { return s.stateOf(ref, object.GetNamespace()) != solid }
	count, inForeground := 0, false
	for _, ref := range refs {
		if lost(ref) {
			count++
		}
		inForeground = inForeground || s.stateOf(ref, object.GetNamespace()) == waiting
	}
	if count == 0 {
		return
	}
	if count < len(refs) {
		s.disown(p, lost)
		return
	}
	policy := metav1.DeletePropagationBackground
	switch {
	case inForeground && len(s.garbage.of(object.GetUID())) > 0, slices.Contains(object.GetFinalizers(), metav1.FinalizerDeleteDependents):
		policy = metav1.DeletePropagationForeground
	case slices.Contains(object.GetFinalizers(), metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	}
	r := &request{served: p.storage, key: p.key}
	_ = s.remove(r, metav1.DeleteOptions{PropagationPolicy: &policy}) // fails only for objects that do not exist
}

// disown removes owner references from an object.
func (s *Server) disown(p place, from func(metav1.OwnerReference) bool) {
	object := p.object()
	if object == nil {
		return
	}
	u := clone(object)
	u.SetOwnerReferences(slices.DeleteFunc(u.GetOwnerReferences(), from))
	s.put(p.resource, p.key, newRecord(u))
}

// removeFinalizer removes a finalizer from an object that is being deleted.
func (s *Server) removeFinalizer(p place, finalizer string) {
	u := clone(p.object())
	u.SetFinalizers(slices.DeleteFunc(u.GetFinalizers(), func(name string) bool { return name == finalizer }))
	if len(u.GetFinalizers()) == 0 {
		s.put(p.resource, p.key, nil)
		return
	}
	s.put(p.resource, p.key, newRecord(u))
}
