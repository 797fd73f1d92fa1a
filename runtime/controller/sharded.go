package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/ownerlabel"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/queue"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sharing"
)

// Sharded lets the replicas of a manager with manager.WithShards share the objects: each reconciles a part, and caches this part and the
// objects that it owns. The objects that others refer to are cached whole. Without that option of the manager, Sharded changes nothing.
//
// A sharded reconciler must be able to do its work with one object, its owned objects, and objects that it refers to: lists of its kind
// have a part of the objects. Whatever is outside of Kubernetes needs a finalizer, because an object that replaces another one of its name
// may belong to another replica. docs/shards.md says more.
func Sharded() Option { return func(s *settings) { s.sharded = true } }

// WithShare makes a controller with [Sharded] reconcile the objects of a share. A manager passes it.
func WithShare(share *sharing.Share) Option { return func(s *settings) { s.share = share } }

// checkShare lets only sharded controllers have a share, with the options of WithInformers.
func (s *settings) checkShare() error {
	if !s.sharded {
		s.share = nil
	}
	if s.share == nil {
		return nil
	}
	return s.share.Factory().Extend(s.informers...)
}

// ownFactory returns the factory for the objects that are reconciled and owned.
func (s *settings) ownFactory() *informer.Factory {
	if s.share == nil {
		return s.newFactory()
	}
	return s.share.Factory()
}

// whole returns the factory for all other objects.
func (c *Controller[T]) whole() *informer.Factory {
	if c.settings.share == nil {
		return c.Factory()
	}
	return c.settings.factory
}

// useShare connects a controller with its share.
func (c *Controller[T]) useShare() {
	share := c.settings.share
	if share == nil {
		return
	}
	c.settings.lead = share.Lead
	c.labels.Holds = share.Holds
	share.Use(sharing.User{
		Drain:   c.settings.drainTimeout,
		Enqueue: func(name cache.ObjectName, urgent bool) { c.enqueue(queue.Item{Name: name, Urgent: urgent}, found) },
		Opened: func(ctx context.Context, _ sharing.Has) {
			c.catchUp(ctx)
			c.labels.Again()
		},
	})
}

// labelOf returns the label of owned objects.
func (c *Controller[T]) labelOf() ownerlabel.Label {
	if c.settings.share == nil {
		return ownerlabel.Of(c.settings.kind.GroupKind())
	}
	return ownerlabel.ShardedOf(c.settings.kind.GroupKind())
}

// enter begins with an item, unless another replica has its object. Then everything about the item is forgotten.
func (c *Controller[T]) enter(ctx context.Context, q *queue.Queue, it queue.Item) (context.Context, *sharing.Entry, bool) {
	uid := c.uidOf(it.Name)
	ctx, entry, ok := c.settings.share.Enter(ctx, it.Name, uid, it.Urgent)
	if !ok {
		q.Forget(it.Name)
		c.writes.Forget(it.Name)
		c.labels.Forget(it.Name)
		c.progress.Drop(it.Name)
	}
	if logger := klog.FromContext(ctx); entry != nil && logger.V(4).Enabled() {
		ctx = klog.NewContext(ctx, logger.WithValues("uid", uid)) // objects of one name may be in several replicas
	}
	return ctx, entry, ok
}

// uidOf returns the UID of a cached object, or "".
func (c *Controller[T]) uidOf(name cache.ObjectName) types.UID {
	object, err := c.objects.Get(name)
	if err != nil {
		return ""
	}
	return object.GetUID()
}

// isGone reports whether an object that has left the cache may be deleted. If another replica takes it over, it is not.
func (c *Controller[T]) isGone(name cache.ObjectName, last T) bool {
	return c.settings.share == nil || any(last) != any(*new(T)) && c.settings.share.Deleted(name, last.GetUID())
}

// EveryReplica is for [WatchChannel] with [Sharded]: it says that the channel of each replica receives all events. Events about objects of
// other replicas are dropped.
func EveryReplica() ChannelOption { return func(everyReplica *bool) { *everyReplica = true } }

// ChannelOption configures [WatchChannel].
type ChannelOption func(everyReplica *bool)

// checkChannel returns an error if events may get lost, because they arrive at a replica that does not have their objects.
func (c *Controller[T]) checkChannel(options []ChannelOption) error {
	everyReplica := false
	for _, option := range options {
		option(&everyReplica)
	}
	if c.settings.sharded && !everyReplica {
		return c.errorf("WatchChannel needs EveryReplica with Sharded: an event reaches the object only if the replica that has it " +
			"receives the event")
	}
	return nil
}
