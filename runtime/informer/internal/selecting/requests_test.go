package selecting_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/arcs"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer/internal/selecting"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestRequests checks the options of requests.
func TestRequests(t *testing.T) {
	low := arcs.New(arcs.Bucket(0, 127))
	others := false
	r := &selecting.Requests{Arcs: low, Others: func(are bool) { others = are }}
	selector := arcs.Key{}.Selector(low).String()
	var sent []metav1.ListOptions
	refuses := false
	list := func(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
		sent = append(sent, options)
		if refuses && options.ShardSelector != "" {
			return nil, apierrors.NewBadRequest("no such parameter")
		}
		return &corev1.ConfigMapList{}, nil
	}
	_, err := r.List(t.Context(), metav1.ListOptions{ResourceVersion: "0"}, list)
	require.NoError(t, err)
	_, err = r.List(t.Context(), metav1.ListOptions{Continue: "x"}, list)
	require.NoError(t, err)
	assert.False(t, others)
	refuses = true
	_, err = r.List(t.Context(), metav1.ListOptions{}, list)
	require.NoError(t, err)
	assert.True(t, others, "all objects are to be expected")
	refuses = false
	_, err = r.List(t.Context(), metav1.ListOptions{Continue: "y"}, list)
	require.NoError(t, err)
	assert.Equal(t, []metav1.ListOptions{
		{ShardSelector: selector}, {ShardSelector: selector, Continue: "x"}, // most recent, and the same selector
		{ShardSelector: selector}, {}, {Continue: "y"}, // a token of a list without selector goes without one
	}, sent)

	_, err = r.List(t.Context(), metav1.ListOptions{ShardSelector: "another"}, list)
	assert.ErrorContains(t, err, `select the shard "another"`)
	_, err = r.Watch(t.Context(), metav1.ListOptions{ResourceVersion: "0", SendInitialEvents: new(bool)}, func(
		_ context.Context, options metav1.ListOptions,
	) (watch.Interface, error) {
		assert.Equal(t, metav1.ListOptions{ShardSelector: selector, SendInitialEvents: new(bool)}, options)
		return watch.NewFake(), nil
	})
	require.NoError(t, err)
}

// TestRelay stops a watch while nobody receives its events.
func TestRelay(t *testing.T) {
	opened := watch.NewFakeWithChanSize(3, false)
	bookmark := watch.Event{Type: watch.Bookmark, Object: &corev1.ConfigMap{}}
	relayed := selecting.Relay(opened, bookmark, func(event watch.Event) bool { return event.Type != watch.Modified })
	opened.Modify(&corev1.ConfigMap{})
	opened.Add(&corev1.ConfigMap{})
	opened.Delete(&corev1.ConfigMap{})
	assert.Equal(t, watch.Bookmark, (<-relayed.ResultChan()).Type)
	assert.Equal(t, watch.Added, (<-relayed.ResultChan()).Type)
	relayed.Stop()
	for range relayed.ResultChan() { // at most the event that was on its way
	}
}
