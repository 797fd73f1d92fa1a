package manager

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// counter counts reconciles of Pods.
type counter struct{ reconciled atomic.Int64 }

func (c *counter) Reconcile(context.Context, *corev1.Pod) (controller.Result, error) {
	c.reconciled.Add(1)
	return controller.Result{}, nil
}

func (c *counter) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestWithPause has three controllers of one Pod: without an annotation of its own, with another one, and without any.
func TestWithPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube := kubetest.NewClientset()
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web", Annotations: map[string]string{"example.com/paused": "true"},
		}}
		_, err := kube.CoreV1().Pods("shop").Create(t.Context(), pod, metav1.CreateOptions{})
		require.NoError(t, err)
		m := newManager(t, kube, WithPause("example.com/paused"))
		counters, paused := map[string]*counter{}, map[string]int{}
		for name, options := range map[string][]controller.Option{
			"paused": nil, "another": {controller.WithPause("example.com/another")}, "exempt": {controller.WithPause("")},
		} {
			counters[name] = &counter{}
			c, err := controller.New(informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods), counters[name],
				append(append(m.ControllerOptions(name), controller.WithName(name)), options...)...)
			require.NoError(t, err)
			require.NoError(t, m.Add(c))
		}
		end := begin(t, m)
		synctest.Wait()
		for _, c := range m.controllers {
			paused[c.Name()] = c.Describe().Paused.Total
		}
		assert.Equal(t, map[string]int{"paused": 1, "another": 0, "exempt": 0}, paused)
		for name, c := range counters {
			assert.EqualValues(t, 1-paused[name], c.reconciled.Load())
		}
		require.NoError(t, end())
	})
}
