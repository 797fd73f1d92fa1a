package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/release"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/synced"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// errStopped is the cause of the end of a manager whose context is done.
var errStopped = errors.New("the manager is stopping")

// eventPatience is how long Start waits at its end for events to be written.
const eventPatience = 3 * time.Second

// Start runs everything until ctx is done, and returns when everything has ended: nil, or the errors of failed functions and controllers.
// It can be called once. The order is:
//
//  1. the listeners for probes, metrics and debugging; an address in use is an error
//  2. functions of Run with [BeforeCaches]
//  3. informers fill the caches, functions of Prepare run
//  4. the other functions of Run; from now on, the manager competes for its leases
//  5. controllers, and functions of Run with [OnlyLeader], when the leases are held
//
// It ends in the opposite order: controllers take no more objects, and finish those in flight, see controller.WithDrainTimeout. Then the
// leases are released, and events are written. If a lease is lost, reconciles and functions of OnlyLeader are canceled, and the manager
// competes again, see [WithRecoveryDeadline]. If they do not return in time, Start returns an error at once, while they may be in flight:
// then the process must exit.
func (m *Manager) Start(ctx context.Context) (err error) {
	m.lock.Lock()
	again := m.started
	m.started = true
	m.lock.Unlock()
	if again {
		return errors.New("the manager has already been started")
	}
	defer m.informerName.Release()
	defer m.recording.End(0)
	running, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer fail(nil)
	defer context.AfterFunc(ctx, func() { fail(errStopped) })()

	for _, r := range m.runnables {
		if r.when == onlyLeader && m.settings.leasePerController {
			return fmt.Errorf("%s would never run: OnlyLeader contradicts LeasePerController", r.name)
		}
	}
	if release.DropsManagedFields(m.config) && m.factory.KeepsManagedFields() {
		return errors.New("informer.WithManagedFields finds none: rest.Config.DropManagedFields asks the server to omit them. Unset the one " +
			"or leave out the other")
	}
	if err := m.newLeases(); err != nil {
		return err
	}
	serving := newGroup(ctx, fail)
	if err := m.serve(serving); err != nil {
		return errors.Join(err, serving.end())
	}
	if err := m.recording.Start(ctx); err != nil {
		return errors.Join(err, serving.end())
	}
	m.lost = make(chan error, len(m.leaderships)+1)
	ended := make(chan error, 1)
	go func() { ended <- m.run(running, fail) }()
	select {
	case err = <-ended:
	case err = <-m.lost: // another process may lead: everything else ends in the background, unless the process exits first
		m.lock.Lock()
		m.leaseLost = true
		m.lock.Unlock()
		serving.cancel()
		return err
	}
	m.recording.End(eventPatience)
	return errors.Join(err, serving.end())
}

// run runs everything but what Start does, until running is done.
func (m *Manager) run(running context.Context, fail context.CancelCauseFunc) error {
	running = terms.OfProcess(running)
	first, others, controllers := newGroup(running, fail), newGroup(running, fail), newGroup(running, fail)
	m.startRunnables(first, beforeCaches)
	for _, c := range m.controllers {
		controllers.start("controller", c.Run)
	}
	m.factory.StartWithContext(context.WithoutCancel(running))
	err := m.sync(running)
	if err == nil && running.Err() == nil {
		m.startRunnables(others, afterCaches)
		for _, r := range m.runnables {
			if r.when == onlyLeader {
				others.start(r.name, func(ctx context.Context) error { return m.leadershipOf("").while(ctx, r.run) })
			}
		}
		m.setSynced(true)
		klog.FromContext(running).Info("All caches have synced", "controllers", len(m.controllers))
		release := m.elect(running)
		defer release()
		<-running.Done()
	}
	m.setSynced(false)
	errs := []error{err, controllers.end(), others.end(), first.end()}
	m.factory.Shutdown()
	return errors.Join(errs...)
}

// elect competes for the leases. Only now, since a process whose caches do not sync must not keep another one from leading. m.lost
// receives an error if the process must end because of a lease.
func (m *Manager) elect(ctx context.Context) (release func()) {
	electing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var candidates sync.WaitGroup
	candidate := func(run func(context.Context) error) {
		candidates.Go(func() {
			if err := run(electing); err != nil {
				m.fail(err)
			}
		})
	}
	if m.replicas != nil {
		candidate(m.replicas.run)
	} else {
		for _, l := range m.leaderships {
			candidate(l.run)
		}
	}
	return func() {
		cancel()
		candidates.Wait()
	}
}

// fail ends the process.
func (m *Manager) fail(err error) {
	select {
	case m.lost <- err:
	default: // it ends already
	}
}

func (m *Manager) setSynced(synced bool) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.synced = synced
}

func (m *Manager) startRunnables(in *group, when stage) {
	for _, r := range m.runnables {
		if r.when == when {
			in.start(r.name, r.run)
		}
	}
}

// sayEvery is how often the log says what keeps controllers from starting.
const sayEvery = 10 * time.Second

// sync waits until all caches have synced and all functions of Prepare have returned, or running is done.
func (m *Manager) sync(running context.Context) (err error) {
	prepared, others := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(prepared)
		var preparing sync.WaitGroup
		for _, prepare := range m.preparing {
			preparing.Go(prepare)
		}
		preparing.Wait()
	}()
	go func() {
		defer close(others)
		err = m.syncFactory(running)
	}()
	said := time.NewTicker(sayEvery)
	defer said.Stop()
	waits := []<-chan struct{}{others, prepared}
	for _, c := range m.controllers {
		waits = append(waits, c.Synced())
	}
	for len(waits) > 0 {
		select {
		case <-waits[0]:
			waits = waits[1:]
			if err != nil { // written before others is closed, which is the first to be waited for
				return err
			}
		case <-said.C:
			m.sayWaiting(running)
		case <-running.Done():
			<-others
			return nil
		}
	}
	return nil
}

// sayWaiting logs what keeps controllers from starting.
func (m *Manager) sayWaiting(running context.Context) {
	reasons := m.unsynced()
	if len(reasons) == 0 {
		reasons = []string{"functions of Prepare"}
	}
	klog.FromContext(running).Info("Waiting for caches", "reasons", strings.Join(reasons, "; "))
}

// syncTimeout is how long informers may take that no controller watches; controllers have one of their own, see
// controller.WithSyncTimeout.
const syncTimeout = 2 * time.Minute

// syncFactory waits for all informers, also informers that no controller watches. It returns an error after the timeout.
func (m *Manager) syncFactory(running context.Context) error {
	if len(m.factory.Describe()) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(running, syncTimeout)
	defer cancel()
	if err := synced.Factory(ctx, m.factory); err != nil && running.Err() == nil {
		return err
	}
	return nil
}

// unsynced says why caches have not synced.
func (m *Manager) unsynced() (reasons []string) {
	for _, informer := range m.factory.Describe() {
		switch {
		case informer.Synced:
		case informer.LastError != "":
			reasons = append(reasons, informer.LastError)
		default:
			reasons = append(reasons, informer.Resource+" is being listed")
		}
	}
	return slices.Compact(reasons)
}
