package shared

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// listing is a client that does not stream lists.
type listing struct{ *cache.ListWatch }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

// TestMistypedWatch has a client that lists typed objects and watches others, as typed clients do that are made from the
// result of dynamic.ConfigFor.
func TestMistypedWatch(t *testing.T) {
	events := watch.NewFake()
	reported := make(chan error, 2)
	r := newRig(t, Config{
		ListerWatcher: func(string) cache.ListerWatcher {
			return listing{&cache.ListWatch{
				ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
					return &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}, Items: []corev1.ConfigMap{*object("a/x")}}, nil
				},
				WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) { return events, nil },
			}}
		},
		WatchErrorHandler: func(_ context.Context, _ *cache.Reflector, err error) { reported <- err },
	})
	r.startSynced()
	other := &unstructured.Unstructured{}
	other.SetName("y")
	for range 2 {
		events.Add(other)
	}
	err := <-reported
	const text = "the client of configmaps delivers objects of type *unstructured.Unstructured, not *v1.ConfigMap: it was probably made from the " +
		"result of dynamic.ConfigFor"
	assert.ErrorContains(t, err, text)
	events.Add(object("a/z"))
	r.await("the delivery.Event after it", func() bool { return len(r.keys()) == 2 })
	assert.Empty(t, reported, "once")
	require.Len(t, r.informer.Failures(), 1)
	assert.Equal(t, err, r.informer.Failures()[0].Err)
}
