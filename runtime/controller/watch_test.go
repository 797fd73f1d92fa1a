package controller

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// labeled returns the workload that the label of a ConfigMap names.
func labeled(config *corev1.ConfigMap) []cache.ObjectName {
	return []cache.ObjectName{{Namespace: config.Namespace, Name: config.Labels["v"]}}
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer(config("shop", "a", "web"))
		r := newRig(t, &steps{}, nil, held("web"), held("db"))
		objects, err := Watch(r.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps), labeled)
		require.NoError(t, err)
		r.run(t)
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, r.take())
		assert.True(t, objects.HasSynced())
		server.Create(config("shop", "a", "db"))
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, r.take(), "the one before, and the one after")
		server.Create(config("shop", "a", "db"))
		assert.Equal(t, []string{"reconcile db"}, r.take())
		server.Delete("shop", "a")
		assert.Equal(t, []string{"reconcile db"}, r.take())
		server.Create(config("shop", "b", "web"))
		assert.Equal(t, []string{"reconcile web"}, r.take())
		server.Create(config("shop", "c", ""))
		assert.Empty(t, r.take(), "it names nothing")
		require.NoError(t, r.end())
		_, err = Watch(r.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps), labeled)
		require.ErrorContains(t, err, "call Watch before Run")
	})
}

func TestWatchHasAScope(t *testing.T) {
	server := informertest.NewServer()
	r := newRig(t, &steps{}, []Option{WithReferred[*corev1.ConfigMap](informer.WithNamespaces("bank"))})
	objects, err := Watch(r.controller.Controller, informer.Namespaced(server, informertest.Resource, server.ConfigMaps), labeled)
	require.NoError(t, err)
	assert.Equal(t, []string{"bank"}, objects.Namespaces())
	assert.Equal(t, []string{""}, r.controller.Informer().Namespaces())
}

func TestWatchWithPredicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := informertest.NewServer()
		r := newRig(t, &steps{}, nil, held("web"))
		source := informer.Namespaced(server, informertest.Resource, server.ConfigMaps)
		web := func(*corev1.ConfigMap) []cache.ObjectName {
			return []cache.ObjectName{{Namespace: "shop", Name: "web"}}
		}
		_, err := Watch(r.controller.Controller, source, web, AnnotationsChanged, LabelsChanged)
		require.NoError(t, err)
		r.run(t)
		r.take()
		server.Create(config("shop", "a", "1"))
		assert.Equal(t, []string{"reconcile web"}, r.take(), "new objects always matter")
		server.Create(config("shop", "a", "1"))
		assert.Empty(t, r.take())
		server.Create(config("shop", "a", "2"))
		assert.Equal(t, []string{"reconcile web"}, r.take())
		recreated := config("shop", "a", "2")
		recreated.UID = "another"
		server.Create(recreated)
		assert.Equal(t, []string{"reconcile web"}, r.take(), "an object with the same labels took its place")
		server.Delete("shop", "a")
		assert.Equal(t, []string{"reconcile web"}, r.take())
	})
}

func TestWatchChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := make(chan string)
		defer close(events)
		named := func(event string) []cache.ObjectName {
			return []cache.ObjectName{{Namespace: "shop", Name: event}, {Namespace: "shop", Name: "db"}}
		}
		r := newRig(t, &steps{}, nil, held("web"), held("db"), held("cache"))
		logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(4)))
		r.context = klog.NewContext(t.Context(), logger)
		require.NoError(t, WatchChannel(r.controller.Controller, events, named))
		r.run(t)
		assert.Len(t, r.take(), 3)
		events <- "web"
		assert.ElementsMatch(t, []string{"reconcile web", "reconcile db"}, r.take())
		events <- "cache"
		assert.ElementsMatch(t, []string{"reconcile cache", "reconcile db"}, r.take())
		assert.Regexp(t, `event="channel" urgent=true`, logger.GetSink().(ktesting.Underlier).GetBuffer().String())
		require.NoError(t, r.end())
		events <- "web"
		events <- "db"
		assert.Empty(t, r.take(), "events after the end are received, and dropped")
		require.ErrorContains(t, WatchChannel(r.controller.Controller, events, named), "call WatchChannel before Run")
	})
}

// TestWatchPanics watches objects for which a function panics. Other objects enqueue their workloads.
func TestWatchPanics(t *testing.T) {
	var told []any
	handlers := utilruntime.PanicHandlers
	defer func() { utilruntime.PanicHandlers = handlers }()
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, reason any) { told = append(told, reason) }}
	synctest.Test(t, func(t *testing.T) {
		var metrics tally
		server, events := informertest.NewServer(), make(chan string)
		defer close(events)
		r := newRig(t, &steps{}, []Option{WithMetrics(&metrics)}, held("web"))
		names := func(name string) []cache.ObjectName {
			if name == "" {
				panic("no name") //nolint:forbidigo // a user's function may panic
			}
			return []cache.ObjectName{{Namespace: "shop", Name: name}}
		}
		changes := func(_, after *corev1.ConfigMap) bool { return after.Data["size"][0] != '0' } // panics if there is no size
		source := informer.Namespaced(server, informertest.Resource, server.ConfigMaps)
		of := func(config *corev1.ConfigMap) []cache.ObjectName { return names(config.Labels["v"]) }
		_, err := Watch(r.controller.Controller, source, of, changes)
		require.NoError(t, err)
		require.NoError(t, WatchChannel(r.controller.Controller, events, names))
		r.run(t)
		r.take()
		metrics.take()
		server.Create(config("shop", "a", ""))
		assert.Empty(t, r.take(), "the function for names panics")
		server.Create(config("shop", "b", "web"))
		assert.Equal(t, []string{"reconcile web"}, r.take())
		server.Create(config("shop", "b", "web"))
		assert.Empty(t, r.take(), "the predicate panics")
		events <- ""
		events <- "web"
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Len(t, told, 3)
		panics := slices.DeleteFunc(metrics.take(), func(line string) bool { return !strings.HasSuffix(line, " panicked") })
		assert.Len(t, panics, 3)
	})
}

func TestPredicates(t *testing.T) {
	now := metav1.Now()
	type object = *corev1.ConfigMap
	of := func(meta metav1.ObjectMeta) object { return &corev1.ConfigMap{ObjectMeta: meta} }
	for name, test := range map[string]struct {
		predicate     Predicate[object]
		before, after metav1.ObjectMeta
		want          bool
	}{
		"generation":      {GenerationChanged[object], metav1.ObjectMeta{Generation: 1}, metav1.ObjectMeta{Generation: 2}, true},
		"same generation": {GenerationChanged[object], metav1.ObjectMeta{Generation: 1}, metav1.ObjectMeta{Generation: 1}, false},
		"no generation":   {GenerationChanged[object], metav1.ObjectMeta{}, metav1.ObjectMeta{}, true},
		"label":           {LabelsChanged[object], metav1.ObjectMeta{}, metav1.ObjectMeta{Labels: map[string]string{"a": "b"}}, true},
		"same labels":     {LabelsChanged[object], metav1.ObjectMeta{}, metav1.ObjectMeta{Labels: map[string]string{}}, false},
		"annotation":      {AnnotationsChanged[object], metav1.ObjectMeta{}, metav1.ObjectMeta{Annotations: map[string]string{"a": "b"}}, true},
		"no annotation":   {AnnotationsChanged[object], metav1.ObjectMeta{}, metav1.ObjectMeta{Generation: 1}, false},
		"deletion":        {DeletionStarted[object], metav1.ObjectMeta{}, metav1.ObjectMeta{DeletionTimestamp: &now}, true},
		"no deletion":     {DeletionStarted[object], metav1.ObjectMeta{}, metav1.ObjectMeta{}, false},
	} {
		assert.Equal(t, test.want, test.predicate(of(test.before), of(test.after)), name)
	}
}

func TestWaiting(t *testing.T) {
	m := &tally{}
	var ready atomic.Bool
	s := &steps{}
	s.reconcile = func(context.Context, *fleetv1.Workload) (Result, error) {
		if !ready.Load() {
			return Result{}, Waiting("Secret shop/db")
		}
		return Result{}, nil
	}
	bubble(t, s, []Option{WithMetrics(m)}, func(t *testing.T, r *rig) {
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, []string{"workloads.fleet.example.com waiting 0s"}, m.take())
		idle(waitingRecheck - time.Second)
		assert.Empty(t, r.take(), "there is no backoff")
		ready.Store(true)
		idle(time.Second)
		assert.Equal(t, []string{"reconcile web"}, r.take())
		assert.Equal(t, []string{"workloads.fleet.example.com success 0s"}, m.take())
	}, held("web"))
}
