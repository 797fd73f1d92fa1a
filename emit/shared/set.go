package shared

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Set has the informers of a factory, one for each key, and runs them.
type Set struct {
	changed *broadcast

	lock    sync.Mutex
	members map[Key]*member
	// order has the keys in the order in which informers were requested.
	order        []Key
	shuttingDown bool
	// scoping serializes changes of namespaces.
	scoping sync.Mutex
}

// Key identifies an informer, for the objects of a type or only for their metadata.
type Key struct {
	Type     reflect.Type
	Metadata bool
}

// String returns the type, and whether the informer is for metadata.
func (k Key) String() string {
	if k.Metadata {
		return fmt.Sprintf("%v (metadata)", k.Type)
	}
	return k.Type.String()
}

// member is an informer of a Set.
type member struct {
	informer cache.SharedIndexInformer
	// own is the informer, if this package created it. Callers of InformerFor may pass any informer.
	own *Informer
	// ctx, cancel and done belong to the last run and are nil before the first. Done is closed when the run has ended.
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	// started is the context of the last Start, or nil if there was none, or if Stop was called after it.
	started context.Context
	// holders is the number of Acquire calls that have not been released.
	holders int
	// awaited is set if StartWhenServed runs the informer, and unserved while the API server does not serve its resource.
	awaited, unserved bool
}

// running reports whether there is a run that has not been cancelled.
func (m *member) running() bool { return m.ctx != nil && m.ctx.Err() == nil }

// wanted reports whether the informer should be running.
func (m *member) wanted() bool {
	return m.awaited || m.holders > 0 || m.started != nil && m.started.Err() == nil
}

// NewSet returns an empty Set.
func NewSet() *Set { return &Set{changed: newBroadcast(), members: map[Key]*member{}} }

// New returns an informer that belongs to the Set.
func (s *Set) New(kind Kind, options Options) *Informer { return newInformer(kind, options, s.changed) }

// Informer returns the informer for a key. The first call calls create.
func (s *Set) Informer(key Key, create func() cache.SharedIndexInformer) cache.SharedIndexInformer {
	s.lock.Lock()
	defer s.lock.Unlock()
	if m, ok := s.members[key]; ok {
		return m.informer
	}
	m := &member{informer: create()}
	m.own = Own(m.informer)
	s.members[key] = m
	s.order = append(s.order, key)
	return m.informer
}

// Own returns the Informer behind an informer, which may be in typed form, or nil if this package did not create it.
func Own(informer cache.SharedIndexInformer) *Informer {
	own, _ := informer.GetController().(controller)
	return own.Informer
}

// Start runs all informers that are not running, until ctx is done. It ignores informers of StartWhenServed.
func (s *Set) Start(ctx context.Context) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, key := range s.order {
		m := s.members[key]
		if m.awaited || m.started != nil && m.started.Err() == nil {
			continue
		}
		m.started = ctx
		context.AfterFunc(ctx, func() { s.settle(m) })
		s.launch(ctx, m)
	}
}

// launch starts an informer that is wanted and not running. The caller holds the lock.
func (s *Set) launch(ctx context.Context, m *member) {
	if s.shuttingDown || m.running() || !m.wanted() || m.own == nil && m.done != nil {
		return // client-go's informers can only run once
	}
	if m.own != nil {
		m.own.expectSync() // Wait may be called before the informer runs
	}
	s.spawn(context.WithoutCancel(ctx), m, m.informer.RunWithContext)
}

// spawn runs a member in the background when its last run has ended. The caller holds the lock.
func (s *Set) spawn(ctx context.Context, m *member, run func(context.Context)) {
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

// settle ends the run of an informer that is not wanted, and reports whether it did. It also returns a channel that is closed
// when the last run has ended, or nil if there was none.
func (s *Set) settle(m *member) (done <-chan struct{}, ended bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if m.done == nil || m.wanted() {
		return m.done, false
	}
	m.cancel()
	return m.done, true
}

// Stop stops an informer and waits until its handlers have returned, so handlers must not call it. Start restarts the informer.
func (s *Set) Stop(key Key) error {
	m, err := s.member(key)
	if err != nil {
		return err
	}
	s.lock.Lock()
	m.started = nil
	cancel, done := m.cancel, m.done
	s.lock.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
	return nil
}

func (s *Set) member(key Key) (*member, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	m, ok := s.members[key]
	if !ok {
		return nil, fmt.Errorf("no informer for %v: request it first", key)
	}
	return m, nil
}

// Acquire runs an informer until every caller has called release and, if Start was called too, Start's context is done. It does
// not stop when ctx is done.
func (s *Set) Acquire(ctx context.Context, key Key) (release func(), err error) {
	m, err := s.member(key)
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.shuttingDown {
		return nil, errors.New("the factory is shut down")
	}
	m.holders++
	s.launch(ctx, m)
	return sync.OnceFunc(func() {
		s.lock.Lock()
		m.holders--
		s.lock.Unlock()
		if done, ended := s.settle(m); ended {
			<-done
		}
	}), nil
}

// Shutdown stops all informers for good and waits until their handlers have returned, so handlers must not call it. The contexts of
// Start, StartWhenServed and Acquire need not be done.
func (s *Set) Shutdown() {
	s.lock.Lock()
	s.shuttingDown = true
	var ends []<-chan struct{}
	for _, m := range s.members {
		if m.cancel != nil {
			m.cancel()
			ends = append(ends, m.done)
		}
	}
	s.lock.Unlock()
	for _, end := range ends {
		<-end
	}
}

// Sync is the result of Wait.
type Sync struct {
	// Synced reports, by type, whether each informer has synced.
	Synced map[reflect.Type]bool
	// Err is nil if all have synced. Otherwise it joins the reasons by resource and namespace with the cause of the context,
	// if it is done.
	Err error
}

// gracePeriod is how long Wait waits after an error that is likely to persist, to collect further errors.
const gracePeriod = time.Second

// foreignPoll is how often Wait checks informers that this package did not create.
const foreignPoll = 100 * time.Millisecond

// Wait waits until all informers have synced. It returns early if no informer was requested or one was not started; if ctx is
// done; and one second after an error that is likely to persist. Informers keep retrying. Wait ignores informers of
// StartWhenServed whose resource is not served.
func (s *Set) Wait(ctx context.Context) Sync {
	var grace <-chan time.Time
	over := false
	for {
		changed := s.changed.wait()
		progress := s.progress()
		switch {
		case progress.invalid != nil:
			return Sync{progress.synced, progress.invalid}
		case progress.done:
			return Sync{progress.synced, nil}
		case progress.lasting && over:
			return Sync{progress.synced, joinErrors(errors.New("informers cannot sync"), progress.failures)}
		case progress.lasting && grace == nil:
			grace = time.After(gracePeriod)
		}
		var poll <-chan time.Time
		if progress.foreign {
			poll = time.After(foreignPoll)
		}
		select {
		case <-changed:
		case <-poll:
		case <-grace:
			grace, over = nil, true
		case <-ctx.Done():
			if progress = s.progress(); progress.done {
				return Sync{progress.synced, nil}
			}
			return Sync{progress.synced, joinErrors(context.Cause(ctx), progress.failures)}
		}
	}
}

// progress is the state of the informers of a Set, for Wait.
type progress struct {
	synced map[reflect.Type]bool
	done   bool
	// invalid is set if waiting is pointless.
	invalid  error
	failures []*Error
	lasting  bool
	// foreign is set if an informer that this package did not create has not synced.
	foreign bool
}

func (s *Set) progress() progress {
	s.lock.Lock()
	defer s.lock.Unlock()
	result := progress{synced: map[reflect.Type]bool{}, done: true}
	var idle []string
	for _, key := range s.order {
		m := s.members[key]
		if m.unserved {
			continue
		}
		synced := m.informer.HasSynced()
		result.synced[key.Type] = synced && (result.synced[key.Type] || !s.both(key))
		if synced {
			continue
		}
		result.done = false
		if !m.running() && !m.awaited && (m.own == nil || !m.own.isRunning()) {
			idle = append(idle, key.String())
		}
		if m.own == nil {
			result.foreign = true
			continue
		}
		failures, lasting := m.own.unsynced()
		result.failures = append(result.failures, failures...)
		result.lasting = result.lasting || lasting
	}
	switch {
	case len(s.order) == 0:
		result.invalid = errors.New("no informer was requested: call Informer or Lister of a kind, then Start")
	case len(idle) > 0:
		result.invalid = fmt.Errorf("not started: %s; call Start after requesting informers, and again after requesting more", strings.Join(idle, ", "))
	}
	return result
}

// both reports whether an informer for the other form of a type, objects or metadata, was requested before.
func (s *Set) both(key Key) bool {
	other := Key{key.Type, !key.Metadata}
	_, exists := s.members[other]
	return exists && slices.Index(s.order, other) < slices.Index(s.order, key)
}

// Errors returns the current errors of lists and watches.
func (s *Set) Errors() (failures []*Error) {
	for _, m := range s.own() {
		failures = append(failures, m.Errors()...)
	}
	return failures
}

// own returns the informers that this package created.
func (s *Set) own() (informers []*Informer) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, key := range s.order {
		if m := s.members[key]; m.own != nil {
			informers = append(informers, m.own)
		}
	}
	return informers
}

// SetNamespaces changes the namespaces of all informers for which scoped returns true: all or, if there is an error, none. The
// function set changes the namespaces of informers that are created later.
func (s *Set) SetNamespaces(ctx context.Context, scoped func(schema.GroupVersionResource) bool, namespaces []string, set func([]string) (before []string)) error {
	s.scoping.Lock()
	defer s.scoping.Unlock()
	before := set(namespaces)
	err := s.setNamespaces(ctx, scoped, namespaces)
	if err == nil {
		return nil
	}
	// Revert the others, without waiting: ctx may be done.
	set(before)
	for _, informer := range s.scoped(scoped) {
		informer.reset(before)
	}
	return err
}

func (s *Set) scoped(scoped func(schema.GroupVersionResource) bool) []*Informer {
	return slices.DeleteFunc(s.own(), func(i *Informer) bool { return !scoped(i.kind.Resource) })
}

func (s *Set) setNamespaces(ctx context.Context, scoped func(schema.GroupVersionResource) bool, namespaces []string) error {
	informers := s.scoped(scoped)
	errs := make([]error, len(informers))
	var wg sync.WaitGroup
	for n, informer := range informers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[n] = informer.SetNamespaces(ctx, namespaces...)
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}
