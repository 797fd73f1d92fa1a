package shared

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
)

// version is a resource version. Versions of one resource are comparable if they are numbers, see KEP-5504.
type version struct {
	text   string
	number uint64
	// known is set if the version is a number. Fake clientsets often have none.
	known bool
}

func parseVersion(text string) version {
	number, err := strconv.ParseUint(text, 10, 64)
	return version{text, number, err == nil}
}

// versionOf returns the resource version of an object.
func versionOf(obj any) version {
	object, err := meta.Accessor(obj)
	if err != nil {
		return version{}
	}
	return parseVersion(object.GetResourceVersion())
}

// reaches reports whether a version is at least as new as another. It is false if they are not comparable.
func (v version) reaches(other version) bool {
	return v.known && other.known && v.number >= other.number
}

// reached records the version that the source has reached: the store has all changes of its namespace up to it. The caller holds
// events.
func (s *source) reached(v version) {
	if v.text == s.version.text {
		return
	}
	s.version = v
	s.floors = slices.DeleteFunc(s.floors, func(f floor) bool { return v.reaches(f.version) })
	if i := s.informer; !s.joining && (i.lowest == nil || i.lowest == s || !v.reaches(i.lowest.version)) {
		i.publishVersion()
	}
}

// publishVersion sets the version of the store: the lowest of all sources, or none if it is not known. It is called if the lowest
// may have changed: with many namespaces, that is rare. The caller holds events.
func (i *Informer) publishVersion() {
	i.lowest = nil
	for _, s := range i.sources {
		switch {
		case s.joining:
			continue
		case i.lowest == nil:
			i.lowest = s
		case !s.version.reaches(i.lowest.version):
			i.lowest = s
		}
		if !s.version.known {
			break // an unknown version decides
		}
	}
	text := ""
	if i.lowest != nil && (i.lowest.version.known || len(i.sources) == 1) {
		text = i.lowest.version.text
	}
	i.store.Bookmark(text)
	i.metrics.reached(text)
}

// Reached returns the resource version up to which the store has all changes of a namespace, or of everything that the informer
// watches if namespace is empty. It is empty if the namespace is not watched, has not been listed, or has versions that are not
// numbers while there are several namespaces.
func (i *Informer) Reached(namespace string) string {
	i.events.Lock()
	defer i.events.Unlock()
	if namespace == "" {
		return i.store.LastStoreSyncResourceVersion()
	}
	var sources []*source
	for _, s := range i.sources {
		if s.part.CoversNamespace(namespace) {
			sources = append(sources, s)
		}
	}
	if settled := slices.DeleteFunc(slices.Clone(sources), func(s *source) bool { return s.joining }); len(settled) > 0 {
		return lowestOf(settled, sources)
	}
	return lowestOf(sources, sources)
}

// lowestOf returns the lowest version that arcs of sources have reached, each by one of all sources.
func lowestOf(sources, all []*source) string {
	var lowest version
	for n, s := range sources {
		most := s.version
		for _, other := range all {
			if len(s.part.Arcs.Minus(other.part.Arcs)) == 0 && other.version.reaches(most) {
				most = other.version
			}
		}
		if n == 0 || lowest.known && !most.reaches(lowest) {
			lowest = most
		}
	}
	return lowest.text
}

// metrics publishes the resource version of the store as client-go's informers do, if the informer has a name.
type metrics struct {
	// store is an empty client-go store: only client-go can register the metric.
	store interface{ Bookmark(version string) }
}

func (m metrics) reached(version string) {
	if m.store != nil && version != "" {
		m.store.Bookmark(version)
	}
}
