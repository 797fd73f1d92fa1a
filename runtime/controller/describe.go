package controller

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Status is the state of a controller, see [Controller.Describe]. It can be marshaled to JSON.
type Status struct {
	Name string `json:"name"`
	// APIVersion and Kind identify the reconciled kind. Resource is its resource and group, such as "deployments.apps".
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	// Synced is set once all caches have synced. Elected is set then, unless the controller is on standby, see WithElected. Running is
	// set while the controller reconciles.
	Synced  bool `json:"synced"`
	Elected bool `json:"elected"`
	Running bool `json:"running"`
	// Workers is the number of workers, Busy the number of reconciles in flight, and LongestRunning the time since the first of them began.
	Workers        int             `json:"workers"`
	Busy           int             `json:"busy"`
	LongestRunning metav1.Duration `json:"longestRunning"`
	// Urgent and Low count queued objects: Urgent after events, Low if the objects can wait, such as the initial list.
	Urgent int `json:"urgent"`
	Low    int `json:"low"`
	// HeldBack has the objects in that state. Waiting, Failing and Paused have the objects whose last reconcile ended so, even if they are
	// queued or in flight again.
	HeldBack ObjectList `json:"heldBack"`
	Waiting  ObjectList `json:"waiting"`
	Failing  ObjectList `json:"failing"`
	Paused   ObjectList `json:"paused"`
	// Unserved has the resources that the controller does without for now, see [Controller.Unserved].
	Unserved []string `json:"unserved,omitempty"`
	// Informers describes the informers that the controller watches.
	Informers informer.Description `json:"informers"`
}

// ObjectList has objects in the same state.
type ObjectList struct {
	// Total is the number of objects. Objects has up to 100 of them, the longest in the state first.
	Total   int             `json:"total"`
	Objects []ObjectSummary `json:"objects,omitempty"`
}

// ObjectSummary has the name of an object, such as "shop/web", the time when its state began, and the reason: why it is held back, the
// awaited object, or its last error.
type ObjectSummary struct {
	Object string    `json:"object"`
	Since  time.Time `json:"since"`
	Reason string    `json:"reason,omitempty"`
}

// ObjectState says how far a controller is with an object.
type ObjectState string

// The states of an object. If more than one fits, the first of them counts.
const (
	// ObjectRunning: a reconcile is in flight.
	ObjectRunning ObjectState = "running"
	// ObjectHeldBack: the caches do not have the writes of the last reconcile, see Wrote, or have not listed the namespace, or the
	// definition of a kind lacks fields, see manager.WithStaleDefinitions.
	ObjectHeldBack ObjectState = "heldBack"
	// ObjectQueued: the object is in the queue.
	ObjectQueued ObjectState = "queued"
	// ObjectWaiting: the last reconcile needs something else first, see Waiting.
	ObjectWaiting ObjectState = "waiting"
	// ObjectFailing: the last reconcile failed or conflicted. Without a next retry, the object was dropped until its next event.
	ObjectFailing ObjectState = "failing"
	// ObjectPaused: the object has the annotation of WithPause.
	ObjectPaused ObjectState = "paused"
	// ObjectIdle: there is nothing to do, or nothing is known of the object.
	ObjectIdle ObjectState = "idle"
)

// ObjectStatus is the state of an object of a controller, see [Controller.DescribeObject]. It can be marshaled to JSON.
type ObjectStatus struct {
	Controller string `json:"controller"`
	// Object is its namespace and name, such as "shop/web".
	Object string `json:"object"`
	// Cached is set if the object is in the cache, and ResourceVersion is the version there. NotWatched is set if its namespace is
	// not watched.
	Cached          bool   `json:"cached"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	NotWatched      bool   `json:"notWatched,omitempty"`
	// Replica says whether this replica serves the object, if replicas share the objects, see Sharded.
	Replica string `json:"replica,omitempty"`
	// State is the state, and Since the time of its beginning, if it is known.
	State ObjectState `json:"state"`
	Since time.Time   `json:"since,omitzero"`
	// Event and Resource are the cause of the reconcile in flight or, for queued and held objects, of the next one; see PastReconcile.
	Event    string `json:"event,omitempty"`
	Resource string `json:"resource,omitempty"`
	// Lane is the lane of a queued object: "urgent" or "low". An object may also be queued while it is being reconciled.
	Lane string `json:"lane,omitempty"`
	// HeldBack has the reasons for holding back the object: writes that the caches do not have, and others, see ObjectHeldBack.
	HeldBack []string `json:"heldBack,omitempty"`
	// WaitingFor has the texts of Waiting, such as "Secret shop/db", and Failures is the number of consecutive failures and conflicts.
	WaitingFor string `json:"waitingFor,omitempty"`
	Failures   int    `json:"failures,omitempty"`
	// PausedBy is the annotation that pauses the object.
	PausedBy string `json:"pausedBy,omitempty"`
	// Next is the time of the next reconcile if there are no events.
	Next time.Time `json:"next,omitzero"`
	// Reconciles are the last 20 reconciles, the latest one first. The controller keeps them for the last 4,096 reconciled objects, or for
	// fewer, if their errors are long: up to 16 MiB.
	Reconciles []PastReconcile `json:"reconciles,omitempty"`
}

// PastReconcile is a reconcile that has ended.
type PastReconcile struct {
	// Event is the cause of the reconcile, such as "updated", and Resource is the resource of the event's object.
	Event    string `json:"event"`
	Resource string `json:"resource,omitempty"`
	// Queued is how long the object was queued or held back before the reconcile, Start is when that began, and Took its duration.
	Queued  metav1.Duration `json:"queued"`
	Start   time.Time       `json:"start"`
	Took    metav1.Duration `json:"took"`
	Outcome Outcome         `json:"outcome"`
	// Error is the text of the error, cut at 1 KiB.
	Error string `json:"error,omitempty"`
}

// Name returns the name of the controller, see [WithName].
func (c *Controller[T]) Name() string { return c.settings.name }

// LongestRunning returns how long the longest of the reconciles in flight has been running, or 0 if no reconcile is in flight.
func (c *Controller[T]) LongestRunning() time.Duration { return c.progress.LongestRunning() }

// Describe returns the state of the controller. It has names and messages, but no contents of objects.
func (c *Controller[T]) Describe() Status {
	s, lists := c.settings, c.progress.Lists()
	status := Status{
		Name: s.name, APIVersion: s.kind.GroupVersion().String(), Kind: s.kind.Kind, Resource: c.objects.Resource().GroupResource().String(),
		Synced: c.HasSynced(), Elected: c.life.elected.Load(), Workers: s.workers, Busy: c.progress.Running(),
		LongestRunning: metav1.Duration{Duration: c.LongestRunning()},
		HeldBack:       listed(lists.Held, c.heldBackBy), Waiting: listed(lists.Waiting, nil), Failing: listed(lists.Failing, nil),
		Paused:   listed(lists.Paused, func(cache.ObjectName) []string { return []string{c.gate.Rule.Annotation} }),
		Unserved: c.Unserved(), Informers: c.caches.Describe(),
	}
	if q := c.queue.Load(); q != nil {
		status.Running = status.Synced
		status.Urgent, status.Low = q.Lens()
	}
	return status
}

// maxListed is the maximum number of objects in an ObjectList.
const maxListed = 100

// listed returns up to 100 of the objects. If by is not nil, it returns the reasons for an object.
func listed(objects []progress.Listed, by func(cache.ObjectName) []string) ObjectList {
	list := ObjectList{Total: len(objects)}
	for _, o := range objects[:min(len(objects), maxListed)] {
		if by != nil {
			o.Reason = strings.Join(by(o.Name), ", ")
		}
		list.Objects = append(list.Objects, ObjectSummary{o.Name.String(), o.Since, o.Reason})
	}
	return list
}

// heldBackBy returns what must happen before an object is reconciled.
func (c *Controller[T]) heldBackBy(name cache.ObjectName) (missing []string) {
	for _, w := range c.writes.Pending(name) {
		missing = append(missing, w.String())
	}
	return append(missing, c.caches.Reasons(name.Namespace)...)
}

// DescribeObject returns the state of an object, whether it exists or not. It has names and messages, but no contents of the object.
func (c *Controller[T]) DescribeObject(name cache.ObjectName) ObjectStatus {
	status := ObjectStatus{Controller: c.settings.name, Object: name.String(), HeldBack: c.heldBackBy(name)}
	object, err := c.objects.Get(name)
	if status.Cached = err == nil; status.Cached {
		status.ResourceVersion = object.GetResourceVersion()
	}
	status.NotWatched, status.Replica = caches.IsNotWatched(err), c.settings.share.Describe(c.uidOf(name))
	var origin *progress.Origin
	if q := c.queue.Load(); q != nil {
		status.Lane, origin = q.Lane(name)
	}
	known := c.progress.Object(name, status.Lane, origin)
	status.State, status.Since, status.Next = ObjectState(known.State), known.Since, known.Next
	status.Event, status.Resource = known.Cause.Event, known.Cause.Resource
	status.WaitingFor, status.Failures = known.Waiting, known.Failures
	if status.State == ObjectPaused {
		status.PausedBy = c.gate.Rule.Annotation
	}
	for _, p := range known.Reconciles {
		status.Reconciles = append(status.Reconciles, PastReconcile{
			Event: p.Event, Resource: p.Resource, Queued: metav1.Duration{Duration: p.Queued}, Start: p.Start,
			Took: metav1.Duration{Duration: p.Took}, Outcome: Outcome(p.Outcome), Error: p.Error,
		})
	}
	return status
}

// summarize returns the result of a reconcile in the form that the log keeps.
func summarize(outcome Outcome, err error) progress.Result {
	result := progress.Result{Outcome: string(outcome)}
	if outcome == OutcomePaused {
		result.Class = progress.Paused
	}
	if err == nil {
		return result
	}
	result.Error = note(err)
	switch outcome {
	case OutcomeWaiting:
		result.Class = progress.Waiting
		what, _ := waitingFor(err)
		result.Waiting = strings.Join(what, ", ")
	case OutcomeError, OutcomeConflict, OutcomeGaveUp:
		result.Class, result.GaveUp = progress.Failing, outcome == OutcomeGaveUp
	case OutcomeSuccess, OutcomeRequeue, OutcomePaused, OutcomeCanceled:
	}
	return result
}
