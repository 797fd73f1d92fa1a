package informer

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	klog "k8s.io/klog/v2"
)

// The backoff of requests that check whether the API server serves a resource.
const (
	servedBase = 250 * time.Millisecond
	servedMax  = 5 * time.Second
)

// servedFunc asks the API server whether it serves a resource.
type servedFunc func() (bool, error)

// discoverer is the part of discovery that is needed.
type discoverer interface {
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
}

// discoveryOf calls the method Discovery of a clientset. The type of its result depends on the release of client-go that the
// clientset was generated for, so no interface describes all clientsets.
func discoveryOf(clientset any) (discoverer, bool) {
	if clientset == nil {
		return nil, false
	}
	method := reflect.ValueOf(clientset).MethodByName("Discovery")
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return nil, false
	}
	return reflect.TypeAssert[discoverer](method.Call(nil)[0])
}

// served returns a function that asks the API server whether it serves the resource of a member.
func (m *member) served(clientset any) (servedFunc, error) {
	client, ok := discoveryOf(clientset)
	if !ok {
		return nil, fmt.Errorf("cannot find out whether %s is served: a %T has no method Discovery; make the source with a clientset",
			m.resource.GroupResource(), clientset)
	}
	return func() (bool, error) {
		list, err := client.ServerResourcesForGroupVersion(m.resource.GroupVersion().String())
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		for _, served := range list.APIResources {
			if served.Name == m.resource.Resource {
				return true, nil
			}
		}
		return false, nil
	}, nil
}

// startWhenServed runs a member in the background while its resource is served, until ctx is done.
func (f *Factory) startWhenServed(ctx context.Context, m *member, clientset any) error {
	served, err := m.served(clientset)
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
	m.awaited, m.unserved = true, true
	f.spawn(ctx, m, func(ctx context.Context) { f.runWhenServed(ctx, m, served) })
	return nil
}

// runWhenServed runs the informer until ctx is done. While the resource is not served, only its sources are paused, so that
// handlers still receive queued events.
func (f *Factory) runWhenServed(ctx context.Context, m *member, served servedFunc) {
	m.own.Pause()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.own.RunWithContext(ctx)
	}()
	for f.awaitServed(ctx, m, served) {
		m.own.Resume()
		f.awaitUnserved(ctx, m, served)
		if ctx.Err() == nil {
			f.setUnserved(m, true)
			m.own.Pause()
		}
	}
	<-ended
	m.own.Resume()
	f.lock.Lock()
	defer f.lock.Unlock()
	m.awaited, m.unserved = false, false
}

func (f *Factory) setUnserved(m *member, unserved bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	m.unserved = unserved
	f.changed.Send()
}

// awaitServed waits until the resource is served. It returns false if ctx is done.
func (f *Factory) awaitServed(ctx context.Context, m *member, served servedFunc) bool {
	logger := klog.FromContext(ctx)
	backoff := wait.Backoff{Duration: servedBase, Cap: servedMax, Steps: 20, Factor: 2, Jitter: 0.1}
	for said := false; ctx.Err() == nil; {
		is, err := served()
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
		}
		select {
		case <-ctx.Done():
		case <-time.After(backoff.Step()):
		}
	}
	return false
}

// awaitUnserved waits until the resource is no longer served, or ctx is done.
func (f *Factory) awaitUnserved(ctx context.Context, m *member, served servedFunc) {
	for ctx.Err() == nil {
		changed := f.changed.Wait()
		if slices.ContainsFunc(m.errors(), func(e *Error) bool { return isUnknown(e.Err) }) {
			if is, err := served(); !is && err == nil {
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
