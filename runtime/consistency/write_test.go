package consistency

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

var errBroken = errors.New("broken")

// newTracked returns a tracker with the cache of an informer that does not run.
func newTracked[T informer.Object](source informer.Source[T], options ...informer.Option) (*Tracker, *Cache) {
	tracker := NewTracker()
	return tracker, Track(tracker, informer.For(informer.NewFactory(), source, options...))
}

func configMapSource() informer.Source[*corev1.ConfigMap] {
	return informer.Namespaced(nil, informertest.Resource, informertest.NewServer().ConfigMaps)
}

func TestRecord(t *testing.T) {
	tracker, c := newTracked(configMapSource())
	object := at("web", 7)
	object.UID = "uid"
	written := object.DeepCopy()
	written.ResourceVersion = "8"
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"written":    {nil, []string{"configmaps shop/web at resource version 8"}},
		"not found":  {apierrors.NewNotFound(corev1.Resource("configmaps"), "web"), []string{"the deletion of configmaps shop/web"}},
		"not served": {apierrors.NewGenericServerResponse(404, "patch", corev1.Resource("configmaps"), "web", "404 page not found", 0, true), nil},
		"failed":     {errBroken, nil},
	} {
		require.NoError(t, c.indexer.Add(object))
		ctx, session := tracker.Begin(t.Context(), web)
		assert.Equal(t, test.err, Record(ctx, object, written, test.err))
		var got []string
		for _, w := range session.Pending() {
			got = append(got, w.String())
		}
		assert.Equal(t, test.want, got, name)
	}
	ctx, session := tracker.Begin(t.Context(), web)
	inner := context.WithValue(ctx, t, "in between")
	Wrote(inner, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", ResourceVersion: "8"}})
	Wrote(inner, informertest.ConfigMap("shop", "unversioned"))
	assert.Empty(t, session.Pending(), "kinds without a cache, and objects without a version")
	Deleted(inner, object)
	assert.Len(t, session.Pending(), 1)

	released := written.DeepCopy()
	released.DeletionTimestamp = new(metav1.Now())
	for finalizer, want := range map[string]string{"": "the deletion of configmaps shop/web", "other": "configmaps shop/web at resource version 8"} {
		released.Finalizers = slices.DeleteFunc([]string{finalizer}, func(name string) bool { return name == "" })
		_, session := tracker.Begin(t.Context(), web)
		session.Wrote(released)
		assert.Equal(t, want, session.Pending()[0].String())
	}
	released.Finalizers, released.DeletionGracePeriodSeconds = nil, new(int64(30))
	_, session = tracker.Begin(t.Context(), web)
	session.Wrote(released)
	assert.Equal(t, "configmaps shop/web at resource version 8", session.Pending()[0].String(), "it has its grace period")

	Wrote(t.Context(), written) // without a session
	require.NoError(t, Record(t.Context(), object, written, nil))
	FromContext(t.Context()).End()
	assert.Empty(t, FromContext(t.Context()).Pending())
	assert.Equal(t, "in between", inner.Value(t))
}

func TestArrived(t *testing.T) {
	type object struct {
		version  int
		uid      string
		deleting bool
	}
	for name, test := range map[string]struct {
		cached  *object
		reached string
		write   Write
		want    bool
	}{
		"older":                           {&object{7, "a", false}, "7", Write{uid: "a", version: 8, known: true}, false},
		"this version":                    {&object{8, "a", false}, "7", Write{uid: "a", version: 8}, true},
		"longer number":                   {&object{10, "a", false}, "7", Write{uid: "a", version: 9}, true},
		"later, of another object":        {&object{7, "a", false}, "8", Write{uid: "a", version: 8}, true},
		"nothing is known of the cache":   {&object{7, "a", false}, "", Write{uid: "a", version: 8}, false},
		"not there yet":                   {nil, "7", Write{uid: "a", version: 8}, false},
		"there and gone":                  {nil, "9", Write{uid: "a", version: 8}, true},
		"gone since, as a relist told":    {nil, "7", Write{uid: "a", version: 8, known: true}, true},
		"deleted, there":                  {&object{7, "a", false}, "100", Write{uid: "a", version: 7, Deleted: true}, false},
		"deleted, held by finalizers":     {&object{8, "a", true}, "7", Write{uid: "a", version: 7, Deleted: true}, true},
		"lost its last finalizer":         {&object{8, "a", true}, "8", Write{uid: "a", version: 8, Deleted: true, released: true}, false},
		"lost its last finalizer, gone":   {nil, "8", Write{uid: "a", version: 8, Deleted: true, released: true}, true},
		"deleted, gone":                   {nil, "7", Write{uid: "a", version: 7, Deleted: true}, true},
		"deleted, replaced":               {&object{9, "b", false}, "7", Write{uid: "a", version: 7, Deleted: true}, true},
		"written, a predecessor is there": {&object{7, "b", false}, "7", Write{uid: "a", version: 8}, false},
	} {
		_, c := newTracked(configMapSource())
		c.reached = func(string) string { return test.reached }
		if o := test.cached; o != nil {
			cached := at("web", o.version)
			cached.UID = types.UID(o.uid)
			if o.deleting {
				cached.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
			}
			require.NoError(t, c.indexer.Add(cached))
		}
		test.write.cache, test.write.Object = c, web
		assert.Equal(t, test.want, test.write.arrived(), name)
	}
}

func TestParseVersion(t *testing.T) {
	for version, want := range map[string]uint64{"": 0, "0": 0, "7": 7, "18446744073709551615": 1<<64 - 1, "18446744073709551616": 0, "-1": 0, "v7": 0} {
		assert.Equal(t, want, parseVersion(version), version)
	}
}

// TestSelectedFields has selectors for fields of any kind, which are compared with the object as JSON.
func TestSelectedFields(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{NodeName: "node-1", Priority: new(int32)},
	}
	for selector, want := range map[string]bool{
		"":                          true,
		"metadata.name=web-0":       true,
		"metadata.name=other":       false,
		"metadata.namespace!=shop":  false,
		"spec.nodeName=node-1":      true,
		"spec.nodeName!=node-1":     false,
		"spec.nodeName=":            false,
		"status.phase=":             true,
		"status.phase!=Failed":      true,
		"spec.priority=0":           true,
		"spec.nodeName.deeper=node": false,
	} {
		parsed, err := fields.ParseSelector(selector)
		require.NoError(t, err)
		c := &Cache{labels: labels.SelectorFromSet(labels.Set{"app": "web"}), fields: parsed}
		assert.Equal(t, want, c.selects(pod), selector)
		c.labels = labels.SelectorFromSet(labels.Set{"app": "db"})
		assert.False(t, c.selects(pod))
	}
}

func untyped(apiVersion, kind, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetNamespace("shop")
	object.SetName(name)
	object.SetResourceVersion("7")
	object.SetUID("uid")
	return object
}

// TestUntypedCaches has several caches whose objects have the same Go type.
func TestUntypedCaches(t *testing.T) {
	client := dynamicfake.NewSimpleDynamicClient(kubescheme.Scheme)
	tracker := NewTracker()
	track := func(resource schema.GroupVersionResource) *Cache {
		return Track(tracker, informer.For(informer.NewFactory(), informer.Dynamic(client, resource, true)))
	}
	pods := track(corev1.SchemeGroupVersion.WithResource("pods"))
	chassis := track(schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: "chassis"})
	odd := track(schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: "weatherstations"})
	assert.Equal(t, []*Cache{pods}, tracker.cachesOf(untyped("v1", "Pod", "web")))
	assert.Equal(t, []*Cache{chassis}, tracker.cachesOf(untyped("fleet.example.com/v1", "Chassis", "web")))
	assert.Empty(t, tracker.cachesOf(untyped("fleet.example.com/v1", "Pod", "web")))
	assert.Empty(t, tracker.cachesOf(untyped("fleet.example.com/v1", "Meteo", "web")), "its plural cannot be guessed")
	require.NoError(t, odd.indexer.Add(untyped("fleet.example.com/v1", "Meteo", "other")))
	assert.Equal(t, []*Cache{odd}, tracker.cachesOf(untyped("fleet.example.com/v1", "Meteo", "web")), "but other objects show it")
}

// TestMetadataCaches has caches of metadata, whose objects do not say what their kind is.
func TestMetadataCaches(t *testing.T) {
	tracker := NewTracker()
	track := func(resource string) *Cache {
		return Track(tracker, informer.For(informer.NewFactory(),
			informer.Metadata(metadata.Interface(nil), corev1.SchemeGroupVersion.WithResource(resource), true)))
	}
	_, secrets := track("pods"), track("secrets")
	object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "uid", ResourceVersion: "7"}}
	assert.Empty(t, tracker.cachesOf(object))
	require.NoError(t, secrets.indexer.Add(object))
	assert.Equal(t, []*Cache{secrets}, tracker.cachesOf(object), "the cache has the object")
}

func TestGetOfCache(t *testing.T) {
	tracker, c := newTracked(configMapSource())
	assert.Nil(t, c.Get(web))
	assert.Nil(t, tracker.cached(informertest.Resource, "shop", "web"))
	object := at("web", 7)
	require.NoError(t, c.indexer.Add(object))
	assert.Equal(t, object, c.Get(web))
	assert.Equal(t, object, tracker.cached(informertest.Resource, "shop", "web"))
	assert.Nil(t, tracker.cached(corev1.SchemeGroupVersion.WithResource("pods"), "shop", "web"))
}
