package handover

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
)

// Inherit takes over the versions in a lease of other processes, for [Record.CatchUp]. An invalid annotation is logged.
func (r *Record) Inherit(ctx context.Context, lease *coordinationv1.Lease) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.inherit(ctx, lease)
}

// Leave writes the annotation of a lease: the versions that this process has written or inherited, and those in other leases. It is for
// processes that share a lease; [Record.Leases] does it for a lease with one holder.
func (r *Record) Leave(ctx context.Context, lease *coordinationv1.Lease, others ...*coordinationv1.Lease) {
	more := map[string]consistency.Versions{}
	for _, other := range others {
		merge(more, versionsIn(ctx, other))
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	metav1.SetMetaDataAnnotation(&lease.ObjectMeta, Annotation, r.written(more))
}
