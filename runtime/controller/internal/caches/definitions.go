package caches

import (
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/definitions"
)

// refusedRecheck is how often an item looks whether the definitions of all kinds have their fields.
const refusedRecheck = 5 * time.Second

// Refer notes that objects refer to others of which there is no cache.
func Refer[O informer.Object](s *Set, source informer.Source[O]) {
	definitions.Of(s.factory, source, false)
}

// refusals say which definitions must change before anything is reconciled.
func (s *Set) refusals() (all []string) {
	for _, w := range s.all {
		if refusal := w.definition.Refusal(); refusal != "" && w.written && !w.unserved() {
			all = append(all, refusal)
		}
	}
	return all
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
