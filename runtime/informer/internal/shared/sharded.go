package shared

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/sharding"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/selecting"
)

// SetShardSelector limits the informer to a shard of all objects (KEP-5866), as the method of later releases of client-go does. It may be
// called while the informer is running: it does not wait until new objects are listed. It returns an error for a selector that is not made
// of ranges, or that has another key than the one of a started informer.
func (i *Informer) SetShardSelector(selector sharding.Selector) error {
	key, set, err := arcs.Parse(selector)
	if err != nil {
		return err
	}
	if err := i.setKey(key, set.IsAll()); err != nil {
		return err
	}
	i.ResetArcs(set)
	return nil
}

// setKey sets the key of shards. The set of all objects has any key.
func (i *Informer) setKey(key arcs.Key, all bool) error {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	switch {
	case key == i.config.Key || all:
		return nil
	case i.started > 0 || i.config.Key.Label != "":
		return fmt.Errorf("%s has started with another key for its shards", i)
	}
	i.config.Key = key
	return nil
}

// filtering says whether the server or the client filters by arcs.
type filtering uint8

const (
	// byServer: lists have no object of another arc. Each arc has a source. Zero means that no list has been answered.
	byServer filtering = iota + 1
	// byClient: the API server ignores the selector. All arcs of a namespace share a source, so that everything is received once.
	byClient
)

// mostSources is the number of sources of a namespace up to which arcs that touch stay apart. Arcs come and go in pieces.
const mostSources = 8

// sawOthers notes whether an answer of the API server had objects of other arcs. The caller holds events.
func (i *Informer) sawOthers(others bool) {
	now := byServer
	if others {
		now = byClient
	}
	if before := i.filtering; before != now {
		i.filtering = now
		switch logger := klog.Background(); {
		case others:
			logger.Info("The API server ignores shard selectors: all objects are received, and a part is kept",
				"resource", i.config.Resource.GroupResource())
		case before == byClient:
			logger.Info("The API server filters by shard selectors", "resource", i.config.Resource.GroupResource())
		}
	}
}

// divide returns the parts of a set that have a source each. The caller holds events.
func (i *Informer) divide(namespace string, set arcs.Set) (parts []arcs.Part) {
	if i.filtering != byServer && len(set) > 0 {
		return []arcs.Part{{Namespace: namespace, Arcs: set}}
	}
	for _, arc := range set {
		parts = append(parts, arcs.Part{Namespace: namespace, Arcs: arcs.Set{arc}})
	}
	return parts
}

// arrange replaces the sources in the background if divide returns others. The caller holds events.
func (i *Informer) arrange() {
	if i.arranging || i.run == nil || i.run.ending {
		return
	}
	if leaving, _ := i.misplaced(); len(leaving) == 0 {
		return
	}
	i.arranging = true
	i.run.listeners.Go(func() {
		i.changing.Lock()
		defer i.changing.Unlock()
		i.events.Lock()
		i.arranging = false
		leaving, parts := i.misplaced()
		i.events.Unlock()
		i.exchange(leaving, parts)
	})
}

// misplaced returns the sources of namespaces that should be divided otherwise, and the parts that should have one instead. The caller
// holds events.
func (i *Informer) misplaced() (leaving []*source, parts []arcs.Part) {
	if i.run.ends() || i.paused {
		return nil, nil
	}
	if i.config.Arcs.IsAll() && len(i.sources) == len(i.config.Namespaces) {
		return nil, nil // as in most informers, each time that one of thousands of namespaces has been listed
	}
	of := i.sourcesOf()
	for _, namespace := range i.config.Namespaces {
		sources := of[namespace]
		if slices.ContainsFunc(sources, func(s *source) bool { return !s.synced || s.joining || s.leaving }) {
			continue
		}
		wanted := i.divide(namespace, heldBy(sources))
		several := slices.ContainsFunc(sources, func(s *source) bool { return len(s.part.Arcs) > 1 })
		split := several && i.filtering == byServer
		join := len(sources) > len(wanted) && (i.filtering == byClient || len(sources) > mostSources)
		if !split && !join {
			continue
		}
		for _, s := range sources {
			if n := slices.IndexFunc(wanted, s.part.Equals); n >= 0 {
				wanted = slices.Delete(wanted, n, n+1)
			} else {
				leaving = append(leaving, s)
			}
		}
		parts = append(parts, wanted...)
	}
	return leaving, parts
}

// listed records that a source has listed. The caller holds events.
func (i *Informer) listed(s *source, v version) {
	s.reached(v)
	if i.run.ends() {
		return // the list of a run that was stopped must not complete the sync of the next
	}
	s.synced, s.arriving = true, false
	if !s.part.Arcs.IsAll() && i.config.Key.MayBeIgnored() {
		i.sawOthers(s.listedOthers())
	}
	i.checkSynced()
	i.arrange()
	i.changed.Send()
}

// ignored notes that the API server has ignored the selector of a source.
func (i *Informer) ignored(s *source) {
	if s.noteOthers(true) {
		return // it has been noted since the last list
	}
	i.events.Lock()
	defer i.events.Unlock()
	i.sawOthers(true)
	i.arrange()
}

// requests returns the requests for the part.
func (s *source) requests() *selecting.Requests {
	return &selecting.Requests{
		Key: s.informer.config.Key, Arcs: s.part.Arcs,
		Others:  func(are bool) { s.noteOthers(are) },
		Ignored: func() { s.informer.ignored(s) },
	}
}

// noteOthers records whether the current list has objects of other arcs, and returns what was recorded before.
func (s *source) noteOthers(others bool) (before bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	before, s.others = s.others, others
	return before
}

func (s *source) listedOthers() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.others
}
