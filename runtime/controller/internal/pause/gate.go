package pause

import (
	"context"
	"errors"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	klog "k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/progress"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/reconcile"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// Gate keeps paused objects from being reconciled.
type Gate[T informer.Object] struct {
	Rule   Rule
	Source informer.Source[T]
	// Controller is the name of the controller, for the field manager of conditions.
	Controller string
	// Recorder may be nil.
	Recorder events.EventRecorder
	// Progress knows which objects were paused at their last reconcile.
	Progress *progress.Log
	Clock    clock.PassiveClock
}

// updater is a client with a status subresource.
type updater[T any] interface {
	UpdateStatus(ctx context.Context, object T, options metav1.UpdateOptions) (T, error)
}

// IsClosed reports whether an object is paused, and notes that in the attempt of ctx. When an object is paused or goes on, IsClosed writes
// the condition and records an event. The object is a copy; it is returned with the status that was written.
func (g Gate[T]) IsClosed(ctx context.Context, object T) (current T, paused bool, err error) {
	if g.Rule.Annotation == "" {
		return object, false, nil
	}
	paused = g.Rule.Pauses(object)
	if !paused && object.GetDeletionTimestamp() != nil {
		return object, false, nil // a condition that cannot be written must not delay the deletion
	}
	was, shown := g.Progress.IsPaused(cache.MetaObjectToName(object)), isShown(object)
	reconcile.From(ctx).Paused = paused
	current, changed, err := g.write(ctx, object, paused, !was)
	switch {
	case err != nil:
	case paused && !was && !shown:
		g.tell(ctx, current, "Paused", "Reconciliation is paused by the annotation "+g.Rule.Annotation)
	case !paused && (was || changed):
		g.tell(ctx, current, "Resumed", "Reconciliation goes on")
	}
	return current, paused, err
}

// write writes the condition if it must change. Clients that cannot do that, and API servers that refuse it, are no error.
func (g Gate[T]) write(ctx context.Context, object T, paused, force bool) (current T, changed bool, err error) {
	client, ok := g.Source.Underlying(object.GetNamespace()).(updater[T])
	now := metav1.NewTime(g.Clock.Now())
	if !ok || !g.Rule.show(object.DeepCopyObject().(T), paused, force, now) {
		return object, false, nil
	}
	after, err := g.read(ctx, object)
	if err == nil {
		if after.GetUID() != object.GetUID() || g.Rule.Pauses(after) != paused || !g.Rule.show(after, paused, force, now) {
			return object, false, nil // the cache is behind: an event follows
		}
		version := after.GetResourceVersion()
		if after, err = client.UpdateStatus(ctx, after, metav1.UpdateOptions{FieldManager: g.fieldManager()}); err == nil {
			consistency.Replaced(ctx, version, after)
			return after, true, nil
		}
	}
	if isRefused(err) {
		klog.FromContext(ctx).Info("The condition of a paused object cannot be written", "condition", Condition, "err", err)
		return object, false, nil
	}
	return object, false, err
}

// read returns the object as the API server has it: an update must not lose fields that a transform function removes. Roles of
// controllers that read nothing else lack the verb get; then the cache must do.
func (g Gate[T]) read(ctx context.Context, object T) (T, error) {
	live, err := g.Source.Client(object.GetNamespace()).Get(ctx, object.GetName(), metav1.GetOptions{})
	if apierrors.IsForbidden(err) {
		return object.DeepCopyObject().(T), nil
	}
	return live, err
}

// fieldManager returns the field manager of conditions, which has 128 characters at most.
func (g Gate[T]) fieldManager() string {
	const suffix = "-pause"
	return g.Controller[:min(len(g.Controller), 128-len(suffix))] + suffix
}

// isRefused reports whether a request would be refused again: there is no permission, no subresource, or the schema has no conditions.
func isRefused(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= 400 && code < 500 && code != http.StatusConflict && code != http.StatusTooManyRequests
}

// tell logs that an object was paused or goes on, and records an event.
func (g Gate[T]) tell(ctx context.Context, object T, reason, note string) {
	klog.FromContext(ctx).Info(note)
	if g.Recorder != nil {
		g.Recorder.Eventf(object.DeepCopyObject(), nil, corev1.EventTypeNormal, reason, "Reconcile", "%s", note)
	}
}
