package ownerlabel

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/metadata"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/absent"
)

// Owner finds the item whose object controls another object, if the controller knows it under the UID of the reference.
type Owner func(owned metav1.Object) (item cache.ObjectName, known bool)

// Kind labels the objects of one kind. It reads nothing but metadata, and keeps nothing.
type Kind struct {
	label      Label
	object     reflect.Type
	resource   string
	namespaces func() []string
	unserved   func() bool
	generation func(namespace string) int64
	owner      Owner
	paused     func(item cache.ObjectName) bool
	metadata   func(namespace string) informer.Client[*metav1.PartialObjectMetadata, runtime.Object]
	// patch labels an object, and records the write for an item.
	patch func(ctx context.Context, item cache.ObjectName, object *metav1.PartialObjectMetadata) error
}

// NewKind returns a Kind for the objects of an informer. The function wrote is called with each object that was labeled, as the API
// server returned it; what paused items own is labeled when they go on. NewKind returns an error if the client has no verb patch.
func NewKind[O informer.Object](
	label Label, objects *informer.Informer[O], owner Owner, paused func(item cache.ObjectName) bool,
	wrote func(item cache.ObjectName, object metav1.Object),
) (*Kind, error) {
	source := objects.Source()
	resource := source.Resource().GroupResource().String()
	if _, ok := source.Underlying(metav1.NamespaceAll).(metadata.Patcher[O]); !ok {
		return nil, fmt.Errorf("%s cannot be watched by label: their client has no verb patch", resource)
	}
	reduced, err := informer.MetadataOf(source)
	if err != nil {
		return nil, err
	}
	patch := func(ctx context.Context, item cache.ObjectName, object *metav1.PartialObjectMetadata) error {
		// The UID makes the request fail if another object has the name by now.
		label := label.ofOwner(object)
		data, err := metadata.Patch("", map[string]any{"uid": object.UID, "labels": label.Map()})
		if err != nil {
			return err
		}
		client := source.Underlying(object.Namespace).(metadata.Patcher[O]) // as above
		written, err := client.Patch(ctx, object.Name, types.MergePatchType, data, metav1.PatchOptions{})
		switch {
		case err != nil:
			return err
		case !label.In(written.GetLabels()):
			return fmt.Errorf("the API server has dropped the label %s", label.Key)
		}
		wrote(item, written)
		return nil
	}
	return &Kind{
		label: label, object: reflect.TypeFor[O](), resource: resource, namespaces: objects.Namespaces, unserved: objects.Unserved,
		generation: objects.Generation, owner: owner, paused: paused, metadata: reduced.Client, patch: patch,
	}, nil
}

// pageSize is the number of objects of a list.
const pageSize = 500

// restore labels the objects of a namespace that have an owner and no label, because a version without labels has made them. Objects that
// cannot be labeled concern their owner alone, and objects with an unknown owner wait for it.
func (k *Kind) restore(ctx context.Context, namespace string, s *Set) error {
	restored := 0
	for _, selector := range k.label.lacking() {
		err := k.eachLacking(ctx, namespace, selector, func(object *metav1.PartialObjectMetadata) error {
			labeled, err := k.restoreOr(ctx, object, s)
			if labeled {
				restored++
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if restored > 0 {
		klog.FromContext(ctx).Info("Labeled owned objects", "resource", k.resource, "label", k.label.Key, "objects", restored)
	}
	return nil
}

// eachLacking calls a function with the objects of a namespace that a selector for objects without the label selects.
func (k *Kind) eachLacking(
	ctx context.Context, namespace, selector string, do func(*metav1.PartialObjectMetadata) error,
) error {
	options := metav1.ListOptions{LabelSelector: selector, Limit: pageSize}
	for {
		list, err := k.metadata(namespace).List(ctx, options)
		if apierrors.IsResourceExpired(err) && options.Continue != "" {
			options.Continue = "" // labeled objects are not listed again
			continue
		}
		if err != nil {
			return fmt.Errorf("looking for %s without the label %s: %w", k.resource, k.label.Key, err)
		}
		page, ok := list.(*metav1.PartialObjectMetadataList)
		if !ok {
			return fmt.Errorf("looking for %s without the label %s: got a %T", k.resource, k.label.Key, list)
		}
		for n := range page.Items {
			if err := do(&page.Items[n]); err != nil {
				return err
			}
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return nil
		}
	}
}

// restoreOr labels an object, or notes whom it concerns that it has no label. It returns an error if ctx is done.
func (k *Kind) restoreOr(ctx context.Context, object *metav1.PartialObjectMetadata, s *Set) (labeled bool, err error) {
	item, known := k.owner(object)
	if known && k.paused(item) {
		s.await(metav1.GetControllerOfNoCopy(object).UID, k, object)
		return false, nil
	}
	labeled, err = k.restoreOne(ctx, object)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err != nil && known:
		s.Lost(item, k, object)
	case !labeled && !known && k.label.isOf(object):
		s.await(metav1.GetControllerOfNoCopy(object).UID, k, object)
	}
	return labeled, nil
}

func (k *Kind) restoreOne(ctx context.Context, object *metav1.PartialObjectMetadata) (labeled bool, err error) {
	item, ok := k.owner(object)
	if !ok || k.label.ofOwner(object).In(object.Labels) {
		return false, nil
	}
	if err := k.patch(ctx, item, object); err != nil {
		if k.isGone(ctx, object) {
			return false, nil
		}
		return false, fmt.Errorf("labeling %s %s/%s: %w", k.resource, object.Namespace, object.Name, err)
	}
	return true, nil
}

// isGone reports whether an object does not exist any more, or another one has its name. The errors of a patch do not say that: one with
// a wrong UID is as invalid as one to an object that a later validation refuses.
func (k *Kind) isGone(ctx context.Context, object *metav1.PartialObjectMetadata) bool {
	found, err := k.metadata(object.Namespace).Get(ctx, object.Name, metav1.GetOptions{})
	return absent.Is(err) || err == nil && found.UID != object.UID
}

// check labels an object that is no longer in the cache, if it exists and its owner is still the item's object.
func (k *Kind) check(ctx context.Context, item cache.ObjectName, l lost) (labeled bool, err error) {
	watched := k.namespaces()
	if k.unserved() || !slices.Contains(watched, l.object.Namespace) && !slices.Contains(watched, metav1.NamespaceAll) {
		return false, nil // it has left the cache along with all others
	}
	object, err := k.metadata(l.object.Namespace).Get(ctx, l.object.Name, metav1.GetOptions{})
	switch {
	case absent.Is(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("looking for %s %s: %w", k.resource, l.object, err)
	case object.UID != l.uid:
		return false, nil
	}
	if owner, ok := k.owner(object); !ok || owner != item {
		return false, nil
	}
	return k.restoreOne(ctx, object)
}
