package store

import (
	"maps"
	"slices"
)

// change is a change in the history of a resource. Each watch refers to the change that it delivered last and waits for the next,
// so slow watches block nothing, and changes that no watch needs can be freed.
type change struct {
	key           Key
	is, was       *Record // deletions only have was, creations only is
	revision      uint64
	next          *change
	nextAvailable chan struct{}
}

// append appends a change to the history.
func (r *Resource) append(c *change) {
	r.latest.next = c
	close(r.latest.nextAvailable)
	r.latest = c
	r.kept++
}

// Compact drops the history of all resources.
func (s *Store) Compact() {
	s.compacted = s.revision
	for _, r := range s.resources {
		for r.oldest.next != nil {
			r.oldest = r.oldest.next
			r.kept--
		}
	}
}

// Oldest returns the oldest revision from which changes of a resource are kept.
func (s *Store) Oldest(r *Resource) uint64 { return max(s.compacted, r.oldest.revision) }

// since returns the last change up to a revision. It returns false if later changes may have been dropped.
func (s *Store) since(r *Resource, revision uint64) (*change, bool) {
	if revision < s.Oldest(r) {
		return nil, false
	}
	if revision >= r.latest.revision {
		return r.latest, true
	}
	c := r.oldest
	for c.next != nil && c.next.revision <= revision {
		c = c.next
	}
	return c, true
}

// at returns the keys of a resource, in list order, and its objects at a revision. It returns false if the revision is no longer
// kept.
func (s *Store) at(r *Resource, revision uint64) ([]Key, map[Key]*Record, bool) {
	c, ok := s.since(r, revision)
	if !ok {
		return nil, nil, false
	}
	if c.next == nil {
		return r.keys(), r.objects, true
	}
	objects, undone := maps.Clone(r.objects), map[Key]bool{}
	for c = c.next; c != nil; c = c.next {
		if undone[c.key] {
			continue
		}
		undone[c.key] = true
		if c.was == nil {
			delete(objects, c.key)
		} else {
			objects[c.key] = c.was
		}
	}
	return slices.SortedFunc(maps.Keys(objects), compareKeys), objects, true
}
