package shared

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CheckNamespaces returns an error if namespaces overlap or are missing.
func CheckNamespaces(namespaces []string) error {
	if len(namespaces) == 0 {
		return errors.New("no namespace: pass at least one, or metav1.NamespaceAll for all")
	}
	for n, namespace := range namespaces {
		switch {
		case namespace == metav1.NamespaceAll && len(namespaces) > 1:
			return errors.New("metav1.NamespaceAll cannot be combined with other namespaces")
		case slices.Contains(namespaces[:n], namespace):
			return fmt.Errorf("duplicate namespace %q", namespace)
		}
	}
	return nil
}

// SetNamespaces changes the namespaces that the informer lists and watches. If the informer is running, it waits until new
// namespaces have synced and then drops the namespaces that are no longer listed: handlers receive a deletion for each of their
// objects, as a cache.DeletedFinalStateUnknown. If ctx is done first, nothing changes, and the error has the API server's
// response. It must not be called concurrently.
func (i *Informer) SetNamespaces(ctx context.Context, namespaces ...string) error {
	if err := CheckNamespaces(namespaces); err != nil {
		return err
	}
	if !i.kind.Namespaced {
		return nil
	}
	joining := i.join(namespaces)
	if err := i.awaitSources(ctx, joining); err != nil {
		i.drop(joining)
		return err
	}
	i.drop(i.settle(joining, namespaces))
	return nil
}

// join adds a source for each namespace that has none, and starts it if the informer is running.
func (i *Informer) join(namespaces []string) (joining []*source) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	for _, namespace := range namespaces {
		if slices.ContainsFunc(i.sources, func(s *source) bool { return s.namespace == namespace }) {
			continue
		}
		s := newSource(i, namespace)
		s.joining = true
		i.sources = append(i.sources, s)
		joining = append(joining, s)
		if i.run != nil && !i.run.ending && !i.paused {
			s.launch(i.run.ctx)
		}
	}
	return joining
}

// awaitSources waits until the sources have synced. It returns immediately if the informer is not running.
func (i *Informer) awaitSources(ctx context.Context, sources []*source) error {
	for {
		changed := i.changed.wait()
		missing, running := i.missing(sources)
		if len(missing) == 0 || !running {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return joinErrors(context.Cause(ctx), i.failures(missing))
		}
	}
}

// missing returns the sources that have not synced, and whether the informer is running.
func (i *Informer) missing(sources []*source) (missing []*source, running bool) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range sources {
		if !s.synced {
			missing = append(missing, s)
		}
	}
	return missing, i.run != nil && !i.run.ending && !i.paused
}

// settle completes the joining of sources, and returns the sources of namespaces that are no longer listed.
func (i *Informer) settle(joining []*source, namespaces []string) (leaving []*source) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range joining {
		s.joining = false
	}
	for _, s := range i.sources {
		if !slices.Contains(namespaces, s.namespace) {
			leaving = append(leaving, s)
		}
	}
	i.options.Namespaces = slices.Clone(namespaces)
	return leaving
}

// drop stops sources and removes the objects that no other source has.
func (i *Informer) drop(sources []*source) {
	for _, s := range sources {
		s.stop()
	}
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.sources = slices.DeleteFunc(i.sources, func(s *source) bool { return slices.Contains(sources, s) })
	for _, s := range sources {
		for _, name := range i.store.names(s.namespace) {
			if !i.watches(name.Namespace) {
				i.forget(name, nil)
			}
		}
	}
	if len(sources) > 0 {
		i.checkSynced()
		i.changed.send()
	}
}

// watches reports whether any source has the objects of a namespace. The caller holds events.
func (i *Informer) watches(namespace string) bool {
	return slices.ContainsFunc(i.sources, func(s *source) bool {
		return s.namespace == metav1.NamespaceAll || s.namespace == namespace
	})
}

// overlapping reports whether two sources may have the same objects, which is possible while an informer changes from some
// namespaces to all, or back.
func (i *Informer) overlapping() bool {
	return len(i.sources) > 1 && slices.ContainsFunc(i.sources, func(s *source) bool { return s.namespace == metav1.NamespaceAll })
}

// describeScope describes the resource and namespace of a source.
func describeScope(kind Kind, namespace string) string {
	if namespace == metav1.NamespaceAll {
		return kind.Resource.GroupResource().String()
	}
	return fmt.Sprintf("%s in namespace %q", kind.Resource.GroupResource(), namespace)
}

// Namespaces returns the namespaces that the informer lists and watches.
func (i *Informer) Namespaces() []string {
	i.lock.Lock()
	defer i.lock.Unlock()
	return slices.Clone(i.options.Namespaces)
}

// reset changes the namespaces without waiting for them to sync.
func (i *Informer) reset(namespaces []string) {
	if !i.kind.Namespaced {
		return
	}
	i.drop(i.settle(i.join(namespaces), namespaces))
}
