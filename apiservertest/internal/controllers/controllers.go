// Package controllers implements the generic part of a cluster's controller manager: it deletes the objects in a
// namespace before the namespace, and it collects garbage. Kubernetes' own controllers are in k8s.io/kubernetes, which
// cannot be imported.
//
// These controllers do not watch individual resources. They watch etcd, which has all objects in write order: new kinds
// need no discovery, and looking up an owner needs no request.
package controllers

import (
	"context"
	"errors"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const (
	// retryDelay is the initial and the maximum delay before a retry.
	retryDelay, maxRetryDelay = 5 * time.Millisecond, time.Second
	// workers is the number of objects processed concurrently.
	workers = 8
)

// Config configures the controllers.
type Config struct {
	// Client is the configuration of a client that may do everything.
	Client *rest.Config
	// Etcd is a client of the storage. Stop closes it.
	Etcd *clientv3.Client
	// Builtins are the served kinds without a CustomResourceDefinition.
	Builtins []schema.GroupKind
	// ReadyDeployments reports all replicas of Deployments as available.
	ReadyDeployments bool
}

// Controllers are running controllers.
type Controllers struct {
	config   Config
	metadata metadata.Interface
	kube     kubernetes.Interface
	queue    workqueue.TypedRateLimitingInterface[string]
	cancel   context.CancelFunc
	group    sync.WaitGroup

	mu     sync.Mutex
	mirror *mirror // replaced as a whole after a gap
}

// Start starts the controllers. They run until Stop, even if ctx ends.
func Start(ctx context.Context, config Config) (*Controllers, error) {
	kube, err := kubernetes.NewForConfig(config.Client)
	if err != nil {
		return nil, err
	}
	objects, err := metadata.NewForConfig(config.Client)
	if err != nil {
		return nil, err
	}
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](retryDelay, maxRetryDelay)
	c := &Controllers{
		config: config, metadata: objects, kube: kube,
		queue:  workqueue.NewTypedRateLimitingQueue(limiter),
		mirror: newMirror(config.Builtins),
	}
	ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.group.Go(func() { c.follow(ctx) })
	for range workers {
		c.group.Go(func() {
			for c.work(ctx) {
			}
		})
	}
	return c, nil
}

// Stop stops the controllers.
func (c *Controllers) Stop() {
	c.cancel()
	c.queue.ShutDown()
	c.group.Wait()
	_ = c.config.Etcd.Close() // best effort
}

// follow keeps the mirror up to date.
func (c *Controllers) follow(ctx context.Context) {
	for {
		err := c.followOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		klog.FromContext(ctx).V(2).Info("Watch of the storage failed, relisting", "err", err)
		timer := time.NewTimer(retryDelay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// followOnce reads all objects, then follows changes until it misses one.
func (c *Controllers) followOnce(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all, err := c.config.Etcd.Get(ctx, Prefix, clientv3.WithPrefix())
	if err != nil {
		return err
	}
	next := newMirror(c.config.Builtins)
	for _, kv := range all.Kvs {
		if o := decode(kv); o != nil {
			next.put(o)
		}
	}
	c.mu.Lock()
	c.mirror = next
	c.mu.Unlock()
	c.enqueue(next.keys())
	for changes := range c.config.Etcd.Watch(ctx, Prefix, clientv3.WithPrefix(), clientv3.WithRev(all.Header.Revision+1)) {
		if err := changes.Err(); err != nil {
			return err
		}
		for _, event := range changes.Events {
			if event.Type == clientv3.EventTypeDelete {
				c.enqueue(next.remove(string(event.Kv.Key)))
			} else if o := decode(event.Kv); o != nil {
				c.enqueue(next.put(o))
			}
		}
	}
	return errors.New("the watch has ended")
}

func (c *Controllers) enqueue(keys []string) {
	for _, key := range keys {
		c.queue.Add(key)
	}
}

// work processes one object and reports whether to continue.
func (c *Controllers) work(ctx context.Context) bool {
	key, stopped := c.queue.Get()
	if stopped {
		return false
	}
	defer c.queue.Done(key)
	c.mu.Lock()
	v := c.mirror.look(key)
	c.mu.Unlock()
	if v == nil {
		c.queue.Forget(key)
		return true
	}
	err := c.reconcile(ctx, v)
	if err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // the object has changed; its next event enqueues it
		c.queue.Forget(key)
		return true
	}
	klog.FromContext(ctx).V(2).Info("Will be retried", "key", key, "err", err)
	c.queue.AddRateLimited(key)
	return true
}

// reconcile handles one object.
func (c *Controllers) reconcile(ctx context.Context, v *view) error {
	switch {
	case v.deleting() && v.is("", "namespaces"):
		return c.emptyNamespace(ctx, v)
	case v.deleting():
		return c.releaseDependents(ctx, v)
	case v.doomed:
		return c.delete(ctx, v.object, deleteInBackground)
	case len(v.owners) > 0:
		if collected, err := c.collect(ctx, v); collected || err != nil {
			return err
		}
	}
	if c.config.ReadyDeployments && v.deployment != nil {
		return c.reportReady(ctx, v.deployment)
	}
	return nil
}
