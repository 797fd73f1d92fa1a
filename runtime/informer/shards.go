package informer

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/types"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/shared"
)

// Arc is the buckets from First to Last, both included. Objects are divided into 256 buckets, see [BucketOf].
type Arc struct{ First, Last uint8 }

// BucketOf returns the bucket of the object with a UID: the highest eight bits of the hash that shard selectors of the API server use
// (FNV-1a with 64 bits, KEP-5866).
func BucketOf(uid types.UID) uint8 { return arcs.BucketOf(string(uid)) }

// WithShards limits informers to the objects in some buckets, so that replicas can share the objects of a kind; without an arc, they have
// none. An API server with the feature ShardedListAndWatch (KEP-5866) sends no others: then each arc is listed and
// watched separately. Other servers send all objects, each once, and the informer drops objects of other arcs. All arcs share one cache.
// [Factory.SetShards] changes the arcs. Lists of arcs are never read from a cache of the API server.
func WithShards(buckets ...Arc) Option {
	set, err := setOf(buckets)
	option := fmt.Sprintf("WithShards(%s)", set)
	return func(s *settings) {
		if err != nil {
			s.errs = append(s.errs, fmt.Errorf("WithShards: %w", err))
			return
		}
		if s.give(settingShards, option) {
			s.shards = set
		}
	}
}

// WithShardLabel makes a label say in which bucket an object is, instead of its UID: the value is a number from 0 to 255. So objects can
// have the bucket of their owner. Every API server filters by labels. Objects without the label are in no arc.
func WithShardLabel(key string) Option {
	option := call("WithShardLabel", key)
	return func(s *settings) {
		if errs := content.IsLabelKey(key); len(errs) > 0 {
			s.errs = append(s.errs, fmt.Errorf("%s: %s", option, strings.Join(errs, "; ")))
			return
		}
		if s.give(settingShardLabel, option) {
			s.shardLabel = key
		}
	}
}

// SetShards changes the arcs of all informers, also of informers requested later, except for informers whose arcs are set by an option
// of [ForKind] or [For]. It waits until new arcs have synced, and then drops arcs that are no longer held: handlers receive a deletion
// for each of their objects, as a cache.DeletedFinalStateUnknown, and the added objects with initial set. Objects of arcs that stay are
// not listed again. If ctx is done first, nothing changes, and the error has the API server's response for each resource and namespace.
func (f *Factory) SetShards(ctx context.Context, buckets ...Arc) error {
	set, err := setOf(buckets)
	if err != nil {
		return fmt.Errorf("SetShards: %w", err)
	}
	f.scoping.Lock()
	defer f.scoping.Unlock()
	before := f.swapShards(set)
	if err = f.change(f.sharded(), func(i *shared.Informer) ([]shared.Failure, error) { return i.SetArcs(ctx, set) }); err == nil {
		return nil
	}
	f.swapShards(before)
	for _, m := range f.sharded() {
		m.own.ResetArcs(before)
	}
	return err
}

// swapShards sets the arcs of informers that are created later, and returns the previous ones.
func (f *Factory) swapShards(set arcs.Set) (before arcs.Set) {
	f.lock.Lock()
	defer f.lock.Unlock()
	before, f.settings.shards = f.settings.shards, set
	if before == nil {
		before = arcs.All
	}
	return before
}

// setOf returns the hashes of arcs.
func setOf(buckets []Arc) (arcs.Set, error) {
	var of []arcs.Arc
	for _, arc := range buckets {
		if arc.First > arc.Last {
			return nil, fmt.Errorf("the arc from bucket %d to %d is empty", arc.First, arc.Last)
		}
		of = append(of, arcs.Bucket(arc.First, arc.Last))
	}
	return arcs.New(of...), nil
}
