package leases

import (
	"context"
	"errors"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/ptr"
)

// say logs what keeps the process from holding the lease: who holds it, or an error. It does so when that changes. The
// caller holds the lock.
func (l *lease) say(lease *coordinationv1.Lease, verb string, err error) {
	holder := ""
	if err == nil {
		holder = ptr.Deref(lease.Spec.HolderIdentity, "")
	}
	trouble := holder
	switch {
	case apierrors.IsNotFound(err) && verb == "get", apierrors.IsConflict(err), apierrors.IsAlreadyExists(err),
		errors.Is(err, context.Canceled), errors.Is(err, errNotReleased):
		return // it is about to be created, another process was faster, or this one gives up
	case err != nil:
		trouble = verb + ": " + err.Error()
	}
	if trouble == l.said {
		return
	}
	l.said = trouble
	logger := klog.Background().WithValues("lease", l.name)
	switch {
	case apierrors.IsForbidden(err):
		logger.Error(err, "The role does not allow the lease, retrying", "verb", verb)
	case apierrors.IsNotFound(err):
		logger.Error(err, "There is no namespace for the lease, retrying")
	case err != nil:
		logger.Error(err, "A request for the lease has failed, retrying", "verb", verb)
	case holder == "":
		logger.Info("The lease is free")
	default:
		logger.Info("The lease has a holder", "holder", holder)
	}
}
