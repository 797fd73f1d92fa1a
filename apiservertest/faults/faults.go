// Package faults makes an API server misbehave on purpose: rules choose requests, actions say what becomes of them.
//
// An Injector is put into the server's chain of handlers, behind authentication, see apiserver.Options.Wrap. There
// every request carries the server's own description, its request.RequestInfo.
package faults

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"k8s.io/apiserver/pkg/endpoints/request"
)

// Rule chooses requests. A field that is empty or zero chooses all.
type Rule struct {
	// Verbs are the verbs as the server sees them: get, list, watch, create, update, patch, delete, deletecollection.
	Verbs []string
	// Resource and Subresource are as in a path: deployments, status. A rule without a Subresource is for requests
	// without one, unless it has no Resource either.
	Resource, Subresource string
	// Match, when set, has the last word.
	Match func(*request.RequestInfo, *http.Request) bool
	// Share is the share of the requests that are hit, chosen by the Injector's generator of random numbers; 0 is all.
	Share float64
	// Times is how many requests are hit at most; 0 is any number.
	Times int
	// Do is what becomes of those that are hit.
	Do Action
}

// Action handles a request in place of the API, or with its help: next is the API.
type Action func(w http.ResponseWriter, r *http.Request, next http.Handler)

// Injector applies rules to the requests of a server. It is safe for concurrent use, and so are its Faults.
type Injector struct {
	mu      sync.Mutex
	random  *rand.Rand
	faults  []*Fault
	watches map[*openWatch]struct{}
}

// openWatch is a watch under way.
type openWatch struct {
	info  *request.RequestInfo
	cut   context.CancelCauseFunc
	ended chan struct{}
}

// errDropped is why a watch ends that DropWatches drops.
var errDropped = errors.New("dropped")

// New makes an Injector without rules. The same seed makes the same choices for the same sequence of requests.
func New(seed uint64) *Injector {
	return &Injector{random: rand.New(rand.NewPCG(seed, seed)), watches: map[*openWatch]struct{}{}}
}

// Fault is a rule in force.
type Fault struct {
	injector *Injector
	rule     Rule
	hits     int
	changed  chan struct{} // closed and replaced with every hit
}

// Add puts a rule into force. Of several that choose a request, the first that was added gets it.
func (i *Injector) Add(rule Rule) *Fault {
	fault := &Fault{injector: i, rule: rule, changed: make(chan struct{})}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = append(i.faults, fault)
	return fault
}

// Clear removes all rules.
func (i *Injector) Clear() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults = nil
}

// Remove ends the rule.
func (f *Fault) Remove() {
	f.injector.mu.Lock()
	defer f.injector.mu.Unlock()
	f.injector.faults = slices.DeleteFunc(f.injector.faults, func(other *Fault) bool { return other == f })
}

// Hits is how many requests the rule has hit.
func (f *Fault) Hits() int {
	f.injector.mu.Lock()
	defer f.injector.mu.Unlock()
	return f.hits
}

// WaitHits waits until the rule has hit so many requests.
func (f *Fault) WaitHits(ctx context.Context, hits int) error {
	for {
		f.injector.mu.Lock()
		enough, changed := f.hits >= hits, f.changed
		f.injector.mu.Unlock()
		if enough {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// DropWatches breaks the connections of all watches of a resource that are under way, and returns their number once
// they are gone.
func (i *Injector) DropWatches(resource string) int {
	i.mu.Lock()
	var dropped []*openWatch
	for watch := range i.watches {
		if watch.info.Resource == resource {
			dropped = append(dropped, watch)
		}
	}
	i.mu.Unlock()
	for _, watch := range dropped {
		watch.cut(errDropped)
		<-watch.ended
	}
	return len(dropped)
}

// Wrap puts the injector in front of the API.
func (i *Injector) Wrap(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info, ok := request.RequestInfoFrom(r.Context())
		if !ok || !info.IsResourceRequest {
			api.ServeHTTP(w, r)
			return
		}
		next := api
		if do := i.choose(info, r); do != nil {
			next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { do(w, r, api) })
		}
		if info.Verb == "watch" {
			i.serveWatch(w, r, next, info)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// choose returns the action for a request; nil for the normal one.
func (i *Injector) choose(info *request.RequestInfo, r *http.Request) Action {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, fault := range i.faults {
		rule := &fault.rule
		if rule.Times > 0 && fault.hits >= rule.Times || !rule.chooses(info, r) {
			continue
		}
		if rule.Share > 0 && i.random.Float64() >= rule.Share {
			continue
		}
		fault.hits++
		close(fault.changed)
		fault.changed = make(chan struct{})
		return rule.Do
	}
	return nil
}

func (rule *Rule) chooses(info *request.RequestInfo, r *http.Request) bool {
	if len(rule.Verbs) > 0 && !slices.Contains(rule.Verbs, info.Verb) {
		return false
	}
	if rule.Resource != "" && (rule.Resource != info.Resource || rule.Subresource != info.Subresource) {
		return false
	}
	return rule.Match == nil || rule.Match(info, r)
}

// serveWatch serves a watch that DropWatches can break.
func (i *Injector) serveWatch(w http.ResponseWriter, r *http.Request, api http.Handler, info *request.RequestInfo) {
	ctx, cut := context.WithCancelCause(r.Context())
	defer cut(nil)
	watch := &openWatch{info: info, cut: cut, ended: make(chan struct{})}
	i.mu.Lock()
	i.watches[watch] = struct{}{}
	i.mu.Unlock()
	defer func() {
		i.mu.Lock()
		delete(i.watches, watch)
		i.mu.Unlock()
		close(watch.ended)
	}()
	api.ServeHTTP(w, r.WithContext(ctx))
	if errors.Is(context.Cause(ctx), errDropped) {
		abort()
	}
}
