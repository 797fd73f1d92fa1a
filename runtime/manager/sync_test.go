package manager

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// TestInformersWithoutController requests an informer whose role is missing. The manager waits for the role, but not forever.
func TestInformersWithoutController(t *testing.T) {
	for _, granted := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			j, kube, began := &journal{}, kubetest.NewClientset(), time.Now()
			kube.PrependReactor("list", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
				if granted && time.Since(began) > 10*time.Second {
					return false, nil, nil
				}
				return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), "", nil)
			})
			// The default handler sleeps until the time of the process, which is years ahead of that of the test.
			quiet := informer.WithWatchErrorHandler(func(context.Context, *cache.Reflector, error) {})
			m := newManager(t, kube, WithInformers(quiet))
			require.NoError(t, m.Add(newStub(m, j, "robots")))
			informer.For(m.Factory(), informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods))
			if !granted {
				assert.ErrorContains(t, m.Start(t.Context()), "pods: forbidden")
				assert.Equal(t, syncTimeout, time.Since(began))
				return
			}
			end := begin(t, m)
			time.Sleep(5 * time.Second)
			assert.False(t, j.has("robots reconciles"))
			time.Sleep(100 * time.Second) // reflectors retry with a backoff
			assert.True(t, j.has("robots reconciles"))
			require.NoError(t, end())
		})
	}
}
