// Package terms has the times for which a process leads. The work of a leader belongs to a term, and ends with it.
package terms

import (
	"context"
	"errors"
	"sync"
)

// ErrOver is the cause of the end of contexts of a term.
var ErrOver = errors.New("the process does not lead any more")

// Term is a time for which the process leads. A term that is over does not begin again.
type Term struct {
	over context.Context
	end  context.CancelCauseFunc
	// expired returns an error if the leases have expired.
	expired func() error

	lock sync.Mutex
	// cancels end the contexts of all that have joined, and members is how many of them have not left.
	cancels []context.CancelCauseFunc
	members int
	// idle is closed when the term is over and all members have left.
	idle chan struct{}
}

// AfterFunc calls a function at the end of the term, unless stop is called first.
func (t *Term) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(t.over, f) }

// Allows reports whether the process leads: the term is not over, and its leases have not expired.
func (t *Term) Allows() bool { return t.over.Err() == nil && t.expired() == nil }

// Check returns an error if the leases have expired, but the term is not over yet.
func (t *Term) Check() error {
	if t.over.Err() != nil {
		return nil
	}
	return t.expired()
}

// End ends the term. The channel that it returns is closed when all members have left.
func (t *Term) End() (idle <-chan struct{}) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.over.Err() == nil {
		for _, cancel := range t.cancels { // at once: a refused writer must find its context done
			cancel(ErrOver)
		}
		t.end(ErrOver)
		t.tidy()
	}
	return t.idle
}

// tidy closes idle if nothing is left to wait for. The caller holds the lock.
func (t *Term) tidy() {
	if t.over.Err() != nil && t.members == 0 {
		close(t.idle)
	}
}

// join makes the caller a member, whose context is canceled at the end of the term, unless that is over.
func (t *Term) join(cancel context.CancelCauseFunc) (leave func(), ok bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.over.Err() != nil {
		return nil, false
	}
	t.cancels = append(t.cancels, cancel)
	t.members++
	return sync.OnceFunc(func() {
		t.lock.Lock()
		defer t.lock.Unlock()
		t.members--
		t.tidy()
	}), true
}

// Seat is the place of the leader, in which this process is from time to time. The zero value is an empty one.
type Seat struct {
	lock sync.Mutex
	// term is the last one, or nil.
	term *Term
	// taken is closed when the next term begins. It is nil if nobody waits.
	taken chan struct{}
}

// Begin begins a term. The last one must be over. The function returns an error if the leases have expired, so that another process may
// lead.
func (s *Seat) Begin(expired func() error) *Term {
	t := &Term{expired: expired, idle: make(chan struct{})}
	t.over, t.end = context.WithCancelCause(context.Background())
	s.lock.Lock()
	defer s.lock.Unlock()
	s.term = t
	if s.taken != nil {
		close(s.taken)
		s.taken = nil
	}
	return t
}

// Last returns the last term, or nil before the first.
func (s *Seat) Last() *Term {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.term
}

// Join waits until the process leads. The context that it returns has the values of ctx. It is done at the end of the term, but not when
// ctx is. The caller must call leave when whatever it does in the term has returned. If ctx is done first, Join returns its error.
func (s *Seat) Join(ctx context.Context) (term context.Context, leave func(), err error) {
	for ctx.Err() == nil {
		s.lock.Lock()
		current := s.term
		if s.taken == nil {
			s.taken = make(chan struct{})
		}
		taken := s.taken
		s.lock.Unlock()
		if current != nil {
			term, cancel := context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), key{}, origin{current}))
			if leave, ok := current.join(cancel); ok {
				return term, leave, nil
			}
			cancel(ErrOver)
		}
		select {
		case <-taken:
		case <-ctx.Done():
		}
	}
	return nil, nil, ctx.Err()
}

// state says whether requests that belong to no term may write.
type state int

const (
	neverLed state = iota
	leads
	// ending: the term is over, or its leases have expired, and not everything that belongs to it has returned.
	ending
	hasLed
)

func (s *Seat) state() state {
	t := s.Last()
	switch {
	case t == nil:
		return neverLed
	case t.Allows():
		return leads
	}
	select {
	case <-t.idle:
		return hasLed
	default:
		return ending
	}
}
