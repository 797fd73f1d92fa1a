package informer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/wait"
)

// runs reports whether there is a run that has not been canceled. The caller holds the factory's lock.
func (m *member) runs() bool { return m.ctx != nil && m.ctx.Err() == nil }

// wanted reports whether the informer should be running. The caller holds the factory's lock.
func (f *Factory) wanted(m *member) bool {
	if m == f.follower {
		return slices.ContainsFunc(f.order, func(other *member) bool { return other != m && f.wanted(other) })
	}
	return m.awaited || m.holders > 0 || m.started != nil && m.started.Err() == nil
}

// Start is StartWithContext with a channel.
func (f *Factory) Start(stopCh <-chan struct{}) { f.StartWithContext(wait.ContextForChannel(stopCh)) }

// StartWithContext runs all informers that were requested and are not running, until ctx is done. It does not block. Call it again
// to start informers that were requested later, or to restart stopped informers: they keep their handlers and objects and relist,
// and handlers receive the changes since they stopped. It does nothing if [Factory.Err] has an error, and ignores informers of
// [Informer.StartWhenServed].
func (f *Factory) StartWithContext(ctx context.Context) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if len(f.errs) > 0 {
		return
	}
	for _, m := range f.order {
		if m.awaited || m.started != nil && m.started.Err() == nil {
			continue
		}
		m.started = ctx //nolint:fatcontext // it is remembered, not nested
		context.AfterFunc(ctx, func() { f.settle(m) })
		f.launch(ctx, m)
	}
}

// launch starts an informer that is wanted and not running. The caller holds the lock.
func (f *Factory) launch(ctx context.Context, m *member) {
	if f.follower != nil && m != f.follower {
		defer f.launch(ctx, f.follower)
	}
	if f.shuttingDown || m.runs() || !f.wanted(m) || m.own == nil && m.done != nil {
		return // client-go's informers can only run once
	}
	if m.own != nil {
		m.own.ExpectSync() // WaitForSync may be called before the informer runs
	}
	f.launchRun(context.WithoutCancel(ctx), m)
}

// launchRun starts a run of an informer, until ctx is done. The caller holds the lock.
func (f *Factory) launchRun(ctx context.Context, m *member) {
	run := m.informer.RunWithContext
	switch {
	case m.run != nil:
		run = m.run
	case m.served != nil:
		m.asked = false
		run = func(ctx context.Context) { f.runWhenServed(ctx, m) }
	}
	f.spawn(ctx, m, run)
}

// spawn runs a member in the background when its last run has ended. The caller holds the lock.
func (f *Factory) spawn(ctx context.Context, m *member, run func(context.Context)) {
	before, done := m.done, make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	m.ctx, m.cancel, m.done = ctx, cancel, done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		run(ctx)
	}()
}

// settle ends the run of an informer that is not wanted.
func (f *Factory) settle(m *member) {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, m := range []*member{m, f.follower} {
		if m != nil && m.cancel != nil && !f.wanted(m) {
			m.cancel()
		}
	}
}

// stop stops a member and waits until its handlers have returned.
func (f *Factory) stop(ctx context.Context, m *member) error {
	f.lock.Lock()
	m.started = nil
	cancel, done := m.cancel, m.done
	f.lock.Unlock()
	if cancel == nil {
		return nil
	}
	cancel()
	f.settle(m)
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the handlers of %s to return: %w", m, context.Cause(ctx))
	}
}

// acquire runs a member until release is called.
func (f *Factory) acquire(ctx context.Context, m *member) (release func(), err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	switch {
	case len(f.errs) > 0:
		return nil, errors.Join(f.errs...)
	case f.shuttingDown:
		return nil, errShutDown
	}
	m.holders++
	f.launch(ctx, m)
	return sync.OnceFunc(func() {
		f.lock.Lock()
		m.holders--
		f.lock.Unlock()
		f.settle(m)
	}), nil
}

var errShutDown = errors.New("the factory is shut down")

// Shutdown stops all informers for good and waits until their handlers have returned, so handlers must not call it. The contexts of
// StartWithContext, StartWhenServed and Acquire need not be done. It may be called several times.
func (f *Factory) Shutdown() {
	f.lock.Lock()
	f.shuttingDown = true
	var ends []<-chan struct{}
	for _, m := range f.order {
		if m.cancel != nil {
			m.cancel()
			ends = append(ends, m.done)
		}
	}
	f.lock.Unlock()
	for _, end := range ends {
		<-end
	}
	f.InformerName().Release()
}
