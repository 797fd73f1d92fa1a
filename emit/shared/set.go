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
	// cancel ends the last run, and done is closed when it has ended; nil if there was none.
	cancel context.CancelFunc
	done   chan struct{}
	ctx    context.Context
	// holders counts the calls of Acquire that were not released; held says that the run belongs to them.
	holders int
	held    bool
	// awaited says that StartWhenServed runs the informer, unserved that the API server does not know its resource now.
	awaited, unserved bool
}

// NewSet returns an empty Set.
func NewSet() *Set { return &Set{changed: newBroadcast(), members: map[Key]*member{}} }

// New returns an informer that belongs to the Set.
func (s *Set) New(kind Kind, options Options) *Informer { return newInformer(kind, options, s.changed) }

// Informer returns the informer for a key. If there is none, create makes it.
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

// Start runs all informers that do not run, until ctx is done. Those of StartWhenServed are left to it.
func (s *Set) Start(ctx context.Context) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, key := range s.order {
		if m := s.members[key]; !m.awaited {
			s.launch(ctx, m, false)
		}
	}
}

// launch runs an informer, if it does not run. The caller holds the lock.
func (s *Set) launch(ctx context.Context, m *member, held bool) {
	if s.shuttingDown || m.running() || m.own == nil && m.done != nil {
		return // client-go's own informers run once
	}
	before := m.done
	m.ctx, m.cancel = context.WithCancel(ctx)
	m.done, m.held = make(chan struct{}), held
	if m.own != nil {
		m.own.expectSync() // Wait may be called before the goroutine below runs
	}
	ctx, done := m.ctx, m.done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		m.informer.RunWithContext(ctx)
	}()
}

// running reports whether the informer was started and its context is not done.
func (m *member) running() bool { return m.ctx != nil && m.ctx.Err() == nil }

// Stop stops an informer and waits until its handlers have returned; so no handler may call it. Start runs it again.
func (s *Set) Stop(key Key) error {
	m, err := s.member(key)
	if err != nil {
		return err
	}
	s.lock.Lock()
	cancel, done := m.cancel, m.done
	s.lock.Unlock()
	if cancel == nil {
		return nil
	}
	cancel()
	<-done
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

// Acquire runs an informer until release is called as often as Acquire was. The end of ctx does not stop it. An informer
// that Start has started goes on until the end of Start's context.
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
	s.launch(context.WithoutCancel(ctx), m, true)
	return sync.OnceFunc(func() {
		s.lock.Lock()
		m.holders--
		last := m.holders == 0 && m.held
		cancel, done := m.cancel, m.done
		s.lock.Unlock()
		if last {
			cancel()
			<-done
		}
	}), nil
}

// Shutdown keeps informers from starting, and waits for those that run. Their contexts are ended by the caller; those which
// Acquire has started end here.
func (s *Set) Shutdown() {
	for _, m := range s.shutDown() {
		<-m
	}
}

func (s *Set) shutDown() (running []chan struct{}) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.shuttingDown = true
	for _, m := range s.members {
		if m.held {
			m.cancel()
		}
		if m.done != nil {
			running = append(running, m.done)
		}
	}
	return running
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
// none. Done is called when all have changed.
func (s *Set) SetNamespaces(ctx context.Context, scoped func(schema.GroupVersionResource) bool, namespaces []string, done func()) error {
	s.scoping.Lock()
	defer s.scoping.Unlock()
	informers := slices.DeleteFunc(s.own(), func(i *Informer) bool { return !scoped(i.kind.Resource) })
	before := make([][]string, len(informers))
	errs := make([]error, len(informers))
	var wg sync.WaitGroup
	for n, informer := range informers {
		before[n] = informer.Namespaces()
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[n] = informer.SetNamespaces(ctx, namespaces...)
		}()
	}
	wg.Wait()
	err := errors.Join(errs...)
	if err == nil {
		done()
		return nil
	}
	// Those that could change go back. Their old namespaces may not be waited for: ctx may be done.
	for n, informer := range informers {
		if errs[n] == nil {
			informer.reset(before[n])
		}
	}
	return err
}
