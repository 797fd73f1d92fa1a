package informer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/served"
)

// The backoff of requests that check whether the API server serves a resource.
const (
	servedBase = 250 * time.Millisecond
	servedMax  = 5 * time.Second
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
			f.setUnserved(m, true)
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

func (f *Factory) setUnserved(m *member, unserved bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	m.asked, m.unserved = m.asked || !unserved, unserved
	f.changed.Send()
}

// answered notes that the API server has said whether it serves the resource of a member. An error is no answer.
func (f *Factory) answered(m *member) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if !m.asked {
		m.asked = true
		f.changed.Send()
	}
}

func (f *Factory) isUnserved(m *member) bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return m.unserved
}

// awaitAnswer waits until it is known whether the resource of a running member is served, and reports whether it is.
func (f *Factory) awaitAnswer(ctx context.Context, m *member) bool {
	for {
		changed := f.changed.Wait()
		f.lock.Lock()
		known, unserved := m.served == nil || m.asked, m.unserved
		f.lock.Unlock()
		if known {
			return !unserved
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return true
		}
	}
}

// awaitServed waits until the resource is served. It returns false if ctx is done.
func (f *Factory) awaitServed(ctx context.Context, m *member) bool {
	logger := klog.FromContext(ctx)
	backoff := wait.Backoff{Duration: servedBase, Cap: servedMax, Steps: 20, Factor: 2, Jitter: 0.1}
	for said := false; ctx.Err() == nil; {
		is, err := m.served()
		if is {
			f.setUnserved(m, false)
			return true
		}
		if !said {
			reason := "unknown to the API server"
			if err != nil {
				reason = err.Error()
			}
			logger.Info("Waiting until the API server serves a resource", "resource", m.resource.GroupResource(), "reason", reason)
			said = true
			f.setUnserved(m, true)
		}
		if err == nil {
			f.answered(m)
		}
		select {
		case <-ctx.Done():
		case <-time.After(backoff.Step()):
		}
	}
	return false
}

// awaitUnserved waits until the resource is no longer served, or ctx is done.
func (f *Factory) awaitUnserved(ctx context.Context, m *member) {
	for ctx.Err() == nil {
		changed := f.changed.Wait()
		if slices.ContainsFunc(m.errors(), func(e *Error) bool { return isUnknown(e.Err) }) {
			if is, err := m.served(); !is && err == nil {
				klog.FromContext(ctx).Info("The API server no longer serves a resource", "resource", m.resource.GroupResource())
				return
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}
