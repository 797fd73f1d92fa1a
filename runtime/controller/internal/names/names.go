// Package names keeps controllers of the same name from running at the same time.
package names

import (
	"errors"
	"reflect"
	"sync"
)

// running has the names of the controllers that run in this process, with what they use.
var running sync.Map

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
	release = func() {
		for _, one := range uses {
			running.Delete(one)
		}
	}
	for _, value := range with {
		if !reflect.ValueOf(value).Comparable() {
			continue
		}
		if _, taken := running.LoadOrStore(use{name, value}, nil); taken {
			release()
			return nil, ErrTaken
		}
		uses = append(uses, use{name, value})
	}
	return release, nil
}
