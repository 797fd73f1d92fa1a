package shared

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
)

// Failure is the reason why the objects of a namespace cannot be listed or watched.
type Failure struct {
	// Namespace is empty for all namespaces and for cluster-scoped kinds.
	Namespace string
	// Err is the last response of the API server, or the reason why there was none.
	Err error
}

// Failures returns the current reasons by namespace.
func (i *Informer) Failures() []Failure {
	i.lock.Lock()
	sources := slices.Clone(i.sources)
	i.lock.Unlock()
	return failuresOf(sources)
}

// Unsynced returns the reasons for namespaces that have not synced.
func (i *Informer) Unsynced() []Failure {
	i.lock.Lock()
	sources := slices.Clone(i.sources)
	i.lock.Unlock()
	missing, _ := i.missing(sources)
	return failuresOf(missing)
}

func failuresOf(sources []*source) (failures []Failure) {
	for _, s := range sources {
		if err := s.lastFailure(); err != nil {
			failures = append(failures, Failure{s.part.Namespace, err})
		}
	}
	slices.SortFunc(failures, func(a, b Failure) int { return strings.Compare(a.Namespace, b.Namespace) })
	return failures
}

// KeepsManagedFields reports whether cached objects have managed fields.
func (i *Informer) KeepsManagedFields() bool {
	return i.config.Trimmer.KeepManagedFields || i.config.Trimmer.Also.Any()
}

// State is the state of an informer.
type State struct {
	// Namespaces are sorted. They are nil for all namespaces and for cluster-scoped kinds.
	Namespaces      []string
	Objects         int
	Bytes           int64
	Handlers        int
	Pending         int
	Running, Synced bool
	ResourceVersion string
	Watches         int
	Lists           int
	Restarts        int
	// Selected are the options that Tweak sets, among them the selectors for labels and fields.
	Selected metav1.ListOptions
	// Shards are the arcs in words, or "" for all, and ShardsIgnored is set while the API server ignores their selector.
	Shards        string
	ShardsIgnored bool
	// FailedAt is the time of the last failed request, or zero.
	FailedAt time.Time
}

// State returns the state of the informer.
func (i *Informer) State() State {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	state := State{
		Objects:         i.store.Len(metav1.NamespaceAll),
		Bytes:           i.store.Bytes(),
		Handlers:        len(i.listeners),
		Running:         i.run != nil,
		Synced:          i.isSynced(),
		ResourceVersion: i.store.LastStoreSyncResourceVersion(),
		Restarts:        max(0, i.started-1),
		Lists:           i.lists,
		ShardsIgnored:   i.filtering == byClient && !i.config.Arcs.IsAll(),
	}
	if i.config.Tweak != nil {
		i.config.Tweak(&state.Selected)
	}
	if !i.config.Arcs.IsAll() {
		state.Shards = i.config.Arcs.String()
	}
	if !slices.Contains(i.config.Namespaces, metav1.NamespaceAll) {
		state.Namespaces = append([]string{}, i.config.Namespaces...)
		slices.Sort(state.Namespaces)
	}
	for _, l := range i.listeners {
		state.Pending += l.Pending()
	}
	for _, s := range i.sources {
		s.lock.Lock()
		state.Watches += s.watches
		state.Lists += s.lists
		if s.failedAt.After(state.FailedAt) {
			state.FailedAt = s.failedAt
		}
		s.lock.Unlock()
	}
	return state
}

// Pause stops all sources and drops all objects. Handlers receive a deletion for each. The informer keeps running, so that they do,
// and does not list before Resume. A resumed informer relists, because resource versions are not comparable across
// CustomResourceDefinitions.
func (i *Informer) Pause() {
	for _, wait := range i.pause() {
		wait()
	}
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.unsync()
	for _, s := range i.sources {
		s.reflector, s.version, s.floors = nil, version{}, nil
		s.continued()
		s.lock.Lock()
		s.failure = nil
		s.lock.Unlock()
	}
	i.forget(arcs.Part{Namespace: metav1.NamespaceAll, Arcs: arcs.All}, func(arcs.Place) bool { return false })
	i.publishVersion()
}

func (i *Informer) pause() (waits []func()) {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.paused = true
	for _, s := range i.sources {
		waits = append(waits, s.halt())
	}
	return waits
}

// Resume starts the sources of a running informer.
func (i *Informer) Resume() {
	i.lock.Lock()
	defer i.lock.Unlock()
	i.events.Lock()
	defer i.events.Unlock()
	i.paused = false
	if i.run.ends() {
		return
	}
	for _, s := range i.sources {
		s.launch(i.run.ctx)
	}
	i.checkSynced() // there may be no source
}
