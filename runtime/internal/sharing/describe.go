package sharing

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Count returns the number of buckets that are open, and of others that are opening or closing.
func (s *Share) Count() (opened, moving int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, state := range s.states {
		switch state {
		case open:
			opened++
		case opening, closing:
			moving++
		case absent:
		}
	}
	return opened, moving
}

// Describe says in a sentence who serves an object. The UID is empty if the caches have none. It is empty for a process that serves
// everything.
func (s *Share) Describe(uid types.UID) string {
	if s == nil {
		return ""
	}
	if uid == "" {
		return "This replica does not have it: another one does, or it does not exist. Ask the others."
	}
	bucket := informer.BucketOf(uid)
	s.lock.Lock()
	defer s.lock.Unlock()
	at := s.since[bucket].Format(time.TimeOnly)
	switch s.states[bucket] {
	case open:
		return fmt.Sprintf("This replica has served its bucket, %d, since %s.", bucket, at)
	case opening:
		return fmt.Sprintf("This replica has taken over its bucket, %d, at %s, and waits for caches.", bucket, at)
	case closing:
		return fmt.Sprintf("This replica hands over its bucket, %d, since %s, and finishes reconciles.", bucket, at)
	case absent:
	}
	return fmt.Sprintf("Another replica serves its bucket, %d.", bucket)
}
