package manager

import (
	"context"
	"errors"
	"fmt"
	"sync"

	klog "k8s.io/klog/v2"
)

// runnable is a function that runs alongside the controllers.
type runnable struct {
	name string
	run  func(context.Context) error
	when stage
}

// stage is a step of the start, at which runnables start.
type stage int

const (
	afterCaches stage = iota
	beforeCaches
	onlyLeader
)

// RunOption says when a function of [Manager.Run] starts.
type RunOption func(*runnable)

// BeforeCaches starts a function before the caches fill, in each process: the API server needs a conversion webhook for lists.
func BeforeCaches() RunOption { return func(r *runnable) { r.when = beforeCaches } }

// OnlyLeader starts a function when the process holds the lease. Its context is done when the lease is lost; its error does not count then.
// It is started again when the process leads again, see [WithRecoveryDeadline]. It contradicts [LeasePerController].
func OnlyLeader() RunOption { return func(r *runnable) { r.when = onlyLeader } }

// Run adds a function that runs alongside the controllers, in each process: from when all caches have synced until all controllers have
// ended. It must return soon when its context is done. If it returns an error before that, the manager ends with it; nil means that
// it has nothing more to do.
func (m *Manager) Run(name string, run func(ctx context.Context) error, options ...RunOption) {
	r := runnable{name: name, run: run}
	for _, option := range options {
		option(&r)
	}
	m.runnables = append(m.runnables, r)
}

// group runs functions until one of them fails or it is ended.
type group struct {
	ctx    context.Context
	cancel context.CancelFunc
	fail   context.CancelCauseFunc
	all    sync.WaitGroup

	lock sync.Mutex
	errs []error
}

// newGroup returns a group, which calls fail with the first error of a function.
func newGroup(ctx context.Context, fail context.CancelCauseFunc) *group {
	g := &group{fail: fail}
	g.ctx, g.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return g
}

// start runs a function until the group ends.
func (g *group) start(name string, run func(context.Context) error) {
	g.all.Go(func() {
		ctx := klog.NewContext(g.ctx, klog.LoggerWithName(klog.FromContext(g.ctx), name))
		err := run(ctx)
		if err == nil || g.ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return
		}
		err = fmt.Errorf("%s: %w", name, err)
		g.lock.Lock()
		g.errs = append(g.errs, err)
		g.lock.Unlock()
		g.fail(err)
	})
}

// end cancels the context of the functions, waits for them, and returns their errors.
func (g *group) end() error {
	g.cancel()
	g.all.Wait()
	return errors.Join(g.errs...)
}
