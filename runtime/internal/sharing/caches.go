package sharing

import (
	"context"
	"time"

	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// keepCaches makes the caches follow the buckets until ctx is done. A bucket that closes and opens again is dropped and listed anew: its
// objects may have changed meanwhile, and the list has to begin after the changes by others.
func (s *Share) keepCaches(ctx context.Context) {
	var held [Buckets]bool
	for {
		select {
		case <-s.changed:
		case <-ctx.Done():
			return
		}
		drop, list, openings := s.plan()
		for bucket := range held {
			held[bucket] = held[bucket] && !drop[bucket]
		}
		if !s.hold(ctx, held) {
			return
		}
		for bucket := range held {
			held[bucket] = held[bucket] || list[bucket]
		}
		if !s.hold(ctx, held) {
			return
		}
		s.open(ctx, openings)
	}
}

// plan returns the buckets to drop, those to list then, and the openings that end with that.
func (s *Share) plan() (drop, list [Buckets]bool, openings []*change) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for bucket := range s.states {
		drop[bucket] = s.stale[bucket] || s.states[bucket] == absent || s.states[bucket] == closing
		list[bucket] = s.states[bucket] == opening || s.states[bucket] == open
		s.stale[bucket] = false
	}
	openings, s.openings = s.openings, nil
	return drop, list, openings
}

// retryEvery is the time between attempts to change the caches.
const retryEvery = time.Second

// hold lets the caches have the objects of buckets. It tries until ctx is done.
func (s *Share) hold(ctx context.Context, buckets [Buckets]bool) bool {
	arcs := arcsOf(buckets)
	for ctx.Err() == nil {
		err := s.factory.SetShards(ctx, arcs...)
		if err == nil {
			return true
		}
		if ctx.Err() == nil {
			klog.FromContext(ctx).Error(err, "Cannot list buckets, retrying", "controller", s.name)
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
		}
	}
	return false
}

// arcsOf returns buckets as arcs.
func arcsOf(buckets [Buckets]bool) (arcs []informer.Arc) {
	for bucket := 0; bucket < Buckets; bucket++ {
		if !buckets[bucket] {
			continue
		}
		first := bucket
		for bucket+1 < Buckets && buckets[bucket+1] {
			bucket++
		}
		arcs = append(arcs, informer.Arc{First: uint8(first), Last: uint8(bucket)}) //nolint:gosec // below 256
	}
	return arcs
}

// open lets the objects of listed buckets be reconciled.
func (s *Share) open(ctx context.Context, openings []*change) {
	for _, c := range openings {
		s.lock.Lock()
		prepare, enqueue := s.user.Opened, s.user.Enqueue
		s.lock.Unlock()
		prepare(ctx, func(bucket int) bool { return c.buckets[bucket] })
		if ctx.Err() != nil {
			return
		}
		opened, ready := s.release(c)
		for name, p := range ready {
			enqueue(name, p.urgent)
		}
		c.done(opened)
		signal(s.came)
	}
}

// release opens the buckets of an opening that have not closed meanwhile, and returns the objects that wait for them.
func (s *Share) release(c *change) (opened Has, ready map[cache.ObjectName]parked) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for bucket := range c.buckets {
		c.buckets[bucket] = c.buckets[bucket] && s.states[bucket] == opening && s.reopened[bucket] == c.reopened[bucket]
		if c.buckets[bucket] {
			s.set(bucket, open)
		}
	}
	ready = map[cache.ObjectName]parked{}
	for name, p := range s.parked {
		if s.states[p.bucket] == open {
			ready[name] = p
			delete(s.parked, name)
		}
	}
	return func(bucket int) bool { return c.buckets[bucket] }, ready
}
