package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/member"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/terms"
)

// membership is one time for which the process takes part in its group. What it reconciles in that time belongs to terms, which end with
// the fence.
type membership struct {
	replicas *replicas
	shares   map[string]*sharing.Share

	lock  sync.Mutex
	until time.Time
	// closing ends the terms with the fence.
	closing *time.Timer
	member  *terms.Term
	leader  *terms.Term
	over    bool
}

var _ member.Work = &membership{}

func newMembership(g *replicas) *membership {
	m := &membership{replicas: g, shares: g.used()}
	for _, share := range m.shares {
		share.Begin(g.manager.fail)
	}
	return m
}

// fail ends the process.
func (m *Manager) fail(err error) {
	select {
	case m.lost <- err:
	default: // it ends already
	}
}

var errFenced = errors.New("the process has not renewed its Leases, and other replicas may serve its objects")

// expired returns an error if others may write.
func (m *membership) expired() error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.over || !m.until.After(member.Now()) {
		return errFenced
	}
	return nil
}

// Fence implements member.Work.
func (m *membership) Fence(until time.Time) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.until = until
	if m.member == nil {
		m.member = m.replicas.member.Begin(m.expired)
	}
	left := until.Sub(member.Now())
	if m.closing == nil {
		m.closing = time.AfterFunc(left, m.close)
		return
	}
	m.closing.Reset(left)
}

// close ends the terms when the fence has closed: requests in flight are canceled.
func (m *membership) close() {
	if m.expired() != nil {
		m.terminate()
	}
}

// terminate ends the terms, and returns them.
func (m *membership) terminate() (ended []*terms.Term) {
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
func (m *membership) Open(controller string, buckets shards.Set, opened func(shards.Set)) {
	m.shares[controller].Open(buckets.Has, func(has sharing.Has) {
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
func (m *membership) Close(controller string, buckets shards.Set, drained func()) {
	m.shares[controller].Close(buckets.Has, drained)
}

// Lead implements member.Work.
func (m *membership) Lead() {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.leader = m.replicas.coordinator.Begin(m.expired)
}

// Follow implements member.Work.
func (m *membership) Follow(followed func()) {
	m.lock.Lock()
	term := m.leader
	m.lock.Unlock()
	go func() {
		<-term.End()
		followed()
	}()
}

// Unserved implements member.Work.
func (m *membership) Unserved(controllers []string) { m.replicas.setUnserved(controllers) }

// errStuck is the error of a membership whose work has not returned. Others may do the same work.
var errStuck = errors.New("reconciles or OnlyLeader functions have not returned")

// end ends what the membership has started. It returns an error if something has not returned when others may have its objects.
func (m *membership) end(ctx context.Context) error {
	ended := m.terminate()
	for _, share := range m.shares {
		share.End(terms.ErrOver)
	}
	m.lock.Lock()
	left := m.until.Sub(member.Now())
	m.lock.Unlock()
	patience := time.NewTimer(max(left, leaving))
	defer patience.Stop()
	for _, term := range ended {
		select {
		case <-term.End():
		case <-ctx.Done():
			return nil
		case <-patience.C:
			return errStuck
		}
	}
	return nil
}
