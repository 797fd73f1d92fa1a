package shared

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
// objects, as a cache.DeletedFinalStateUnknown. If ctx is done first, nothing changes: it returns the cause, and the responses of
// the API server by namespace. It must not be called concurrently.
func (i *Informer) SetNamespaces(ctx context.Context, namespaces ...string) (failures []Failure, err error) {
	if err := CheckNamespaces(namespaces); err != nil {
		return nil, err
	}
	if !i.config.Namespaced {
		return nil, nil
	}
	joining := i.join(namespaces)
	if failures, err := i.awaitSources(ctx, joining); err != nil {
		i.drop(joining)
		return failures, err
	}
	i.drop(i.settle(joining, namespaces))
	return nil, nil
}

// ResetNamespaces changes the namespaces without waiting for them to sync.
func (i *Informer) ResetNamespaces(namespaces []string) {
	if i.config.Namespaced {
		i.drop(i.settle(i.join(namespaces), namespaces))
	}
}

// Namespaces returns the namespaces that the informer lists and watches.
func (i *Informer) Namespaces() []string {
	i.lock.Lock()
	defer i.lock.Unlock()
	return slices.Clone(i.config.Namespaces)
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
		if !i.run.ends() && !i.paused {
			s.launch(i.run.ctx)
		}
	}
	i.noteOverlap()
	return joining
}

// noteOverlap finds out whether two sources may have the same objects. The caller holds events.
func (i *Informer) noteOverlap() {
	i.overlap = len(i.sources) > 1 &&
		slices.ContainsFunc(i.sources, func(s *source) bool { return s.namespace == metav1.NamespaceAll })
}

// awaitSources waits until the sources have synced. It returns immediately if the informer is not running.
func (i *Informer) awaitSources(ctx context.Context, sources []*source) ([]Failure, error) {
	for {
		changed := i.changed.Wait()
		missing, running := i.missing(sources)
		if len(missing) == 0 || !running {
			return nil, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return failuresOf(missing), fmt.Errorf("waiting for %s: %w", namesOf(missing), context.Cause(ctx))
		}
	}
}

// namesOf names sources for people.
func namesOf(sources []*source) string {
	var names []string
	for _, s := range sources {
		names = append(names, s.String())
	}
	return strings.Join(names, ", ")
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
	return missing, !i.run.ends() && !i.paused
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
	i.config.Namespaces, i.config.Unsettled = append([]string{}, namespaces...), false
	i.publishVersion()
	if !i.run.ends() && !i.paused {
		i.checkSynced()
	}
	return leaving
}

// drop stops sources and removes the objects that no other source has.
func (i *Informer) drop(leaving []*source) {
	if len(leaving) == 0 {
		return
	}
	for _, wait := range i.leave(leaving) {
		wait()
	}
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.sources = slices.DeleteFunc(i.sources, func(s *source) bool { return slices.Contains(leaving, s) })
	i.noteOverlap()
	for _, s := range leaving {
		i.noteFloors(s)
		i.forget(s.namespace, i.watches)
	}
	i.publishVersion()
	i.checkSynced()
	i.changed.Send()
}

// leave stops sources for good, also if the informer starts at the same time. It returns functions that wait for them.
func (i *Informer) leave(sources []*source) (waits []func()) {
	i.lock.Lock()
	defer i.lock.Unlock()
	for _, s := range sources {
		s.leaving = true
		waits = append(waits, s.halt())
	}
	return waits
}

// noteFloors remembers how far a source has brought the namespaces of sources that go on. The caller holds events.
func (i *Informer) noteFloors(left *source) {
	for _, s := range i.sources {
		namespace := left.namespace
		if namespace == metav1.NamespaceAll {
			namespace = s.namespace
		}
		if s.covers(namespace) && left.version.known && !s.version.reaches(left.version) && !i.floors[namespace].reaches(left.version) {
			i.floors[namespace] = left.version
		}
	}
}

// Listed reports whether the objects of a namespace have been listed since the informer was last started.
func (i *Informer) Listed(namespace string) bool {
	i.events.Lock()
	defer i.events.Unlock()
	return slices.ContainsFunc(i.sources, func(s *source) bool { return s.synced && s.covers(namespace) })
}

// Generation returns the number of the source that has a namespace, or 0. A source that is added later has a higher one.
func (i *Informer) Generation(namespace string) int64 {
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range i.sources {
		if s.covers(namespace) && !s.leaving {
			return s.generation
		}
	}
	return 0
}

// watches reports whether any source has the objects of a namespace. The caller holds events.
func (i *Informer) watches(namespace string) bool {
	return slices.ContainsFunc(i.sources, func(s *source) bool { return s.covers(namespace) })
}
