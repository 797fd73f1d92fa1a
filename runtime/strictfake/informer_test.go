package strictfake

import (
	"context"
	stdtesting "testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
)

// streaming is a clientset whose informers may stream their first list.
type streaming struct{ *kubefake.Clientset }

// IsWatchListSemanticsUnSupported reports whether informers must list before they watch.
func (streaming) IsWatchListSemanticsUnSupported() bool { return false }

// TestInformers runs client-go's informers: they list and watch, or stream.
func TestInformers(t *stdtesting.T) {
	for name, verbs := range map[string][]string{"list": {"list", "watch"}, "stream": {"watch"}} {
		t.Run(name, func(t *stdtesting.T) {
			synctest.Test(t, func(t *stdtesting.T) {
				kube, server := newKube(t)
				require.NoError(t, server.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "old"}}))
				factory := informers.NewSharedInformerFactory(kube, 0)
				if name == "stream" {
					factory = informers.NewSharedInformerFactory(streaming{kube}, 0)
				}
				pods := factory.Core().V1().Pods()
				require.NoError(t, pods.Informer().SetWatchErrorHandler(func(_ *cache.Reflector, err error) { t.Error(err) }))
				ctx, cancel := context.WithCancel(t.Context())
				factory.StartWithContext(ctx)
				synctest.Wait()
				assert.True(t, pods.Informer().HasSynced())
				_, err := kube.CoreV1().Pods("shop").Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "new"}},
					metav1.CreateOptions{})
				require.NoError(t, err)
				require.NoError(t, kube.CoreV1().Pods("shop").Delete(ctx, "old", metav1.DeleteOptions{}))
				synctest.Wait()
				assert.Equal(t, []string{"shop/new"}, pods.Informer().GetStore().ListKeys())
				var requested []string
				for _, action := range kube.Actions() {
					if verb := action.GetVerb(); verb == "list" || verb == "watch" {
						requested = append(requested, verb)
					}
				}
				assert.Equal(t, verbs, requested)
				cancel()
				factory.Shutdown()
			})
		})
	}
}
