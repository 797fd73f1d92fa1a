package informer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/lasting"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/served"
)

// startWhenServed runs a member in the background while its resource is served, until ctx is done.
func (f *Factory) startWhenServed(ctx context.Context, m *member, clientset any) error {
	isServed, err := served.By(clientset, m.resource)
	if err != nil {
		return err
	}
	if err := f.Err(); err != nil {
		return err
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	switch {
	case m.runs():
		return fmt.Errorf("the informer for %s is already running: call StartWhenServed before Start", m)
	case f.shuttingDown:
		return errShutDown
	}
	m.served, m.awaited = isServed, true
	f.launchRun(ctx, m)
	if f.follower != nil {
		f.launch(ctx, f.follower)
	}
	return nil
}

// runWhenServed runs the informer until ctx is done. While the resource is not served, only its sources are paused, so that
// handlers still receive queued events.
func (f *Factory) runWhenServed(ctx context.Context, m *member) {
	m.own.Pause()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.own.RunWithContext(ctx)
	}()
	for f.awaitServed(ctx, m) {
		m.own.Resume()
		f.awaitUnserved(ctx, m)
		if ctx.Err() == nil {
			f.setUnserved(m, true, true)
			m.own.Pause()
		}
	}
	<-ended
	m.own.Resume()
	f.lock.Lock()
	m.awaited, m.unserved = false, false
	f.lock.Unlock()
	f.settle(m)
}

// setUnserved notes whether a member is served. An error of the API server is no answer.
func (f *Factory) setUnserved(m *member, unserved, answered bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	m.asked, m.unserved = m.asked || answered, unserved
	f.changed.Send()
}

// awaitServed waits until the resource is served. It returns false if ctx is done.
func (f *Factory) awaitServed(ctx context.Context, m *member) bool {
	said := false
	return served.Await(ctx, m.served, func(is bool, err error) {
		if !is && !said {
			klog.FromContext(ctx).Info("Waiting until the API server serves a resource", "resource", m.resource.GroupResource(),
				"reason", cmp.Or(err, errUnknown).Error())
			said = true
		}
		f.setUnserved(m, !is, err == nil)
	})
}

var errUnknown = errors.New("unknown to the API server")

// awaitUnserved waits until the resource is no longer served, or ctx is done.
func (f *Factory) awaitUnserved(ctx context.Context, m *member) {
	if f.changed.Until(ctx, func() bool {
		if !slices.ContainsFunc(m.errors(), func(e *Error) bool { return lasting.IsUnknown(e.Err) }) {
			return false
		}
		is, err := m.served()
		return !is && err == nil
	}) {
		klog.FromContext(ctx).Info("The API server no longer serves a resource", "resource", m.resource.GroupResource())
	}
}
