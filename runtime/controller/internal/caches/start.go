package caches

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/synced"
)

// Start adds the handlers, runs the informers, and waits until the handlers have received all objects. Of a factory that is owned,
// see [Own], it runs all informers. If they have not synced after the timeout, it returns an error with the reasons; a timeout of 0
// means forever. It returns nil if ctx is done first. Informers outlive ctx, see [Set.End].
func (s *Set) Start(ctx context.Context, timeout time.Duration) error {
	running := context.WithoutCancel(ctx)
	for _, begin := range s.attached {
		s.ends = append(s.ends, begin(running))
	}
	for _, w := range s.all {
		if err := w.begin(running); err != nil {
			return err
		}
	}
	waiting := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	var others error
	if usersOf(s.factory) != nil {
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

// usersKey is the key of the number of controllers that run on a factory, which they start and shut down.
type usersKey struct{}

func usersOf(factory *informer.Factory) *atomic.Int64 {
	users, _ := factory.Value(usersKey{}, nil).(*atomic.Int64)
	return users
}

// Own makes controllers start a factory and shut it down.
func Own(factory *informer.Factory) {
	factory.Value(usersKey{}, func() any { return new(atomic.Int64) })
}

// Enter counts a controller that runs on the factory. The last controller to leave an owned factory shuts it down.
func Enter(factory *informer.Factory) (leave func()) {
	users := usersOf(factory)
	if users == nil {
		return func() {}
	}
	users.Add(1)
	return func() {
		if users.Add(-1) == 0 {
			factory.Shutdown()
		}
	}
}
