package verbs

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	internalvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/shards"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

// selection has the selectors of a list or watch. It is the view of watches.
type selection struct {
	server    *Server
	kind      *codec.Kind
	namespace string
	labels    labels.Selector
	fields    fields.Selector
	shard     shard
}

var _ store.View = (*selection)(nil)

// selection returns the selection of a list or watch, or a server's error if it cannot be parsed.
func (r *request) selection(options metav1.ListOptions) (*selection, error) {
	internal := &internalversion.ListOptions{}
	if err := internalversion.Convert_v1_ListOptions_To_internalversion_ListOptions(&options, internal, nil); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	internalversion.SetListOptionsDefaults(internal, true)
	if err := optionsError("ListOptions", internalvalidation.ValidateListOptions(internal, true)); err != nil {
		return nil, err
	}
	for _, requirement := range internal.FieldSelector.Requirements() {
		if err := r.kind.CheckSelector(requirement.Field); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	if err := r.setShard(options.ShardSelector); err != nil {
		return nil, err
	}
	sel := &selection{server: r.server, kind: r.kind, namespace: r.key.Namespace, shard: r.shard}
	sel.labels, sel.fields = internal.LabelSelector, internal.FieldSelector
	return sel, nil
}

// Matches implements store.View.
func (sel *selection) Matches(record *store.Record) bool {
	if sel.namespace != "" && record.Key.Namespace != sel.namespace || !shards.Has(sel.shard, record.Object) {
		return false
	}
	if !sel.labels.Empty() && !sel.labels.Matches(labels.Set(record.Object.GetLabels())) {
		return false
	}
	return sel.fields.Empty() || sel.fields.Matches(sel.kind.SelectableFields(record.Object))
}

// Event implements store.View.
func (sel *selection) Event(kind watch.EventType, record *store.Record, revision uint64) watch.Event {
	object, err := sel.server.decoded(sel.kind, record)
	if err != nil {
		status := apierrors.NewInternalError(err).Status()
		return watch.Event{Type: watch.Error, Object: &status}
	}
	object = withoutKind(object.DeepCopyObject())
	if accessor, err := meta.Accessor(object); err == nil && revision > 0 {
		accessor.SetResourceVersion(strconv.FormatUint(revision, 10))
	}
	return watch.Event{Type: kind, Object: object}
}

// Bookmark implements store.View.
func (sel *selection) Bookmark(revision uint64, initialEventsEnd bool) watch.Event {
	var object runtime.Object = &metav1.Status{}
	if empty, err := sel.kind.New(); err == nil {
		object = empty
	}
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetResourceVersion(strconv.FormatUint(revision, 10))
		if initialEventsEnd {
			accessor.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
		}
	}
	return watch.Event{Type: watch.Bookmark, Object: object}
}

// Watch starts a watch. Errors that a server reports after the start are returned as error events.
func (s *Server) Watch(t Target, options metav1.ListOptions) (w watch.Interface, err error) {
	err = s.serve(t, http.MethodGet, func(r *request) error {
		w, err = r.watch(options)
		return err
	})
	return w, err
}

func (r *request) watch(options metav1.ListOptions) (watch.Interface, error) {
	options.Watch = true
	if err := r.route("watch"); err != nil {
		return nil, err
	}
	sel, err := r.selection(options)
	if err != nil {
		return nil, err
	}
	wanted, err := parseVersion(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	streams := options.SendInitialEvents != nil && *options.SendInitialEvents
	o := store.WatchOptions{
		Initial:   streams || wanted == 0 && options.SendInitialEvents == nil,
		Bookmarks: options.AllowWatchBookmarks, MarksInitial: streams && options.AllowWatchBookmarks,
	}
	if o.Initial {
		if err := r.server.reached(wanted); err != nil {
			return failed(err), nil
		}
	} else {
		o.After = wanted
	}
	if options.TimeoutSeconds != nil {
		o.Timeout = time.Duration(*options.TimeoutSeconds) * time.Second
	}
	w, ok := r.server.store.Watch(r.resource, sel, o)
	if !ok {
		oldest := r.server.store.Oldest(r.resource)
		message := fmt.Sprintf("too old resource version: %s (%d)", options.ResourceVersion, oldest)
		return failed(apierrors.NewResourceExpired(message)), nil
	}
	return w, nil
}

// failed returns a watch with a single error event.
func failed(err error) watch.Interface {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	reason := status.Status()
	w := watch.NewFakeWithChanSize(1, false)
	w.Error(&reason)
	w.Stop()
	return w
}
