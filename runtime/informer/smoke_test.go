package informer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kubefake "k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

var podsByNode = lister.NewIndex("spec.nodeName", func(pod *corev1.Pod) []string { return []string{pod.Spec.NodeName} })

// TestSources is about inference as much as about objects.
func TestSources(t *testing.T) {
	kube := kubefake.NewClientset(
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"}, Spec: corev1.PodSpec{NodeName: "n"}},
		&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}},
	)
	factory := informer.NewFactory(informer.WithNamespaces("a", "b"))
	defer factory.Shutdown()
	var pods *informer.Informer[*corev1.Pod] = informer.For(factory,
		informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods),
		informer.WithIndexers(lister.Indexers(podsByNode)))
	nodes := informer.For(factory, informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("nodes"), kube.CoreV1().Nodes()))
	factory.StartWithContext(t.Context())
	require.NoError(t, factory.WaitForSync(t.Context()))
	_, err := pods.Lister().Get("a", "x")
	require.NoError(t, err)
	_, err = nodes.Lister().Get("", "n")
	require.NoError(t, err)
	_, err = corelisters.NewPodLister(pods.Indexer()).Pods("a").Get("x")
	require.NoError(t, err)
	found, err := podsByNode.Get(pods, "n")
	require.NoError(t, err)
	require.Len(t, found, 1)
	found, err = podsByNode.In(pods.Lister(), "b", "n")
	require.NoError(t, err)
	require.Empty(t, found)
	all, err := pods.Lister().In("a").List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.NotNil(t, pods.Source().Client("a"))
}
