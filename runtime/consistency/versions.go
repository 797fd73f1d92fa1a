package consistency

import (
	"context"
	"maps"
	"strconv"
	"sync"
	"time"
)

// Versions has the highest resource versions that were written, by what an informer watches: "deployments.apps", "deployments.apps/shop" of
// an informer for listed namespaces, and with the selectors if the informer has any.
type Versions map[string]string

// Merge returns the higher version of each.
func (v Versions) Merge(other Versions) Versions {
	merged := maps.Clone(v)
	if merged == nil {
		merged = Versions{}
	}
	for key, version := range other {
		if parseVersion(version) > parseVersion(merged[key]) {
			merged[key] = version
		}
	}
	return merged
}

// scope is a part of a cache that lags independently of others: a namespace, or everything.
type scope struct {
	cache     *Cache
	namespace string
}

// scopeOf returns the scope of the objects of a namespace.
func (c *Cache) scopeOf(namespace string) scope {
	if c.watches("") {
		namespace = ""
	}
	return scope{c, namespace}
}

// key returns the key of Versions. Versions of caches with different selectors must not be mixed: no event would come about them.
func (s scope) key() string {
	key := s.cache.resource.GroupResource().String()
	if s.namespace != "" {
		key += "/" + s.namespace
	}
	if !s.cache.labels.Empty() {
		key += "?labels=" + s.cache.labels.String()
	}
	if !s.cache.fields.Empty() {
		key += "?fields=" + s.cache.fields.String()
	}
	return key
}

// marks has the highest version that was written to each scope.
type marks struct {
	lock   sync.Mutex
	scopes map[scope]mark
}

type mark struct {
	version uint64
	at      time.Time
	// seen is set if the cache has reached the version.
	seen bool
}

// note records a version that was written now.
func (m *marks) note(s scope, version uint64, now time.Time) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.scopes == nil {
		m.scopes = map[scope]mark{}
	}
	m.refresh(s)
	if version > m.scopes[s].version {
		m.scopes[s] = mark{version: version, at: now}
	}
}

// refresh forgets a version that no cache will reach: the scope is no longer watched, or the cache was beyond it and went back, because
// the API server was restored from a backup. The caller holds the lock.
func (m *marks) refresh(s scope) {
	current, ok := m.scopes[s]
	if !ok {
		return
	}
	reached := parseVersion(s.cache.reached(s.namespace))
	switch {
	case !s.cache.watches(s.namespace) || current.seen && reached != 0 && reached < current.version:
		delete(m.scopes, s)
	case reached >= current.version:
		current.seen = true
		m.scopes[s] = current
	}
}

// Written returns the highest resource version that the sessions of the tracker have written to each cache, and the versions of
// [Tracker.CatchUp]. A process that takes over from this one passes them to CatchUp. Deletions are not included, because the API server
// does not return their versions, nor are versions from before a restore of the API server from a backup, and versions written so
// long ago that nobody would wait for them: more than twice the timeout, see [WithTimeout].
func (t *Tracker) Written() Versions {
	m := &t.written
	m.lock.Lock()
	defer m.lock.Unlock()
	versions := Versions{}
	for s := range m.scopes {
		m.refresh(s)
		current, ok := m.scopes[s]
		switch {
		case !ok:
		case t.clock.Since(current.at) > 2*t.timeout:
			delete(m.scopes, s)
		default:
			versions = versions.Merge(Versions{s.key(): strconv.FormatUint(current.version, 10)})
		}
	}
	return versions
}

// catchUpPeriod is how often CatchUp checks the caches: they also reach versions without an event.
const catchUpPeriod = 50 * time.Millisecond

// CatchUp waits until the caches, which must have synced, have reached the versions that another tracker has [Tracker.Written], usually
// the previous leader's. It returns the versions that the caches do not have after the timeout, see [WithTimeout], or when ctx is
// done. They are forgotten; all others count as written by this tracker. Objects that no cache watches are ignored, and so are caches
// without resource versions, as with fake clientsets.
func (t *Tracker) CatchUp(ctx context.Context, written Versions) (behind Versions) {
	deadline := t.clock.NewTimer(t.timeout)
	defer deadline.Stop()
	for {
		if behind = t.behind(written); len(behind) == 0 || t.timeout == 0 {
			break
		}
		recheck := t.clock.NewTimer(catchUpPeriod)
		select {
		case <-recheck.C():
			continue
		case <-deadline.C():
		case <-ctx.Done():
		}
		recheck.Stop()
		behind = t.behind(written)
		break
	}
	for _, c := range *t.caches.Load() {
		for _, s := range c.scopes() {
			if version, ok := written[s.key()]; ok && behind[s.key()] == "" {
				t.written.note(s, parseVersion(version), t.clock.Now())
			}
		}
	}
	return behind
}

// behind returns the versions that the caches have not reached.
func (t *Tracker) behind(written Versions) Versions {
	behind := Versions{}
	for _, c := range *t.caches.Load() {
		for _, s := range c.scopes() {
			if c.sharded {
				continue // who gets a shard lists it after the last write of whoever had it
			}
			version := written[s.key()]
			if reached := c.reached(s.namespace); reached != "" && parseVersion(reached) < parseVersion(version) {
				behind[s.key()] = version
			}
		}
	}
	return behind
}

// scopes returns the scopes of the cache.
func (c *Cache) scopes() (scopes []scope) {
	if c.watches("") {
		return []scope{{c, ""}}
	}
	for _, namespace := range c.namespaces() {
		scopes = append(scopes, scope{c, namespace})
	}
	return scopes
}
