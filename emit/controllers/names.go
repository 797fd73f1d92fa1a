package controllers

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// controllerNames are the names of the controllers in this process. Controllers of the same name would mix their logs and
// metrics.
var controllerNames names

// names has the settings of controllers by name, from New until Run returns. The references are weak because some controllers
// are never run.
type names struct {
	lock  sync.Mutex
	taken map[string][]weak.Pointer[settings]
}

// claim takes a name for a controller. It fails if another controller of the same name uses the same client or the same
// metrics.
func (n *names) claim(s *settings) error {
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.clashes(s) {
		runtime.GC() // the other one may be unreachable
		if n.clashes(s) {
			return fmt.Errorf("duplicate controller name %s: use WithName for one of them", s.name)
		}
	}
	if n.taken == nil {
		n.taken = map[string][]weak.Pointer[settings]{}
	}
	n.taken[s.name] = append(n.taken[s.name], weak.Make(s))
	return nil
}

// clashes reports whether a name is taken. It forgets controllers that are unreachable. The caller holds the lock.
func (n *names) clashes(s *settings) bool {
	left := slices.DeleteFunc(n.taken[s.name], func(other weak.Pointer[settings]) bool { return other.Value() == nil })
	if len(left) == 0 {
		delete(n.taken, s.name)
		return false
	}
	n.taken[s.name] = left
	return slices.ContainsFunc(left, func(other weak.Pointer[settings]) bool {
		o := other.Value()
		return o != nil && (same(o.client, s.client) || same(o.metrics, s.metrics))
	})
}

// release frees the name of a controller.
func (n *names) release(s *settings) {
	n.lock.Lock()
	defer n.lock.Unlock()
	left := slices.DeleteFunc(n.taken[s.name], func(other weak.Pointer[settings]) bool { return other.Value() == s })
	if n.taken[s.name] = left; len(left) == 0 {
		delete(n.taken, s.name)
	}
}

// same reports whether two interfaces have the same value. It returns false for nil and for NoMetrics.
func same(a, b any) bool {
	if a == nil || b == nil || a == any(NoMetrics{}) {
		return false
	}
	return reflect.ValueOf(a).Comparable() && a == b
}
