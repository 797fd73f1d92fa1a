// Package membership has the work of a process for the time for which it is a member of a group of replicas.
package membership

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/member"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// Config has the places and functions for a membership.
type Config struct {
	// Shares are the shares of sharded controllers, by their names.
	Shares map[string]*sharing.Share
	// Member is for sharded controllers, Coordinator for everything else. All terms end with the membership.
	Member, Coordinator *terms.Seat
	// Fail ends the process.
	Fail func(error)
	// Unserved receives the controllers that no replica serves.
	Unserved func([]string)
}

// Membership is one time for which the process takes part in its group. What it reconciles in that time belongs to terms, which end with
// the fence.
type Membership struct {
	config Config

	lock  sync.Mutex
	until time.Time
	// closing ends the terms with the fence.
	closing *time.Timer
	member  *terms.Term
	leader  *terms.Term
	over    bool
}

var _ member.Work = &Membership{}

// New begins a membership, which has nothing yet. It has to be ended.
func New(config Config) *Membership {
	for _, share := range config.Shares {
		share.Begin(config.Fail)
	}
	return &Membership{config: config}
}

var errFenced = errors.New("the process has not renewed its Leases, and other replicas may serve its objects")

// expired returns an error if others may write.
func (m *Membership) expired() error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.over || !m.until.After(sleepless.Now()) {
		return errFenced
	}
	return nil
}

// Fence implements member.Work.
func (m *Membership) Fence(until time.Time) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.until = until
	if m.member == nil {
		m.member = m.config.Member.Begin(m.expired)
	}
	left := until.Sub(sleepless.Now())
	if m.closing == nil {
		m.closing = time.AfterFunc(left, m.close)
		return
	}
	m.closing.Reset(left)
}

// close ends the terms when the fence has closed: requests in flight are canceled.
func (m *Membership) close() {
	if m.expired() != nil {
		m.terminate()
	}
}

// terminate ends the terms, and returns them.
func (m *Membership) terminate() (ended []*terms.Term) {
	m.lock.Lock()
	m.over = true
	if m.closing != nil {
		m.closing.Stop()
	}
	for _, term := range []*terms.Term{m.member, m.leader} {
		if term != nil {
			ended = append(ended, term)
		}
	}
	m.lock.Unlock()
	for _, term := range ended {
		term.End()
	}
	return ended
}

// Open implements member.Work.
func (m *Membership) Open(controller string, buckets shards.Set, opened func(shards.Set)) {
	m.config.Shares[controller].Open(buckets.Has, func(has sharing.Has) {
		var set shards.Set
		for bucket := range shards.Buckets {
			if has(bucket) {
				set.Add(bucket)
			}
		}
		opened(set)
	})
}

// Close implements member.Work.
func (m *Membership) Close(controller string, buckets shards.Set, drained func()) {
	m.config.Shares[controller].Close(buckets.Has, drained)
}

// Lead implements member.Work.
func (m *Membership) Lead() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.leader = m.config.Coordinator.Begin(m.expired)
}

// Follow implements member.Work.
func (m *Membership) Follow(followed func()) {
	m.lock.Lock()
	term := m.leader
	m.lock.Unlock()
	go func() {
		<-term.End()
		followed()
	}()
}

// Unserved implements member.Work.
func (m *Membership) Unserved(controllers []string) { m.config.Unserved(controllers) }

// Leaving is how long what belongs to a membership may take to return if others may have its objects already: the process was frozen.
const Leaving = time.Second

// ErrStuck is the error of a membership whose work has not returned. Others may do the same work.
var ErrStuck = errors.New("reconciles or OnlyLeader functions have not returned")

// End ends everything that the membership has started. It returns an error if something has not returned when others may have its objects.
func (m *Membership) End(ctx context.Context) error {
	ended := m.terminate()
	for _, share := range m.config.Shares {
		share.End(terms.ErrOver)
	}
	m.lock.Lock()
	left := m.until.Sub(sleepless.Now())
	m.lock.Unlock()
	patience := time.NewTimer(max(left, Leaving))
	defer patience.Stop()
	for _, term := range ended {
		select {
		case <-term.End():
		case <-ctx.Done():
			return nil
		case <-patience.C:
			return ErrStuck
		}
	}
	return nil
}
