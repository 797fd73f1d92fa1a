package shared

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/given"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/store"
)

// scope is everything that an informer lists and watches.
type scope struct {
	namespaces []string
	arcs       arcs.Set
}

// SetNamespaces changes the namespaces that the informer lists and watches. If the informer is running, it waits until new
// namespaces have synced and then drops the namespaces that are no longer listed: handlers receive a deletion for each of their
// objects, as a cache.DeletedFinalStateUnknown. If ctx is done first, nothing changes: it returns the cause, and the responses of
// the API server by namespace.
func (i *Informer) SetNamespaces(ctx context.Context, namespaces ...string) (failures []Failure, err error) {
	if err := given.CheckNamespaces(namespaces); err != nil {
		return nil, err
	}
	if !i.config.Namespaced {
		return nil, nil
	}
	return i.change(ctx, func(to *scope) { to.namespaces = namespaces })
}

// ResetNamespaces changes the namespaces without waiting for them to sync.
func (i *Informer) ResetNamespaces(namespaces []string) {
	if i.config.Namespaced {
		i.reset(func(to *scope) { to.namespaces = namespaces })
	}
}

// SetArcs is SetNamespaces for arcs. Objects of arcs that stay are not listed again.
func (i *Informer) SetArcs(ctx context.Context, set arcs.Set) (failures []Failure, err error) {
	return i.change(ctx, func(to *scope) { to.arcs = set })
}

// ResetArcs changes the arcs without waiting for them to sync.
func (i *Informer) ResetArcs(set arcs.Set) { i.reset(func(to *scope) { to.arcs = set }) }

// change changes the scope, and waits until everything new has synced before it drops anything.
func (i *Informer) change(ctx context.Context, modify func(*scope)) ([]Failure, error) {
	i.changing.Lock()
	defer i.changing.Unlock()
	to := i.scope()
	modify(&to)
	joining := i.join(to)
	if failures, err := i.awaitSources(ctx, joining); err != nil {
		i.exchange(joining, nil)
		return failures, err
	}
	i.exchange(i.settle(joining, to))
	return nil, nil
}

func (i *Informer) reset(modify func(*scope)) {
	i.changing.Lock()
	defer i.changing.Unlock()
	to := i.scope()
	modify(&to)
	i.exchange(i.settle(i.join(to), to))
}

// scope returns the current scope.
func (i *Informer) scope() scope {
	i.lock.Lock()
	defer i.lock.Unlock()
	return scope{slices.Clone(i.config.Namespaces), i.config.Arcs}
}

// Namespaces returns the namespaces that the informer lists and watches.
func (i *Informer) Namespaces() []string { return i.scope().namespaces }

// join adds sources for what no source has, and starts them if the informer is running.
func (i *Informer) join(to scope) (joining []*source) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	of := i.sourcesOf()
	for _, namespace := range to.namespaces {
		for _, p := range i.divide(namespace, to.arcs.Minus(heldBy(of[namespace]))) {
			s := newSource(i, p)
			s.joining, s.arriving = true, !slices.Equal(to.arcs, i.config.Arcs)
			i.sources = append(i.sources, s)
			joining = append(joining, s)
			i.launch(s)
		}
	}
	i.noteOverlap()
	return joining
}

// generationOf returns the generation of the sources of a namespace, or a new one. The caller holds events.
func (i *Informer) generationOf(namespace string) int64 {
	for _, s := range i.sources {
		if s.part.Namespace == namespace {
			return s.generation
		}
	}
	return generations.Add(1)
}

// Generation returns a number that is higher each time a namespace is added, or 0 if nobody lists it.
func (i *Informer) Generation(namespace string) int64 {
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range i.sources {
		if s.part.CoversNamespace(namespace) {
			return s.generation
		}
	}
	return 0
}

// launch starts a source if the informer is running. The caller holds lock.
func (i *Informer) launch(s *source) {
	if !i.run.ends() && !i.paused {
		s.launch(i.run.ctx)
	}
}

// heldBy returns the arcs of sources.
func heldBy(sources []*source) arcs.Set {
	held := make([]arcs.Set, len(sources))
	for n, s := range sources {
		held[n] = s.part.Arcs
	}
	return arcs.Union(held...)
}

// sourcesOf returns the sources by the namespaces that they list. The caller holds events.
func (i *Informer) sourcesOf() map[string][]*source {
	of := map[string][]*source{}
	for _, s := range i.sources {
		of[s.part.Namespace] = append(of[s.part.Namespace], s)
	}
	return of
}

// noteOverlap finds out whether two sources may have the same objects. Sources of one namespace have different arcs. The caller holds
// events.
func (i *Informer) noteOverlap() {
	isWhole := func(s *source) bool { return s.part.Namespace == metav1.NamespaceAll }
	i.overlap = slices.ContainsFunc(i.sources, isWhole) && slices.ContainsFunc(i.sources, func(s *source) bool { return !isWhole(s) })
}

// awaitSources waits until the sources have synced. It returns immediately if the informer is not running.
func (i *Informer) awaitSources(ctx context.Context, sources []*source) ([]Failure, error) {
	var missing []*source
	if i.changed.Until(ctx, func() (done bool) {
		var running bool
		missing, running = i.missing(sources)
		return len(missing) == 0 || !running
	}) {
		return nil, nil
	}
	return failuresOf(missing), fmt.Errorf("waiting for %s: %w", namesOf(missing), context.Cause(ctx))
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

// settle completes the joining of sources. It returns the sources that have more than the scope, and the parts that they keep.
func (i *Informer) settle(joining []*source, to scope) (leaving []*source, keep []arcs.Part) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range joining {
		s.joining = false
	}
	for _, s := range i.sources {
		kept := arcs.Set{}
		if slices.Contains(to.namespaces, s.part.Namespace) {
			kept = s.part.Arcs.And(to.arcs)
		}
		if !slices.Equal(kept, s.part.Arcs) {
			leaving = append(leaving, s)
			keep = append(keep, i.divide(s.part.Namespace, kept)...)
		}
	}
	i.config.Namespaces, i.config.Arcs, i.config.Unsettled = append([]string{}, to.namespaces...), to.arcs, false
	i.publishVersion()
	if !i.run.ends() && !i.paused {
		i.checkSynced()
	}
	i.arrange()
	return leaving, keep
}

// exchange stops sources for good, and adds a source for each part. A part that the stopped sources had together is not listed: its source
// watches from where they were. Then it removes the objects that no source has.
func (i *Informer) exchange(leaving []*source, parts []arcs.Part) {
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
	for _, p := range parts {
		s := newSource(i, p)
		s.continueFrom(leaving)
		i.sources = append(i.sources, s)
		i.launch(s)
	}
	i.sources = slices.DeleteFunc(i.sources, func(s *source) bool { return slices.Contains(leaving, s) })
	i.noteOverlap()
	for _, s := range leaving {
		i.lists += s.listed()
		for _, f := range slices.Concat(s.floors, []floor{{s.part, s.version}}) {
			for _, goesOn := range i.sources {
				goesOn.raise(f)
			}
		}
		i.forget(s.part, i.watches)
	}
	i.publishVersion()
	i.checkSynced()
	i.arrange()
	i.changed.Send()
}

// leave stops sources for good, also if the informer starts at the same time. It returns functions that wait for them.
func (i *Informer) leave(sources []*source) (waits []func()) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	for _, s := range sources {
		s.leaving = true
		waits = append(waits, s.halt())
	}
	return waits
}

// continueFrom makes a new source watch from the lowest version of stopped sources, if these have listed all of its objects. The caller
// holds Informer.events.
func (s *source) continueFrom(stopped []*source) {
	var lowest version
	had := arcs.Set{}
	for _, o := range stopped {
		if !o.part.Overlaps(s.part) {
			continue
		}
		first := len(had) == 0
		if !o.synced || o.version.text == "" || !first && !o.version.known {
			return
		}
		if first || lowest.reaches(o.version) {
			lowest = o.version
		}
		if o.part.CoversNamespace(s.part.Namespace) {
			had = arcs.Union(had, o.part.Arcs)
		}
	}
	if lowest.text != "" && len(s.part.Arcs.Minus(had)) == 0 {
		s.version, s.synced, s.since = lowest, true, lowest.text
	}
}

// floor is a part of a source that a stopped source had brought further. The store has all of its changes up to the version.
type floor struct {
	part    arcs.Part
	version version
}

// raise gives a source the floor that a stopped source leaves, if it is behind. The caller holds Informer.events.
func (s *source) raise(left floor) {
	common, ok := s.part.And(left.part)
	if ok && left.version.known && !s.version.reaches(left.version) {
		s.floors = append(s.floors, floor{common, left.version})
	}
}

// Listed reports whether the objects of a namespace have been listed since the informer was last started.
func (i *Informer) Listed(namespace string) bool {
	i.events.Lock()
	defer i.events.Unlock()
	missing := i.config.Arcs
	for _, s := range i.sources {
		if s.synced && s.part.CoversNamespace(namespace) {
			missing = missing.Minus(s.part.Arcs)
		}
	}
	return len(missing) == 0
}

// forget removes the objects of a part from the store, but for places for which keep returns true, and notifies the handlers. The caller
// holds events.
func (i *Informer) forget(p arcs.Part, keep func(arcs.Place) bool) {
	gone := store.Objects{}
	i.swap(p, nil, func(stored store.Objects) store.Objects {
		kept := store.Objects{}
		for name, obj := range stored.All() {
			if at := i.config.Key.PlaceOf(obj); keep(at) || !p.Covers(at) {
				kept.Put(name, obj)
			} else {
				gone.Put(name, obj)
			}
		}
		return kept
	}, func() {
		for name, before := range gone.All() {
			i.tellRemoved(before, unseenDeletion(name, before))
		}
	})
}

// watches reports whether any source has the objects of a place. The caller holds events.
func (i *Informer) watches(at arcs.Place) bool {
	return slices.ContainsFunc(i.sources, func(s *source) bool { return s.part.Covers(at) })
}
