package leases

import (
	"cmp"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
)

// Reached is closed when the API server has answered a request for a lease: whether this process or another one leads is decided then.
func (s *Set) Reached() <-chan struct{} { return s.leases[0].reached }

// Expiry returns when the first of the leases runs out that are held, or were held when one was lost: from then on, another process may
// lead. It is the zero time if none is held.
func (s *Set) Expiry() (first time.Time) {
	for _, l := range s.leases {
		if at := l.expiry(); first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first
}

// answers reports whether the error of a request, which may be nil, says that the API server is there, and lets the process compete.
func answers(err error) bool {
	return err == nil || apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err)
}

// noteReached notes that the API server has answered. The caller holds the lock.
func (l *lease) noteReached() {
	select {
	case <-l.reached:
	default:
		close(l.reached)
	}
}

// expiry returns when the lease runs out, or was taken, or the zero time if it is not held.
func (l *lease) expiry() time.Time {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.holds() {
		return time.Time{}
	}
	return cmp.Or(l.taken, time.Now().Add(l.duration-sleepless.Since(l.renewed)))
}
