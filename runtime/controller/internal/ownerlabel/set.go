package ownerlabel

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Set has the kinds that a controller owns. Its methods may be called concurrently, except Add.
type Set struct {
	// Holds reports whether this replica has the owner with a UID. It is nil if there are no others.
	Holds func(owner types.UID) bool

	clock clock.PassiveClock
	kinds []*Kind
	// restoring is a one-slot semaphore, held while objects are labeled.
	restoring chan struct{}

	lock sync.Mutex
	// done has the namespaces of each kind in which all objects have labels.
	done map[restored]bool
	// lost has the objects that left the cache, by the item that owned them.
	lost map[cache.ObjectName][]lost
	// unknown has the objects without a label whose owner the cache of owners does not have, by the UID of the owner.
	unknown map[types.UID][]lost
	// relabeled has the objects that have lost their label before.
	relabeled map[types.UID]relabeling
}

// restored is a namespace of a kind since it was last added to the informer.
type restored struct {
	kind       *Kind
	namespace  string
	generation int64
}

// lost is an object that left the cache. It was deleted, or has lost its label.
type lost struct {
	kind   *Kind
	object cache.ObjectName
	uid    types.UID
}

// NewSet returns a set without kinds.
func NewSet(c clock.PassiveClock) *Set {
	return &Set{
		clock: c, restoring: make(chan struct{}, 1), done: map[restored]bool{}, lost: map[cache.ObjectName][]lost{},
		unknown: map[types.UID][]lost{}, relabeled: map[types.UID]relabeling{},
	}
}

// Add adds a kind.
func (s *Set) Add(k *Kind) { s.kinds = append(s.kinds, k) }

// Restore makes sure that the objects that an item may own have labels: objects of its namespace or, for a cluster-scoped item, of all
// watched namespaces. Each namespace is looked through once.
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
		if err := missing.kind.restore(ctx, missing.namespace, s); err != nil {
			return err
		}
		s.lock.Lock()
		s.done[missing] = true
		s.lock.Unlock()
	}
	return nil
}

// Again makes Restore look through all namespaces again: another process may have created objects without labels.
func (s *Set) Again() {
	s.lock.Lock()
	defer s.lock.Unlock()
	clear(s.done)
}

// missing returns the namespaces in which Restore has not labeled objects yet.
func (s *Set) missing(item cache.ObjectName) (missing []restored) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, k := range s.kinds {
		generation := k.generation(item.Namespace)
		if s.done[restored{k, metav1.NamespaceAll, generation}] || item.Namespace != "" && s.done[restored{k, item.Namespace, generation}] {
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
			if r := (restored{k, namespace, k.generation(namespace)}); !s.done[r] {
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

// LostOf is Lost for all kinds with the Go type of an object that lacks their label. It reports whether there are any. Kinds that do
// not have the object find out later.
func (s *Set) LostOf(item cache.ObjectName, object metav1.Object) (found bool) {
	for _, k := range s.kinds {
		if k.object == reflect.TypeOf(object) && !k.label.ofOwner(object).In(object.GetLabels()) {
			s.Lost(item, k, object)
			found = true
		}
	}
	return found
}

// HasLost reports whether objects left the cache that an item owned, and that Recover has not looked for.
func (s *Set) HasLost(item cache.ObjectName) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.lost[item]) > 0
}

// Recover labels the objects that have lost their label. If some lose it again and again, because somebody overwrites the labels, it
// returns how long the item has to wait until they are labeled once more.
func (s *Set) Recover(ctx context.Context, item cache.ObjectName) (wait time.Duration, err error) {
	var postponed []lost
	defer func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		if len(postponed) > 0 {
			s.lost[item] = append(s.lost[item], postponed...)
		}
	}()
	for {
		l, ok := s.next(item)
		if !ok {
			return wait, nil
		}
		if d := s.delay(l.uid); d > 0 {
			postponed, wait = append(postponed, l), max(wait, d)
			continue
		}
		labeled, err := l.kind.check(ctx, item, l)
		if err != nil {
			postponed = append(postponed, l)
			return 0, err
		}
		if labeled {
			s.note(ctx, l)
		}
	}
}

// relabeling is how often an object was labeled again, and when.
type relabeling struct {
	times int
	last  time.Time
}

const (
	// patience is how often an object is labeled again at once. From then on, the delay doubles up to maxDelay.
	patience = 3
	maxDelay = 5 * time.Minute
)

// delay returns the time until an object may be labeled again.
func (s *Set) delay(uid types.UID) time.Duration {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := s.relabeled[uid]
	if r.times < patience {
		return 0
	}
	return min(time.Second<<min(r.times-patience, 10), maxDelay) - s.clock.Since(r.last)
}

// note counts that an object was labeled again.
func (s *Set) note(ctx context.Context, l lost) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := relabeling{s.relabeled[l.uid].times + 1, s.clock.Now()}
	s.relabeled[l.uid] = r
	if r.times >= patience {
		klog.FromContext(ctx).Info("An owned object loses its label again and again: its writers must keep the label, see OwnerLabels",
			"resource", l.kind.resource, "owned", l.object, "label", l.kind.label.Key, "times", r.times)
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

// await notes an object without a label whose owner is not known.
func (s *Set) await(owner types.UID, k *Kind, object metav1.Object) {
	if s.Holds != nil && !s.Holds(owner) {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.unknown[owner] = append(s.unknown[owner], lost{k, cache.MetaObjectToName(object), object.GetUID()})
}

// Known notes that the cache has the object of an item with a UID: Recover labels its owned objects that had no label.
func (s *Set) Known(item cache.ObjectName, uid types.UID) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if all := s.unknown[uid]; len(all) > 0 {
		s.lost[item] = append(s.lost[item], all...)
		delete(s.unknown, uid)
	}
}
