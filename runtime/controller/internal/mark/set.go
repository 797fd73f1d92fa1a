package mark

import (
	"context"
	"reflect"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// Set has the kinds that a controller owns. Its methods may be called concurrently, except Add.
type Set struct {
	kinds []*Kind
	// restoring is held while objects are labelled. It has one place.
	restoring chan struct{}

	lock sync.Mutex
	// done has the namespaces of each kind in which all objects have labels.
	done map[restored]bool
	// lost has the objects that left the cache, by the item that owned them.
	lost map[cache.ObjectName][]lost
}

type restored struct {
	kind      *Kind
	namespace string
}

// lost is an object that left the cache. It was deleted, or has lost its label.
type lost struct {
	kind   *Kind
	object cache.ObjectName
	uid    types.UID
}

// NewSet returns a set without kinds.
func NewSet() *Set {
	return &Set{restoring: make(chan struct{}, 1), done: map[restored]bool{}, lost: map[cache.ObjectName][]lost{}}
}

// Add adds a kind.
func (s *Set) Add(k *Kind) { s.kinds = append(s.kinds, k) }

// Restore makes sure that the objects that an item may own have labels: those of its namespace or, for a cluster-scoped item, of all
// that are watched. Each namespace is looked through once.
func (s *Set) Restore(ctx context.Context, item cache.ObjectName) error {
	if len(s.missing(item)) == 0 {
		return nil
	}
	select {
	case s.restoring <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.restoring }()
	for _, missing := range s.missing(item) {
		if err := missing.kind.restore(ctx, missing.namespace); err != nil {
			return err
		}
		s.lock.Lock()
		s.done[missing] = true
		s.lock.Unlock()
	}
	return nil
}

// missing returns what was not looked through.
func (s *Set) missing(item cache.ObjectName) (missing []restored) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, k := range s.kinds {
		if s.done[restored{k, metav1.NamespaceAll}] || item.Namespace != "" && s.done[restored{k, item.Namespace}] {
			continue
		}
		if k.unserved() {
			continue // nothing exists
		}
		watched := k.namespaces()
		switch {
		case slices.Contains(watched, metav1.NamespaceAll):
			watched = []string{metav1.NamespaceAll}
		case item.Namespace != "":
			watched = []string{item.Namespace}
		}
		for _, namespace := range watched {
			if r := (restored{k, namespace}); !s.done[r] {
				missing = append(missing, r)
			}
		}
	}
	return missing
}

// Lost notes that an object left the cache, which an item owned.
func (s *Set) Lost(item cache.ObjectName, k *Kind, object metav1.Object) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.lost[item] = append(s.lost[item], lost{k, cache.MetaObjectToName(object), object.GetUID()})
}

// LostOf is Lost for an object whose kind is found by its Go type. It reports whether there is one.
func (s *Set) LostOf(item cache.ObjectName, object metav1.Object) bool {
	for _, k := range s.kinds {
		if k.object == reflect.TypeOf(object) && !k.label.In(object.GetLabels()) {
			s.Lost(item, k, object)
			return true
		}
	}
	return false
}

// Recover labels the objects that have lost their label. It reports whether there were any.
func (s *Set) Recover(ctx context.Context, item cache.ObjectName) (recovered bool, err error) {
	for {
		l, ok := s.next(item)
		if !ok {
			return recovered, nil
		}
		labelled, err := l.kind.check(ctx, item, l)
		if err != nil {
			s.lock.Lock()
			defer s.lock.Unlock()
			s.lost[item] = append(s.lost[item], l)
			return recovered, err
		}
		recovered = recovered || labelled
	}
}

// next takes an object of an item.
func (s *Set) next(item cache.ObjectName) (l lost, ok bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	all := s.lost[item]
	if len(all) == 0 {
		return l, false
	}
	if len(all) == 1 {
		delete(s.lost, item)
	} else {
		s.lost[item] = all[1:]
	}
	return all[0], true
}

// Forget drops what left the cache, of an item whose object is gone.
func (s *Set) Forget(item cache.ObjectName) {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.lost, item)
}
