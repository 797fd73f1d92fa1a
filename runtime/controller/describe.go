package controller

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Status is the state of a controller, see [Controller.Describe]. It can be marshaled to JSON.
type Status struct {
	Name string `json:"name"`
	// APIVersion and Kind are those of the reconciled objects. Resource is their resource and group, such as "deployments.apps".
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Resource   string `json:"resource"`
	// Synced is set once all caches have synced. Elected is set unless the controller is on standby, see WithElected. Running is
	// set while the controller reconciles.
	Synced  bool `json:"synced"`
	Elected bool `json:"elected"`
	Running bool `json:"running"`
	// Workers is the number of workers, and Busy the number of those that reconcile an object.
	Workers int `json:"workers"`
	Busy    int `json:"busy"`
	// LongestRunning is how long the longest of the reconciles in flight has been running.
	LongestRunning metav1.Duration `json:"longestRunning"`
	// Urgent and Low are the numbers of queued objects: because of events, and of those that can wait, such as the initial list.
	Urgent int `json:"urgent"`
	Low    int `json:"low"`
	// HeldBack, Waiting and Failing are objects in the states of these names.
	HeldBack ObjectList `json:"heldBack"`
	Waiting  ObjectList `json:"waiting"`
	Failing  ObjectList `json:"failing"`
	// Unserved has the resources that the controller does without for now, see [Controller.Unserved].
	Unserved []string `json:"unserved,omitempty"`
	// Informers are those that the controller watches.
	Informers informer.Description `json:"informers"`
}

// ObjectList has objects in the same state.
type ObjectList struct {
	// Total is the number of objects. Objects has up to 100 of them, those that are in the state for longest.
	Total   int             `json:"total"`
	Objects []ObjectSummary `json:"objects,omitempty"`
}

// ObjectSummary says why an object is in its state, and since when.
type ObjectSummary struct {
	// Object is its namespace and name, such as "shop/web".
	Object string    `json:"object"`
	Since  time.Time `json:"since"`
	// Reason is what the object is held back or waits for, or its last error.
	Reason string `json:"reason,omitempty"`
}

// ObjectState is what a controller does with an object.
type ObjectState string

// The states of an object. If more than one fits, the first of them counts.
const (
	// ObjectRunning: a reconcile is in flight.
	ObjectRunning ObjectState = "running"
	// ObjectHeldBack: the caches do not have the writes of the last reconcile, see Wrote, or have not listed the namespace.
	ObjectHeldBack ObjectState = "heldBack"
	// ObjectQueued: the object is in the queue.
	ObjectQueued ObjectState = "queued"
	// ObjectWaiting: the last reconcile needs something else first, see Waiting.
	ObjectWaiting ObjectState = "waiting"
	// ObjectFailing: the last reconcile failed or conflicted. Without a next retry, the object was dropped until its next event.
	ObjectFailing ObjectState = "failing"
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
	// State is the state, and Since the time of its beginning, if it is known.
	State ObjectState `json:"state"`
	Since time.Time   `json:"since,omitzero"`
	// Lane is the lane of a queued object: "urgent" or "low". An object may also be queued while it is being reconciled.
	Lane string `json:"lane,omitempty"`
	// HeldBack has what must happen first: writes that the caches do not have, and reasons why they have not listed the namespace.
	HeldBack []string `json:"heldBack,omitempty"`
	// WaitingFor is what the object waits for.
	WaitingFor string `json:"waitingFor,omitempty"`
	// Failures is the number of consecutive failures and conflicts.
	Failures int `json:"failures,omitempty"`
	// Next is the time of the next reconcile if there are no events.
	Next time.Time `json:"next,omitzero"`
	// Passages are the last 20 reconciles, the latest one first, if the object is one of the about 4,096 last reconciled ones.
	Passages []Passage `json:"passages,omitempty"`
}

// Passage is a reconcile that has ended.
type Passage struct {
	// Event is what enqueued the object, such as "updated", and Resource that of the object of the event.
	Event    string `json:"event"`
	Resource string `json:"resource,omitempty"`
	// Queued is how long the object was queued or held back before the reconcile, Start is when that began, and Took its duration.
	Queued  metav1.Duration `json:"queued"`
	Start   time.Time       `json:"start"`
	Took    metav1.Duration `json:"took"`
	Outcome Outcome         `json:"outcome"`
	// Error is the text of the error, of which it has up to 1 KiB.
	Error string `json:"error,omitempty"`
}

// Name returns the name of the controller, see [WithName].
func (c *Controller[T]) Name() string { return c.settings.name }

// LongestRunning returns how long the longest of the reconciles in flight has been running, or 0 if there is none.
func (c *Controller[T]) LongestRunning() time.Duration { return c.progress.LongestRunning() }

// Describe returns the state of the controller. It has names and messages, but no contents of objects.
func (c *Controller[T]) Describe() Status {
	s := c.settings
	status := Status{
		Name: s.name, APIVersion: c.kind.GroupVersion().String(), Kind: c.kind.Kind, Resource: c.objects.Resource().GroupResource().String(),
		Synced: c.synced.Load(), Workers: s.workers, Busy: c.progress.Running(),
		LongestRunning: metav1.Duration{Duration: c.LongestRunning()}, Unserved: c.Unserved(),
	}
	status.Running = status.Synced && c.queue.Load() != nil
	select {
	case <-s.elected:
		status.Elected = true
	default:
	}
	return status
}

// DescribeObject returns the state of an object, whether it exists or not. It has names and messages, but no contents of the object.
func (c *Controller[T]) DescribeObject(name cache.ObjectName) ObjectStatus {
	status := ObjectStatus{Controller: c.settings.name, Object: name.String(), State: ObjectIdle}
	object, err := c.cached(name)
	if status.Cached = err == nil; status.Cached {
		status.ResourceVersion = object.GetResourceVersion()
	}
	status.NotWatched = isNotWatched(err)
	return status
}
