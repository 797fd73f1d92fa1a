package caches

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

const (
	// listedRecheck is how often an item looks whether all caches have its namespace, which was added after the start.
	listedRecheck = time.Second
	// refusedRecheck is how often an item looks whether the definitions of all kinds have their fields.
	refusedRecheck = 5 * time.Second
)

// Recheck returns after which time an item must look again whether it can be reconciled, or 0 if it can: a cache has not listed its
// namespace, see Pending, or a definition lacks fields and is refused. It logs the reasons twice a minute, for all items.
func (s *Set) Recheck(ctx context.Context, item cache.ObjectName) (wait time.Duration) {
	if wait = refusedRecheck; s.Pending(item.Namespace) {
		wait = listedRecheck
	} else if len(s.refusals()) == 0 {
		return 0
	}
	now, last := time.Now().UnixNano(), s.said.Load()
	if now-last >= int64(30*time.Second) && s.said.CompareAndSwap(last, now) {
		klog.FromContext(ctx).Info("Objects are held back", "object", item, "waitingFor", s.Reasons(item.Namespace))
	}
	return wait
}

// Reasons returns what an item of a namespace waits for, see Recheck.
func (s *Set) Reasons(namespace string) []string {
	reasons := s.refusals()
	for _, w := range s.all {
		if w.source.Pending(namespace) {
			reasons = append(reasons, fmt.Sprintf("the objects of namespace %s (%v)", namespace, w.reasons()))
		}
	}
	return reasons
}

// refusals returns the definitions that must change before anything is reconciled.
func (s *Set) refusals() (all []string) {
	for _, w := range s.all {
		if refusal := w.definition.Refusal(); refusal != "" && w.written && !w.source.Unserved() {
			all = append(all, refusal)
		}
	}
	return all
}

// Refer notes that objects refer to others without a cache.
func Refer[O informer.Object](s *Set, source informer.Source[O]) {
	definitions.Of(s.factory, source.Resource(), source.Fields(), false)
}

// MissingFields returns the number of fields that the definitions of the kinds lack that are reconciled or owned.
func (s *Set) MissingFields() (n int) {
	for _, w := range s.all {
		if w.written {
			n += len(w.definition.Missing())
		}
	}
	return n
}
