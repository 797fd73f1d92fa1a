package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// visitor notes the workloads that it reconciles.
type visitor struct {
	lock sync.Mutex
	seen map[string]bool
}

func (v *visitor) Reconcile(_ context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.seen[cache.MetaObjectToName(workload).String()] = true
	return controller.Result{}, nil
}

func (v *visitor) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

func (v *visitor) has(name string) bool {
	v.lock.Lock()
	defer v.lock.Unlock()
	return v.seen[name]
}

// setTeam labels a namespace, and creates the namespace if necessary.
func setTeam(t *testing.T, kube kubernetes.Interface, name, team string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"team": team}}}
	_, err := kube.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = kube.CoreV1().Namespaces().Patch(t.Context(), name, types.MergePatchType,
			[]byte(`{"metadata": {"labels": {"team": "`+team+`"}}}`), metav1.PatchOptions{})
	}
	require.NoError(t, err)
}

// TestControllersFollowNamespaces gives namespaces a label and takes it away, while a controller runs.
func TestControllersFollowNamespaces(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	client, kube := clientsOf(t, c.Config())
	namespaces := informer.Cluster(kube, corev1.SchemeGroupVersion.WithResource("namespaces"), kube.CoreV1().Namespaces())
	v := &visitor{seen: map[string]bool{}}
	running, err := controller.New(externalversions.FleetV1WorkloadSource(client), v,
		controller.WithInformers(informer.WithNamespaceSelector(namespaces, labels.SelectorFromSet(labels.Set{"team": "fleet"}))))
	require.NoError(t, err)
	for _, name := range []string{"one", "two"} {
		setTeam(t, kube, name, "other")
		_, err := client.FleetV1().Workloads(name).Create(t.Context(),
			wish{image: "image:1", tier: "tier-1", replicas: 1}.object(cache.NewObjectName(name, "web")), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	background(t, running.Run)
	eventually(t, running.HasSynced, "it runs without a namespace")

	limit := soon(2 * time.Second)
	for _, name := range []string{"one", "two"} {
		began := time.Now()
		setTeam(t, kube, name, "fleet")
		eventually(t, func() bool { return v.has(name + "/web") }, "a namespace comes")
		t.Logf("%s came after %v", name, time.Since(began).Round(time.Millisecond))
		assert.Less(t, time.Since(began), limit)
	}
	for _, name := range []string{"two", "one"} {
		began := time.Now()
		setTeam(t, kube, name, "other")
		eventually(t, func() bool {
			_, exists, err := running.Informer().Indexer().GetByKey(name + "/web")
			return err == nil && !exists
		}, "a namespace goes")
		t.Logf("%s went after %v", name, time.Since(began).Round(time.Millisecond))
		assert.Less(t, time.Since(began), limit)
	}
	assert.Empty(t, running.Informer().Namespaces())
}
