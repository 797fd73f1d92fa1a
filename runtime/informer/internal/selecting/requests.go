// Package selecting sends requests for the objects in arcs, and removes all others from the answers.
package selecting

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
)

// Requests sends the requests for one part of the objects of a kind, with the selector of its arcs.
type Requests struct {
	Key  arcs.Key
	Arcs arcs.Set
	// Others is called with false before each list, and with true when an answer to it has objects of other arcs, or none is possible with
	// the selector. Ignored is called for each event of another arc.
	Others  func(are bool)
	Ignored func()

	// chain is the selector of the list whose pages are requested: a continue token goes with the selector that it was given for.
	chain string
}

// List lists with the selector, or without it if the API server refuses it.
func (r *Requests) List(
	ctx context.Context, options metav1.ListOptions, list func(context.Context, metav1.ListOptions) (runtime.Object, error),
) (runtime.Object, error) {
	if r.Arcs.IsAll() {
		return list(ctx, options)
	}
	if options.ResourceVersion == "0" {
		options.ResourceVersion = "" // the list begins after another replica has ended, and must have all that it wrote
	}
	if options.Continue != "" && r.Key.MayBeIgnored() {
		options.ShardSelector = r.chain
	} else if err := r.Key.Select(&options, r.Arcs); err != nil {
		return nil, err
	}
	if options.Continue == "" {
		r.Others(false)
	}
	answer, err := list(ctx, options)
	if refused(options, err) {
		options.ShardSelector = ""
		r.Others(true)
		answer, err = list(ctx, options)
	}
	r.chain = options.ShardSelector
	if err != nil {
		return nil, err
	}
	return answer, r.filter(answer)
}

// refused reports whether the API server does not accept a selector, which it may do without it.
func refused(options metav1.ListOptions, err error) bool {
	return options.ShardSelector != "" && (apierrors.IsBadRequest(err) || apierrors.IsInvalid(err))
}

// Watch is List for a watch, whose delivery.Events have to be filtered.
func (r *Requests) Watch(
	ctx context.Context, options metav1.ListOptions, open func(context.Context, metav1.ListOptions) (watch.Interface, error),
) (watch.Interface, error) {
	if r.Arcs.IsAll() {
		return open(ctx, options)
	}
	if options.SendInitialEvents != nil {
		if options.ResourceVersion == "0" {
			options.ResourceVersion = ""
		}
		r.Others(false)
	}
	if err := r.Key.Select(&options, r.Arcs); err != nil {
		return nil, err
	}
	opened, err := open(ctx, options)
	if refused(options, err) {
		options.ShardSelector = ""
		r.Others(true)
		opened, err = open(ctx, options)
	}
	return opened, err
}

// Keeps reports whether an event is about the arcs.
func (r *Requests) Keeps(event watch.Event) bool {
	if event.Type == watch.Bookmark || event.Type == watch.Error || r.has(event.Object) {
		return true
	}
	if !r.Key.MayBeIgnored() {
		// An object whose label changes leaves the arc. Whether it is the cached one is decided where it is removed.
		return event.Type == watch.Deleted
	}
	r.Ignored()
	return false
}

// has reports whether an object is in the arcs. Values without metadata pass: the reflector reports them.
func (r *Requests) has(obj runtime.Object) bool {
	if _, ok := obj.(metav1.Object); !ok || r.Arcs.IsAll() {
		return true
	}
	at := r.Key.PlaceOf(obj)
	return at.Hashed && r.Arcs.Has(at.Hash)
}

// filter removes objects of other arcs from a list, whatever the server says about it.
func (r *Requests) filter(list runtime.Object) error {
	listed, err := meta.ListAccessor(list)
	if err != nil {
		return err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	kept := make([]runtime.Object, 0, len(items))
	for _, item := range items {
		if r.has(item) {
			kept = append(kept, item)
		}
	}
	if len(kept) == len(items) {
		return nil
	}
	r.Others(true)
	listed.SetRemainingItemCount(nil)
	return meta.SetList(list, kept)
}

// relayed is a watch whose delivery.Events go through a function. Unlike watch.Filter, it ends when it is stopped while nobody receives.
type relayed struct {
	watch.Interface

	events chan watch.Event
	stop   func()
}

// Relay returns a watch with the delivery.Events of another one for which keep returns true, after a first event, unless that is zero.
func Relay(opened watch.Interface, first watch.Event, keep func(watch.Event) bool) watch.Interface {
	stopped := make(chan struct{})
	r := &relayed{opened, make(chan watch.Event), sync.OnceFunc(func() { close(stopped) })}
	go func() {
		defer close(r.events)
		send := func(event watch.Event) bool {
			select {
			case r.events <- event:
				return true
			case <-stopped:
				return false
			}
		}
		if first.Object != nil && !send(first) {
			return
		}
		for event := range opened.ResultChan() {
			if keep(event) && !send(event) {
				return
			}
		}
	}()
	return r
}

// ResultChan implements watch.Interface.
func (r *relayed) ResultChan() <-chan watch.Event { return r.events }

// Stop implements watch.Interface.
func (r *relayed) Stop() {
	r.stop()
	r.Interface.Stop()
}
