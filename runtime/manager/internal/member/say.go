package member

import (
	"context"
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	klog "k8s.io/klog/v2"
)

// saying has the last error of each kind of request. An error is logged when it changes.
type saying struct {
	lock sync.Mutex
	last map[string]string
}

func (s *saying) say(ctx context.Context, what string, err error) {
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || errors.Is(err, context.Canceled) {
		return // another member was faster, or this one ends
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	s.lock.Lock()
	before := s.last[what]
	if s.last == nil {
		s.last = map[string]string{}
	}
	s.last[what] = text
	s.lock.Unlock()
	logger := klog.FromContext(ctx).WithValues("request", what)
	switch {
	case text == before:
	case err == nil:
		logger.Info("A request for Leases succeeds again")
	case apierrors.IsForbidden(err):
		logger.Error(err, "The role does not allow what replicas need to share work, retrying")
	default:
		logger.Error(err, "A request for Leases has failed, retrying")
	}
}
