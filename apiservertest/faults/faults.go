// Package faults makes an API server misbehave on purpose: rules select requests, and actions handle them.
//
// An Injector is part of the server's handler chain, behind authentication, where every request has a
// request.RequestInfo. See apiservertest.Server.Faults.
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

// Rule selects requests. An empty or zero field selects all.
type Rule struct {
	// Verbs are the verbs as the server sees them: get, list, watch, create, update, patch, delete, deletecollection.
	Verbs []string
	// Resource and Subresource are spelled as in paths: deployments, status. A rule with a Resource and no Subresource
	// selects requests without a subresource.
	Resource, Subresource string
	// Match, if set, must also accept the request.
	Match func(*request.RequestInfo, *http.Request) bool
	// Share is the fraction of requests to hit, chosen with the Injector's random number generator; 0 means all.
	Share float64
	// Times is the maximum number of requests to hit; 0 means no limit.
	Times int
	// Do handles the requests that are hit.
	Do Action
}

// Action handles a request instead of the API, or by calling it: next is the API.
type Action func(w http.ResponseWriter, r *http.Request, next http.Handler)

// Injector applies rules to the requests of a server. It is safe for concurrent use, and so are its Faults.
type Injector struct {
	mu      sync.Mutex
	random  *rand.Rand
	faults  []*Fault
	watches map[*openWatch]struct{}
}

// openWatch is an open watch.
type openWatch struct {
	info  *request.RequestInfo
	cut   context.CancelCauseFunc
	ended chan struct{}
}

// errDropped is the cancellation cause of watches that DropWatches breaks.
var errDropped = errors.New("dropped")

// New returns an Injector without rules. The same seed leads to the same choices for the same sequence of requests.
func New(seed uint64) *Injector {
	return &Injector{random: rand.New(rand.NewPCG(seed, seed)), watches: map[*openWatch]struct{}{}}
}

// Fault is an active rule.
type Fault struct {
	injector *Injector
	rule     Rule
	hits     int
	changed  chan struct{} // closed and replaced with every hit
}

// Add activates a rule. If several rules select a request, the first one added handles it.
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

// Remove deactivates the rule.
func (f *Fault) Remove() {
	f.injector.mu.Lock()
	defer f.injector.mu.Unlock()
	f.injector.faults = slices.DeleteFunc(f.injector.faults, func(other *Fault) bool { return other == f })
}

// Hits returns the number of requests that the rule has hit.
func (f *Fault) Hits() int {
	f.injector.mu.Lock()
	defer f.injector.mu.Unlock()
	return f.hits
}

// WaitHits waits until the rule has hit this many requests.
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

// DropWatches breaks the connections of all open watches of a resource, and returns their number when they have ended.
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

// choose returns the action for a request, or nil if no rule selects it.
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
