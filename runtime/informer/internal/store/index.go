package store

import (
	"fmt"
	"maps"
	"slices"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
)

// entries has the objects of an index by key. A set of objects takes a third of the memory of a map from names to objects.
type entries map[string]map[any]struct{}

// index finds objects by the keys that a function returns for them.
type index struct {
	name   string
	keysOf cache.IndexFunc
	// entries is nil for the index by namespace, whose objects are found by their namespace. An index with the name
	// cache.NamespaceIndex is always that index.
	entries entries
}

func newIndex(name string, keysOf cache.IndexFunc) *index {
	if name == cache.NamespaceIndex {
		return &index{name: name, keysOf: cache.MetaNamespaceIndexFunc}
	}
	return &index{name: name, keysOf: keysOf, entries: entries{}}
}

// keys returns the keys of an object. If the index function fails, the object is not indexed.
func (i *index) keys(name cache.ObjectName, obj any) []string {
	keys, err := i.keysOf(obj)
	if err != nil {
		utilruntime.HandleError(fmt.Errorf("index %q omits %s: %w", i.name, name, err))
	}
	return keys
}

// enter adds an object to the entries of its keys.
func (e entries) enter(keys []string, obj any) {
	for _, key := range keys {
		if e[key] == nil {
			e[key] = map[any]struct{}{}
		}
		e[key][obj] = struct{}{}
	}
}

// leave removes an object from the entries of its keys.
func (e entries) leave(keys []string, obj any) {
	for _, key := range keys {
		delete(e[key], obj)
		if len(e[key]) == 0 {
			delete(e, key)
		}
	}
}

// change is a change of an index for one object that replaces another, whose keys are known. Each may be nil.
type change struct {
	index        *index
	leave, enter []string
	before, obj  any
}

// publish makes the change. The caller holds both locks.
func (c change) publish() {
	c.index.entries.leave(c.leave, c.before)
	c.index.entries.enter(c.enter, c.obj)
}

// changes returns the changes of all indexes for an object that replaces another. Each may be nil. The caller holds writing.
func (s *Store) changes(name cache.ObjectName, before, obj any) (changes []change) {
	for _, index := range s.indexes {
		if index.entries == nil {
			continue
		}
		c := change{index: index, before: before, obj: obj}
		if before != nil {
			c.leave = index.keys(name, before)
		}
		if obj != nil {
			c.enter = index.keys(name, obj)
		}
		if len(c.leave) > 0 || len(c.enter) > 0 {
			changes = append(changes, c)
		}
	}
	return changes
}

// changesOf returns the changes of all indexes for objects that replace others. The caller holds writing.
func (s *Store) changesOf(old, fresh Objects) (changes []change) {
	for name, before := range old.All() {
		obj, _ := fresh.Get(name)
		changes = append(changes, s.changes(name, before, obj)...)
	}
	for name, obj := range fresh.All() {
		if _, replaces := old.Get(name); !replaces {
			changes = append(changes, s.changes(name, nil, obj)...)
		}
	}
	return changes
}

// rebuilt returns the entries of all indexes for objects. The caller holds writing.
func (s *Store) rebuilt(objects Objects) map[*index]entries {
	all := map[*index]entries{}
	for _, index := range s.indexes {
		if index.entries != nil {
			all[index] = index.of(objects)
		}
	}
	return all
}

// of returns the entries for objects.
func (i *index) of(objects Objects) entries {
	found := make(entries, len(i.entries))
	for name, obj := range objects.All() {
		for _, key := range i.keys(name, obj) {
			if found[key] == nil {
				found[key] = make(map[any]struct{}, len(i.entries[key])) // a new list resembles the old one
			}
			found[key][obj] = struct{}{}
		}
	}
	return found
}

// appendFound appends the objects that an index has for a key. The caller holds reading.
func (s *Store) appendFound(dst []any, indexName, key string) ([]any, error) {
	index, err := s.index(indexName)
	switch {
	case err != nil:
		return dst, err
	case index.entries == nil:
		found := s.objects[key]
		return slices.AppendSeq(slices.Grow(dst, len(found)), maps.Values(found)), nil
	}
	found := index.entries[key]
	return slices.AppendSeq(slices.Grow(dst, len(found)), maps.Keys(found)), nil
}

// index returns an index, or an error if it does not exist. The caller holds reading.
func (s *Store) index(name string) (*index, error) {
	if found, ok := s.indexes[name]; ok {
		return found, nil
	}
	return nil, fmt.Errorf("index with name %s does not exist", name)
}
