// Package names keeps controllers of the same name from running at the same time.
package names

import (
	"errors"
	"reflect"
	"slices"
	"sync"
)

// Running has the names of the controllers that run in this process.
var Running Registry

// Registry has names that are taken. The zero value is ready to use. It may be used concurrently.
type Registry struct {
	lock  sync.Mutex
	taken []use
}

// use is a use of a name, for instance on a factory, or with a receiver of metrics.
type use struct {
	name string
	with any
}

// ErrTaken is the error for a name that is taken.
var ErrTaken = errors.New("a controller of this name runs already on the same factory or with the same metrics: " +
	"use WithName for one of them")

// Claim takes a name until release is called, for use with some values. It fails if the name is taken for use with one of them.
// Values that cannot be compared are ignored.
func (r *Registry) Claim(name string, with ...any) (release func(), err error) {
	var uses []use
	for _, value := range with {
		if reflect.ValueOf(value).Comparable() {
			uses = append(uses, use{name, value})
		}
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, one := range uses {
		if slices.Contains(r.taken, one) {
			return nil, ErrTaken
		}
	}
	r.taken = append(r.taken, uses...)
	return func() {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.taken = slices.DeleteFunc(r.taken, func(one use) bool { return slices.Contains(uses, one) })
	}, nil
}
