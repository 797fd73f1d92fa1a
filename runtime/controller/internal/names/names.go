// Package names keeps controllers of the same name from running at the same time.
package names

import (
	"errors"
	"reflect"
	"slices"
	"sync"
)

// running has the names of the controllers that run in this process.
var running struct {
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
// Values that cannot be compared are ignored. It may be called concurrently.
func Claim(name string, with ...any) (release func(), err error) {
	var uses []use
	for _, value := range with {
		if reflect.ValueOf(value).Comparable() {
			uses = append(uses, use{name, value})
		}
	}
	running.lock.Lock()
	defer running.lock.Unlock()
	for _, one := range uses {
		if slices.Contains(running.taken, one) {
			return nil, ErrTaken
		}
	}
	running.taken = append(running.taken, uses...)
	return func() {
		running.lock.Lock()
		defer running.lock.Unlock()
		running.taken = slices.DeleteFunc(running.taken, func(one use) bool { return slices.Contains(uses, one) })
	}, nil
}
