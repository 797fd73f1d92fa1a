package shared

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Set holds the informers of a factory, one for each key, and runs them.
type Set struct {
	changed *broadcast

	lock    sync.Mutex
	members map[Key]*member
	// order are the keys in the order in which they were asked for.
	order        []Key
	shuttingDown bool
	// scoping lets namespaces change once at a time.
	scoping sync.Mutex
}

// Key says which informer is meant: that for the objects of a type, or for their metadata alone.
type Key struct {
	Type     reflect.Type
	Metadata bool
}

// String returns the type, and whether it stands for metadata.
func (k Key) String() string {
	if k.Metadata {
		return fmt.Sprintf("%v (metadata)", k.Type)
	}
	return k.Type.String()
}

// member is an informer of a Set.
type member struct {
	informer cache.SharedIndexInformer
	// own is the informer, if it is one of this package's; a caller of InformerFor may bring any.
	own *Informer
	// ctx, cancel and done are those of the last run; nil before the first. Done is closed when the run has ended.
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	// started is the context of the last Start; nil if there was none, or Stop came after it.
	started context.Context
	// holders counts the calls of Acquire that were not released.
	holders int
	// awaited says that StartWhenServed runs the informer, unserved that the API server does not serve its resource now.
	awaited, unserved bool
}

// running reports whether the last run goes on.
func (m *member) running() bool { return m.ctx != nil && m.ctx.Err() == nil }

// wanted reports whether anybody still needs the informer to run.
func (m *member) wanted() bool {
	return m.awaited || m.holders > 0 || m.started != nil && m.started.Err() == nil
}

// NewSet returns an empty Set.
func NewSet() *Set { return &Set{changed: newBroadcast(), members: map[Key]*member{}} }

// New returns an informer that belongs to the Set.
func (s *Set) New(kind Kind, options Options) *Informer { return newInformer(kind, options, s.changed) }

// Informer returns the informer for a key, and calls create to make it the first time.
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

// Own returns the Informer in an informer, which may be wrapped in typed form; nil if it is another's.
func Own(informer cache.SharedIndexInformer) *Informer {
	own, _ := informer.GetController().(controller)
	return own.Informer
}

// Start runs all informers that are not running, until ctx is done. It leaves those of StartWhenServed alone.
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

// launch runs an informer, if it is not running, until nobody needs it. The caller holds the lock.
func (s *Set) launch(ctx context.Context, m *member) {
	if s.shuttingDown || m.running() || !m.wanted() || m.own == nil && m.done != nil {
		return // client-go's own informers run once
	}
	if m.own != nil {
		m.own.expectSync() // Wait may be called before the informer runs
	}
	s.spawn(context.WithoutCancel(ctx), m, m.informer.RunWithContext)
}

// spawn runs a member in the background, after its last run. The caller holds the lock.
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

// settle ends the run of an informer that nobody needs. Done is closed when the run has ended; nil if there was none.
func (s *Set) settle(m *member) (done <-chan struct{}, ended bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if m.done == nil || m.wanted() {
		return m.done, false
	}
	m.cancel()
	return m.done, true
}

// Stop stops an informer and waits until its handlers have returned, so handlers must not call it. Start runs it again.
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
		return nil, fmt.Errorf("there is no informer for %v: nobody has asked for it", key)
	}
	return m, nil
}

// Acquire runs an informer until release has been called for each Acquire, and until the end of Start's context if Start was
// called too. The end of ctx does not stop it.
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
		m.holders = max(0, m.holders-1) // Shutdown has released all
		s.lock.Unlock()
		if done, ended := s.settle(m); ended {
			<-done
		}
	}), nil
}

// Shutdown keeps informers from starting and waits for those that run. The caller ends the contexts of Start and
// StartWhenServed before; calls of Acquire count as released.
func (s *Set) Shutdown() {
	s.lock.Lock()
	s.shuttingDown = true
	members := slices.Collect(maps.Values(s.members))
	for _, m := range members {
		m.holders = 0
	}
	s.lock.Unlock()
	for _, m := range members {
		if done, _ := s.settle(m); done != nil {
			<-done
		}
	}
}

// Sync is what Wait returns.
type Sync struct {
	// Synced says for the type of each informer whether its store has all objects.
	Synced map[reflect.Type]bool
	// Err is why not all have: the reasons by resource and namespace, joined with the cause of the context's end, if it has
	// ended.
	Err error
}

// gracePeriod is how long Wait waits after an error that is likely to last: others may follow, and be worth reading.
const gracePeriod = time.Second

// foreignPoll is how often informers that are not of this package are asked whether they have synced.
const foreignPoll = 100 * time.Millisecond

// Wait waits until the stores of all informers have all objects. It returns before if an informer was not started, or none
// was asked for; if ctx is done; and a second after the API server's answer to a list is an error that is likely to
// last. The informers go on trying. Informers of StartWhenServed whose resource is not served are not waited for.
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
			return Sync{progress.synced, joinErrors(errors.New("not all objects can be listed"), progress.failures)}
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

// progress is how far the informers of a Set are.
type progress struct {
	synced map[reflect.Type]bool
	done   bool
	// invalid is why waiting makes no sense.
	invalid  error
	failures []*Error
	lasting  bool
	// foreign says that an informer that is not of this package has not synced.
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
		result.invalid = errors.New("no informer was asked for: call Informer or Lister of a kind, then Start")
	case len(idle) > 0:
		result.invalid = fmt.Errorf("not started: %s; call Start after asking for informers, and again after asking for more", strings.Join(idle, ", "))
	}
	return result
}

// both reports whether an informer for the other form of the type was asked for before.
func (s *Set) both(key Key) bool {
	other := Key{key.Type, !key.Metadata}
	_, exists := s.members[other]
	return exists && slices.Index(s.order, other) < slices.Index(s.order, key)
}

// Errors returns what keeps informers from listing and watching at present.
func (s *Set) Errors() (failures []*Error) {
	for _, m := range s.own() {
		failures = append(failures, m.Errors()...)
	}
	return failures
}

// own returns the informers of this package.
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

// SetNamespaces changes the namespaces of all informers for which scoped is true: all of them or, if there is an error,
// none. Set changes the namespaces for informers that are created from now on.
func (s *Set) SetNamespaces(ctx context.Context, scoped func(schema.GroupVersionResource) bool, namespaces []string, set func([]string) (before []string)) error {
	s.scoping.Lock()
	defer s.scoping.Unlock()
	before := set(namespaces)
	err := s.setNamespaces(ctx, scoped, namespaces)
	if err == nil {
		return nil
	}
	// Informers that could change go back, without waiting: ctx may be done.
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
