package leases

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	klog "k8s.io/klog/v2"
)

// wrote notes the outcome of a write that acquires, renews or releases the lease.
func (l *lease) wrote(lease *coordinationv1.Lease, verb string, sent time.Time, err error) {
	if err == nil {
		l.lock.Lock()
		l.renewed = sent
		l.lock.Unlock()
	}
	l.say(lease, verb, err)
}

// say logs what keeps the process from holding the lease: who holds it, or an error. It does so when that changes.
func (l *lease) say(lease *coordinationv1.Lease, verb string, err error) {
	holder := ""
	if err == nil && lease.Spec.HolderIdentity != nil {
		holder = *lease.Spec.HolderIdentity
	}
	trouble := holder
	switch {
	case apierrors.IsNotFound(err) && verb == "get", apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return // it is about to be created, or another process was faster
	case err != nil:
		trouble = verb + ": " + err.Error()
	}
	l.lock.Lock()
	defer l.lock.Unlock()
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
