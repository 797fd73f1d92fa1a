// Package sharing has the part of the objects of a controller that a replica serves, while others serve the rest. Objects are divided into
// buckets by their UIDs; docs/designs/shards.md says how replicas agree on who serves which.
package sharing

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/leading"
)

// Buckets is the number of buckets, see [informer.BucketOf].
const Buckets = 256

// Has reports whether a bucket is in a set.
type Has func(bucket int) bool

// state is the state of a bucket in this replica.
type state int

const (
	// absent: another replica may serve it.
	absent state = iota
	// opening: this replica has it, and lists its objects.
	opening
	// open: its objects are reconciled.
	open
	// closing: nothing of it begins, until all that has begun has ended.
	closing
)

// User is the controller.
type User struct {
	// Drain is how long reconciles may take to end when their bucket closes, before they are canceled.
	Drain time.Duration
	// Enqueue queues an object whose turn came too early.
	Enqueue func(name cache.ObjectName, urgent bool)
	// Opened is called after the objects of buckets have been listed, and before they are reconciled. The caches may lag behind what other
	// replicas have written.
	Opened func(ctx context.Context, buckets Has)
}

// Share is the part of a controller that this replica serves. All methods may be called concurrently. Nil is the share of a process that
// serves everything: it has only the methods for reconciles.
type Share struct {
	// Lead waits until the replica is a member.
	Lead leading.Lead

	name    string
	factory *informer.Factory

	lock   sync.Mutex
	user   User
	states [Buckets]state
	since  [Buckets]time.Time
	// reopened counts how often a bucket was opened, so that the end of an old list says nothing about a new one.
	reopened [Buckets]int
	// stale buckets have objects in the caches from before they closed.
	stale [Buckets]bool
	// entries are the reconciles that run, by bucket.
	entries map[*Entry]struct{}
	// parked are objects of opening buckets whose turn came too early, with their urgency.
	parked map[cache.ObjectName]parked
	// gone are names whose object was deleted in a bucket, and not reported yet.
	gone map[cache.ObjectName]int
	// closings wait for entries; openings for lists.
	closings []*change
	openings []*change
	// changed wakes the goroutine that changes the caches.
	changed chan struct{}
	// came has a value after buckets have opened.
	came chan struct{}
	// fail ends the process. It is nil while the replica is no member.
	fail func(error)
	// end ends the membership, ended is closed when its goroutines have returned.
	end   context.CancelFunc
	ended chan struct{}
}

type parked struct {
	bucket int
	urgent bool
}

// change is an opening or closing of buckets.
type change struct {
	buckets  [Buckets]bool
	reopened [Buckets]int
	done     func(Has)
	// timer cancels reconciles, and then ends the process.
	timer *time.Timer
}

// New returns a share without buckets of a controller, which lead waits for. Its caches have the given options, and no objects.
func New(name string, lead leading.Lead, options ...informer.Option) *Share {
	factory := informer.NewFactory(append(options, informer.WithShards())...)
	return &Share{
		Lead: lead, name: name, factory: factory, entries: map[*Entry]struct{}{}, parked: map[cache.ObjectName]parked{},
		gone: map[cache.ObjectName]int{}, changed: make(chan struct{}, 1),
		came: make(chan struct{}, 1),
	}
}

// Name returns the name of the controller.
func (s *Share) Name() string { return s.name }

// Factory returns the factory of the informers that hold the objects of open buckets, and their owned objects.
func (s *Share) Factory() *informer.Factory { return s.factory }

// Use sets the controller. It must be called before Begin.
func (s *Share) Use(user User) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.user = user
}

// Begin begins a membership, with no bucket. The function fail is called if reconciles do not return, and the process must end.
func (s *Share) Begin(fail func(error)) {
	ctx, end := context.WithCancel(context.Background())
	s.lock.Lock()
	defer s.lock.Unlock()
	s.fail, s.end, s.ended = fail, end, make(chan struct{})
	go func(ended chan struct{}) {
		defer close(ended)
		s.keepCaches(ctx)
	}(s.ended)
	s.wake()
}

// End drops all buckets at once, and cancels what runs in them. It returns when no goroutine of the membership is left.
func (s *Share) End(cause error) {
	s.lock.Lock()
	if s.end == nil {
		s.lock.Unlock()
		return
	}
	s.end()
	ended := s.ended
	for bucket := range s.states {
		s.stale[bucket] = s.stale[bucket] || s.states[bucket] != absent
		s.set(bucket, absent)
	}
	for entry := range s.entries {
		entry.refuse(fmt.Errorf("%w: %w", ErrHandedOver, cause))
	}
	for _, c := range s.closings {
		c.timer.Stop()
	}
	s.closings, s.openings, s.fail, s.end = nil, nil, nil, nil
	clear(s.parked)
	clear(s.gone)
	s.lock.Unlock()
	<-ended
}

func (s *Share) set(bucket int, to state) {
	s.states[bucket], s.since[bucket] = to, time.Now()
}

func (s *Share) wake() { signal(s.changed) }

// signal makes a receiver go on, now or when it receives next.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Used reports whether there is a controller, see Use.
func (s *Share) Used() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.user.Enqueue != nil
}

// Each calls a function whenever buckets have opened, until ctx is done; once, if there are none.
func (s *Share) Each(ctx context.Context, do func()) {
	if s == nil {
		do()
		return
	}
	for {
		select {
		case <-s.came:
			do()
		case <-ctx.Done():
			return
		}
	}
}

// Open lists buckets, and then lets their objects be reconciled. The function done is called then, with the buckets that have not closed
// meanwhile.
func (s *Share) Open(buckets Has, done func(opened Has)) {
	s.lock.Lock()
	defer s.lock.Unlock()
	c := &change{done: done}
	for bucket := range s.states {
		if buckets(bucket) {
			s.set(bucket, opening)
			s.reopened[bucket]++
			c.buckets[bucket], c.reopened[bucket] = true, s.reopened[bucket]
		}
	}
	s.openings = append(s.openings, c)
	s.wake()
}

// grace is how long canceled reconciles have to return before the process ends.
const grace = 10 * time.Second

// Close ends buckets: nothing of them begins any more. The function done, which must not block, is called when all that has begun has
// ended. After the drain timeout it is canceled, and if it has not returned ten seconds later, the process ends.
func (s *Share) Close(buckets Has, done func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	c := &change{done: func(Has) { done() }}
	for bucket := range s.states {
		if buckets(bucket) {
			s.set(bucket, closing)
			s.stale[bucket] = true
			c.buckets[bucket] = true
		}
	}
	for name, p := range s.parked {
		if c.buckets[p.bucket] {
			delete(s.parked, name)
		}
	}
	for name, bucket := range s.gone {
		if c.buckets[bucket] {
			delete(s.gone, name)
		}
	}
	c.timer = time.AfterFunc(s.user.Drain, func() { s.cancel(c) })
	s.closings = append(s.closings, c)
	s.settle()
	s.wake()
}

// ErrHandedOver is the cause of the end of reconciles whose bucket moves to another replica.
var ErrHandedOver = errors.New("another replica takes over the object")

// cancel cancels what runs in closing buckets, and ends the process if that does not help.
func (s *Share) cancel(c *change) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for entry := range s.entries {
		if c.buckets[entry.bucket] {
			entry.refuse(ErrHandedOver)
		}
	}
	if s.end != nil {
		c.timer = time.AfterFunc(grace, func() { s.giveUp(c) })
	}
}

// giveUp ends the process because reconciles do not return.
func (s *Share) giveUp(c *change) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for entry := range s.entries {
		if c.buckets[entry.bucket] && s.fail != nil {
			s.fail(fmt.Errorf("controller %s: the reconcile of %s has not returned %v after it was canceled: another replica waits for it",
				s.name, entry.name, grace))
			return
		}
	}
}

// settle calls done of closings without running reconciles. The caller holds the lock.
func (s *Share) settle() {
	var running [Buckets]bool
	for entry := range s.entries {
		running[entry.bucket] = true
	}
	rest := s.closings[:0:0]
	for _, c := range s.closings {
		if c.any(func(bucket int) bool { return running[bucket] }) {
			rest = append(rest, c)
			continue
		}
		c.timer.Stop()
		for bucket, in := range c.buckets {
			if in {
				s.set(bucket, absent)
			}
		}
		c.done(nil)
	}
	s.closings = rest
}

// any reports whether something holds for a bucket of the change.
func (c *change) any(holds func(bucket int) bool) bool {
	for bucket, in := range c.buckets {
		if in && holds(bucket) {
			return true
		}
	}
	return false
}

// Holds reports whether this replica has the bucket of an object, open or opening.
func (s *Share) Holds(uid types.UID) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	state := s.states[informer.BucketOf(uid)]
	return state == open || state == opening
}
