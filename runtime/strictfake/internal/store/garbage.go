package store

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/object"
)

// place identifies an object by resource, namespace and name.
type place struct {
	resource *Resource
	key      Key
}

// object returns the object at a place, or nil.
func (p place) object() *unstructured.Unstructured {
	if record := p.resource.objects[p.key]; record != nil {
		return record.Object
	}
	return nil
}

// graph has the owner references of all objects, and the places that the garbage collector has to check.
type graph struct {
	owners     map[types.UID]place
	dependents map[types.UID]map[place]bool
	queue      []place
}

func newGraph() *graph {
	return &graph{owners: map[types.UID]place{}, dependents: map[types.UID]map[place]bool{}}
}

// observe updates the graph after a change.
func (g *graph) observe(p place, is, was *Record) {
	if was != nil {
		g.forget(p, was.Object)
	}
	if is == nil {
		return
	}
	g.owners[is.Object.GetUID()] = p
	refs := is.Object.GetOwnerReferences()
	for _, ref := range refs {
		if g.dependents[ref.UID] == nil {
			g.dependents[ref.UID] = map[place]bool{}
		}
		g.dependents[ref.UID][p] = true
	}
	if len(refs) > 0 || is.Object.GetDeletionTimestamp() != nil {
		g.queue = append(g.queue, p)
	}
}

// forget updates the graph when an object is gone or about to be replaced.
func (g *graph) forget(p place, u *unstructured.Unstructured) {
	for _, ref := range u.GetOwnerReferences() {
		delete(g.dependents[ref.UID], p)
		if len(g.dependents[ref.UID]) == 0 {
			delete(g.dependents, ref.UID)
		}
		if owner, ok := g.owners[ref.UID]; ok {
			g.queue = append(g.queue, owner) // it may wait for this one
		}
	}
	uid := u.GetUID()
	delete(g.owners, uid)
	g.queue = append(g.queue, g.of(uid)...)
}

// of returns the dependents of an owner, sorted by name.
func (g *graph) of(owner types.UID) []place {
	if len(g.dependents[owner]) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(g.dependents[owner]), func(a, b place) int { return compareKeys(a.key, b.key) })
}

// Collect is the garbage collector: it deletes objects that no longer have an owner, and finishes deletions that wait for
// dependents. It is synchronous, so when a request that deletes an owner returns, its dependents are gone too. It does nothing if
// the configuration says so.
func (s *Store) Collect() {
	for len(s.garbage.queue) > 0 {
		p := s.garbage.queue[0]
		s.garbage.queue = s.garbage.queue[1:]
		if s.config.CollectsGarbage {
			s.collect(p)
		}
	}
	s.garbage.queue = nil
}

// collect checks one place.
func (s *Store) collect(p place) {
	u := p.object()
	switch {
	case u == nil:
	case u.GetDeletionTimestamp() == nil:
		s.collectDependent(p, u)
	case slices.Contains(u.GetFinalizers(), metav1.FinalizerOrphanDependents):
		uid := u.GetUID()
		for _, dependent := range s.garbage.of(uid) {
			s.disown(dependent, func(ref metav1.OwnerReference) bool { return ref.UID == uid })
		}
		s.removeFinalizer(p, metav1.FinalizerOrphanDependents)
	case slices.Contains(u.GetFinalizers(), metav1.FinalizerDeleteDependents):
		s.deleteDependents(p, u.GetUID())
	}
}

// deleteDependents continues a foreground deletion, which deletes dependents first.
func (s *Store) deleteDependents(p place, owner types.UID) {
	for _, dependent := range s.garbage.of(owner) {
		if u := dependent.object(); u != nil && u.GetDeletionTimestamp() == nil {
			s.collectDependent(dependent, u)
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
	solid    ownerState = iota // it exists, or the store does not know its kind
	waiting                    // it waits for its dependents to be deleted
	dangling                   // it is gone
)

// stateOf returns the state of the owner that an object in a namespace refers to.
func (s *Store) stateOf(ref metav1.OwnerReference, namespace string) ownerState {
	version, err := schema.ParseGroupVersion(ref.APIVersion)
	if err != nil {
		return solid
	}
	if !s.kinds[version.WithKind(ref.Kind)] {
		return solid
	}
	p, ok := s.garbage.owners[ref.UID]
	if !ok || p.resource.Kind != (schema.GroupKind{Group: version.Group, Kind: ref.Kind}) ||
		p.resource.Namespaced && p.key.Namespace != namespace {
		return dangling
	}
	owner := p.object()
	if owner.GetDeletionTimestamp() != nil && slices.Contains(owner.GetFinalizers(), metav1.FinalizerDeleteDependents) {
		return waiting
	}
	return solid
}

// collectDependent deletes an object if all of its owners are gone or wait for it. If only some are, it removes their references.
func (s *Store) collectDependent(p place, u *unstructured.Unstructured) {
	refs := u.GetOwnerReferences()
	lost := func(ref metav1.OwnerReference) bool { return s.stateOf(ref, u.GetNamespace()) != solid }
	count, inForeground := 0, false
	for _, ref := range refs {
		if lost(ref) {
			count++
		}
		inForeground = inForeground || s.stateOf(ref, u.GetNamespace()) == waiting
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
	case inForeground && len(s.garbage.of(u.GetUID())) > 0, slices.Contains(u.GetFinalizers(), metav1.FinalizerDeleteDependents):
		policy = metav1.DeletePropagationForeground
	case slices.Contains(u.GetFinalizers(), metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	}
	s.Delete(p.resource, p.resource.objects[p.key], metav1.DeleteOptions{PropagationPolicy: &policy})
}

// disown removes owner references from an object.
func (s *Store) disown(p place, from func(metav1.OwnerReference) bool) {
	stored := p.object()
	if stored == nil {
		return
	}
	u := object.Clone(stored)
	u.SetOwnerReferences(slices.DeleteFunc(u.GetOwnerReferences(), from))
	s.Put(p.resource, NewRecord(u))
}

// removeFinalizer removes a finalizer from an object that is being deleted.
func (s *Store) removeFinalizer(p place, finalizer string) {
	u := object.Clone(p.object())
	u.SetFinalizers(slices.DeleteFunc(u.GetFinalizers(), func(name string) bool { return name == finalizer }))
	if len(u.GetFinalizers()) == 0 && !builtin.IsHeld(u) {
		s.Remove(p.resource, p.key)
		return
	}
	s.Put(p.resource, NewRecord(u))
}
