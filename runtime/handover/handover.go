// Package handover lets a new leader wait for the last writes of the previous one.
//
// The caches of a standby may lag behind the API server when it becomes the leader. If they lack the last writes of the previous
// leader, it writes them again: it creates children twice. So each leader leaves the resource versions that it has written in an
// annotation of the lease, and its successor waits until its caches have reached them:
//
//	record := handover.New()
//	lock := &resourcelock.LeaseLock{Client: record.Leases(kube.CoordinationV1()), …} // for client-go's leader election
//	workloads, err := controllers.NewWorkloadController(client, kube, reconciler,
//		controller.WithElected(elected), controller.WithHandover(record))
//
// Controllers with a work queue of their own call [Record.CatchUp] with their [consistency.Tracker] when they are elected.
//
// The annotation costs no requests: it is written with the renewals of the lease, and finally when the lease is released. After a
// crash, it has the writes up to the last renewal. Versions of deletions are unknown, so deletions are not waited for. If the versions
// take more than 64 KiB, because hundreds of listed namespaces were written to in the last minutes, the annotation is left empty.
package handover

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
)

// Annotation is the annotation of the lease. Its value is a JSON object with the versions of each controller.
const Annotation = "informer-gen-lite.github.io/written"

// Record is what leaders leave in a lease. The controllers of a process share it. If the process holds several leases, each has
// everything. All methods may be called concurrently.
type Record struct {
	// lock guards everything below. Locks of trackers are taken while it is held. It is not held during requests.
	lock sync.Mutex
	// inherited has the versions of the previous leaders, of controllers that have not caught up with them.
	inherited map[string]consistency.Versions
	trackers  map[string]*consistency.Tracker
	leases    map[cache.ObjectName]*holding
	// told is set when it was logged that the versions are too many.
	told bool
}

// New returns a record without controllers.
func New() *Record {
	return &Record{trackers: map[string]*consistency.Tracker{}, leases: map[cache.ObjectName]*holding{}}
}

// holderOf returns the holder of a lease. The caller holds the lock, also while it uses the result.
func (r *Record) holderOf(namespace, name string) *holding {
	key := cache.NewObjectName(namespace, name)
	if r.leases[key] == nil {
		r.leases[key] = &holding{}
	}
	return r.leases[key]
}

// CatchUp adds a controller, and waits until its caches, which must have synced, have reached the versions that the previous leader has
// written for the controller of the same name, and versions that the tracker has noted, if this process has led before. Call it when the
// lease is acquired, before the first reconcile. The tracker's timeout applies. CatchUp returns the versions that the caches do not
// have after the timeout or when ctx is done, see [consistency.Tracker.CatchUp].
func (r *Record) CatchUp(ctx context.Context, controller string, tracker *consistency.Tracker) (behind consistency.Versions) {
	r.lock.Lock()
	r.trackers[controller] = tracker
	inherited := r.inherited[controller].Merge(tracker.Written())
	r.lock.Unlock()
	behind = tracker.CatchUp(ctx, inherited)
	if len(behind) == 0 || ctx.Err() == nil { // otherwise nobody has reconciled, so the next leader must wait, too
		r.lock.Lock()
		delete(r.inherited, controller)
		r.lock.Unlock()
	}
	return behind
}

// written returns the value of the annotation, to which it adds more versions. The caller holds the lock.
func (r *Record) written(more map[string]consistency.Versions) string {
	all := map[string]consistency.Versions{}
	merge(all, more)
	merge(all, r.inherited)
	for name, tracker := range r.trackers {
		merge(all, map[string]consistency.Versions{name: tracker.Written()})
	}
	value, err := json.Marshal(all)
	if err == nil && len(value) <= maxValue { // maps of strings cannot fail
		return string(value)
	}
	if !r.told {
		r.told = true
		klog.Background().Info("There are too many versions to hand over: a new leader does not wait for the last writes",
			"bytes", len(value), "limit", maxValue)
	}
	return "{}"
}

// maxValue is the size up to which versions are handed over. All annotations of a lease together may have four times as much. It takes
// writes in hundreds of listed namespaces within two minutes to exceed it.
const maxValue = 64 << 10

// inherit is Inherit. The caller holds the lock.
func (r *Record) inherit(ctx context.Context, lease *coordinationv1.Lease) {
	if r.inherited == nil {
		r.inherited = map[string]consistency.Versions{}
	}
	merge(r.inherited, versionsIn(ctx, lease))
}

// versionsIn returns the versions in a lease.
func versionsIn(ctx context.Context, lease *coordinationv1.Lease) (versions map[string]consistency.Versions) {
	value, ok := lease.Annotations[Annotation]
	if !ok {
		return nil
	}
	if err := json.Unmarshal([]byte(value), &versions); err != nil {
		klog.FromContext(ctx).Error(err, "Ignoring an invalid annotation of the lease", "annotation", Annotation)
		return nil
	}
	return versions
}

// merge adds versions of controllers to others.
func merge(into, versions map[string]consistency.Versions) {
	for controller, written := range versions {
		if merged := into[controller].Merge(written); len(merged) > 0 {
			into[controller] = merged
		}
	}
}

// Leases returns a client for the locks of leader elections, which reads and writes the annotation of the lease along with
// it. Nothing else may use the client. It refuses to release a lease that another process has acquired meanwhile: client-go would take it
// from the new leader.
func (r *Record) Leases(leases coordinationv1client.LeasesGetter) coordinationv1client.LeasesGetter {
	return getter{r, leases}
}

type getter struct {
	record *Record
	leases coordinationv1client.LeasesGetter
}

// Leases implements coordinationv1client.LeasesGetter.
func (g getter) Leases(namespace string) coordinationv1client.LeaseInterface {
	return client{g.leases.Leases(namespace), g.record, namespace}
}

// holding says who has a lease. The lock of the record guards it.
type holding struct {
	// holder is the holder of the lease as last read or written, and self the identity that this process has acquired it with.
	holder, self string
}

// client notices who holds a lease, and writes the annotation.
type client struct {
	coordinationv1client.LeaseInterface

	record    *Record
	namespace string
}

// Get implements coordinationv1client.LeaseInterface.
func (c client) Get(ctx context.Context, name string, options metav1.GetOptions) (*coordinationv1.Lease, error) {
	lease, err := c.LeaseInterface.Get(ctx, name, options)
	if err == nil {
		c.record.lock.Lock()
		defer c.record.lock.Unlock()
		c.record.holderOf(c.namespace, name).holder = ptr.Deref(lease.Spec.HolderIdentity, "")
	}
	return lease, err
}

// Create implements coordinationv1client.LeaseInterface. A lease that is created has no previous leader.
func (c client) Create(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	created, err := c.LeaseInterface.Create(ctx, lease, options)
	if err == nil {
		c.acquired(ctx, created)
	}
	return created, err
}

// Update implements coordinationv1client.LeaseInterface. The lease has the annotations that it was read with: its resource version
// guarantees that the previous leader has written them if the update acquires the lease.
func (c client) Update(
	ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	holder := ptr.Deref(lease.Spec.HolderIdentity, "")
	c.record.lock.Lock()
	holding := c.record.holderOf(c.namespace, lease.Name)
	held := holding.self != "" && holding.holder == holding.self && (holder == "" || holder == holding.self)
	if other := holding.holder; holder == "" && !held {
		c.record.lock.Unlock()
		return nil, fmt.Errorf("lease %s/%s is not released: its holder is %q", lease.Namespace, lease.Name, other)
	}
	if held { // it is renewed or released
		lease = lease.DeepCopy()
		metav1.SetMetaDataAnnotation(&lease.ObjectMeta, Annotation, c.record.written(nil))
	}
	c.record.lock.Unlock()
	updated, err := c.LeaseInterface.Update(ctx, lease, options)
	switch {
	case err != nil:
	case !held && holder != "":
		c.acquired(ctx, updated)
	default:
		c.record.lock.Lock()
		holding.holder = holder
		c.record.lock.Unlock()
	}
	return updated, err
}

// acquired notes that this process holds the lease.
func (c client) acquired(ctx context.Context, lease *coordinationv1.Lease) {
	c.record.lock.Lock()
	defer c.record.lock.Unlock()
	holding := c.record.holderOf(c.namespace, lease.Name)
	holding.holder = ptr.Deref(lease.Spec.HolderIdentity, "")
	holding.self = holding.holder
	c.record.inherit(ctx, lease)
}
