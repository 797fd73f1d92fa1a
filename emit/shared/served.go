package shared

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
)

// The backoff of requests that check whether the API server serves a resource.
const (
	servedBase = 250 * time.Millisecond
	servedMax  = 5 * time.Second
)

// StartWhenServed runs an informer while the API server serves its resource, until ctx is done. The informer waits until the
// CustomResourceDefinition is installed. When it is removed, the informer drops all objects, with a deletion for each, and waits
// again. The function served calls the API server. StartWhenServed does not block.
func (s *Set) StartWhenServed(ctx context.Context, key Key, served func(context.Context) (bool, error)) error {
	m, err := s.member(key)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	switch {
	case m.own == nil:
		return fmt.Errorf("the informer for %v was not created by this factory", key)
	case m.running():
		return fmt.Errorf("the informer for %v is already running: call StartWhenServed before Start", key)
	case s.shuttingDown:
		return nil
	}
	m.awaited, m.unserved = true, true
	s.spawn(ctx, m, func(ctx context.Context) { s.runWhenServed(ctx, m, served) })
	return nil
}

// runWhenServed runs the informer until ctx is done. While the resource is not served, only its sources are paused, so that
// handlers still receive queued events.
func (s *Set) runWhenServed(ctx context.Context, m *member, served func(context.Context) (bool, error)) {
	m.own.pause()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.own.RunWithContext(ctx)
	}()
	for s.awaitServed(ctx, m, served) {
		m.own.resume()
		m.own.awaitUnserved(ctx, served)
		if ctx.Err() == nil {
			s.setUnserved(m, true)
			m.own.pause()
		}
	}
	<-ended
	m.own.resume()
	s.lock.Lock()
	defer s.lock.Unlock()
	m.awaited, m.unserved = false, false
}

func (s *Set) setUnserved(m *member, unserved bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	m.unserved = unserved
	s.changed.send()
}

// awaitServed waits until the resource is served. It returns false if ctx is done.
func (s *Set) awaitServed(ctx context.Context, m *member, served func(context.Context) (bool, error)) bool {
	logger := klog.FromContext(ctx)
	backoff := wait.Backoff{Duration: servedBase, Cap: servedMax, Steps: 20, Factor: 2, Jitter: 0.1}
	for said := false; ctx.Err() == nil; {
		is, err := served(ctx)
		if is {
			s.setUnserved(m, false)
			return true
		}
		if !said {
			reason := "unknown to the API server"
			if err != nil {
				reason = err.Error()
			}
			logger.Info("Waiting until the API server serves a resource", "resource", m.own.kind.Resource.GroupResource(), "reason", reason)
			said = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(backoff.Step()):
		}
	}
	return false
}

// awaitUnserved waits until the resource is no longer served, or ctx is done.
func (i *Informer) awaitUnserved(ctx context.Context, served func(context.Context) (bool, error)) {
	for ctx.Err() == nil {
		changed := i.changed.wait()
		if i.unknown() {
			if is, err := served(ctx); !is && err == nil {
				klog.FromContext(ctx).Info("The API server no longer serves a resource", "resource", i.kind.Resource.GroupResource())
				return
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// unknown reports whether the API server's last response was that it does not serve the resource.
func (i *Informer) unknown() bool {
	return slices.ContainsFunc(i.Errors(), func(e *Error) bool { return isUnknown(e.Err) })
}

// pause stops all sources and drops all objects. A resumed informer relists, because resource versions are not comparable across
// CustomResourceDefinitions.
func (i *Informer) pause() {
	i.lock.Lock()
	i.paused = true
	sources := slices.Clone(i.sources)
	i.lock.Unlock()
	for _, s := range sources {
		s.stop()
	}

	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.unsync()
	for _, s := range sources {
		s.reflector, s.version = nil, ""
		s.forgive()
	}
	for _, name := range i.store.names(metav1.NamespaceAll) {
		i.forget(name, nil)
	}
	i.store.Bookmark("")
}

// resume starts the sources of a running informer.
func (i *Informer) resume() {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.paused = false
	if i.run == nil || i.run.ending {
		return
	}
	for _, s := range i.sources {
		s.launch(i.run.ctx)
	}
}

// forgive clears the error of a source.
func (s *source) forgive() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.failure = nil
}

var _ cache.SharedIndexInformer = &Informer{}
