package caches

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/synced"
)

// Start adds the handlers, runs the informers, and waits until the handlers have received all objects. Of a factory that is owned,
// see [Own], it runs all informers. If they have not synced after the timeout, it returns an error with the reasons; a timeout of 0
// means forever. It returns nil if ctx is done first. Informers outlive ctx, see [Set.End].
func (s *Set) Start(ctx context.Context, timeout time.Duration) error {
	running := context.WithoutCancel(ctx)
	if err := s.begin(running); err != nil {
		return err
	}
	waiting := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	var others error
	if ownershipOf(s.factory) != nil {
		s.factory.StartWithContext(running)
		others = synced.Factory(waiting, s.factory)
	}
	var reasons []error
	for _, w := range s.all {
		if !w.wait(waiting) {
			reasons = append(reasons, w.reasons())
		}
	}
	if len(reasons) == 0 && others != nil {
		reasons = append(reasons, others)
	}
	if len(reasons) == 0 || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("informers have not synced after %v: %w", timeout, errors.Join(reasons...))
}

// ownership marks a factory that controllers start and shut down.
type ownership struct {
	lock sync.Mutex
	// users is the number of controllers that run on the factory.
	users int
}

type ownershipKey struct{}

func ownershipOf(factory *informer.Factory) *ownership {
	o, _ := factory.Value(ownershipKey{}, nil).(*ownership)
	return o
}

// Own makes controllers start a factory and shut it down.
func Own(factory *informer.Factory) {
	factory.Value(ownershipKey{}, func() any { return &ownership{} })
}

// Enter counts a controller that runs on the factory. The last controller to leave an owned factory shuts it down.
func Enter(factory *informer.Factory) (leave func()) {
	o := ownershipOf(factory)
	if o == nil {
		return func() {}
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	o.users++
	return func() {
		o.lock.Lock()
		o.users--
		last := o.users == 0
		o.lock.Unlock()
		if last {
			factory.Shutdown()
		}
	}
}
