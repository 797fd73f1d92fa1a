package e2e

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// The children of a test: each of several workloads owns a number of config maps, whose names the server makes.
const (
	parents        = 10
	childrenEach   = 100
	ownerKindLabel = "fleet.example.com/owner-kind"
)

// parent is a reconciler that creates the config maps that a workload lacks, and deletes those that it has too many of.
type parent struct {
	kube     kubernetes.Interface
	children *controller.Owned[*corev1.ConfigMap]
	labels   map[string]string

	reconciled, created, deleted atomic.Int64
}

func (p *parent) Reconcile(ctx context.Context, workload *fleetv1.Workload) (controller.Result, error) {
	owned, err := p.children.By(workload)
	if err != nil {
		return controller.Result{}, err
	}
	configMaps := p.kube.CoreV1().ConfigMaps(workload.Namespace)
	for range childrenEach - len(owned) {
		child, err := configMaps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			GenerateName: workload.Name + "-", Labels: p.labels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(workload, fleetv1controllers.WorkloadKind)},
		}}, metav1.CreateOptions{})
		if err != nil {
			return controller.Result{}, err
		}
		controller.Wrote(ctx, child)
		p.created.Add(1)
	}
	for _, child := range owned[min(childrenEach, len(owned)):] {
		if err := configMaps.Delete(ctx, child.Name, metav1.DeleteOptions{}); err != nil {
			return controller.Result{}, err
		}
		controller.Deleted(ctx, child)
		p.deleted.Add(1)
	}
	p.reconciled.Add(1)
	return controller.Result{}, nil
}

func (p *parent) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// newParent returns a controller. Children have labels, or lack them as in earlier versions.
func newParent(t *testing.T, client versioned.Interface, kube kubernetes.Interface, labeled bool) (*parent, *controller.Controller[*fleetv1.Workload]) {
	t.Helper()
	p := &parent{kube: kube}
	c, err := controller.New(externalversions.FleetV1WorkloadSource(client), p)
	require.NoError(t, err)
	own := controller.OwnAll[*corev1.ConfigMap, *fleetv1.Workload]
	if labeled {
		own, p.labels = controller.Own[*corev1.ConfigMap, *fleetv1.Workload], c.OwnerLabels()
	}
	p.children, err = own(c, informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("configmaps"), kube.CoreV1().ConfigMaps))
	require.NoError(t, err)
	return p, c
}

// TestControllersLabelObjectsOfEarlierVersions runs versions of a controller without and with labels, one after the other, on 1,000 owned
// objects: forwards, a rollback, forwards.
func TestControllersLabelObjectsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	c := start(t, apiservertest.Options{})
	client, kube := clientsOf(t, c.Config())
	for n := range parents {
		name := cache.NewObjectName(namespace, "parent-"+strconv.Itoa(n))
		_, err := client.FleetV1().Workloads(namespace).Create(t.Context(),
			wish{image: "image:1", tier: "tier-1", replicas: 1}.object(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	configMaps := kube.CoreV1().ConfigMaps(namespace)
	for version, labeled := range []bool{false, true, false, true} {
		t.Run(fmt.Sprintf("%d labeled %t", version, labeled), func(t *testing.T) {
			p, running := newParent(t, client, kube, labeled)
			stop := background(t, running.Run)
			eventually(t, func() bool { return p.reconciled.Load() >= parents }, "each workload is reconciled")
			for range 2 { // once more, with caches that have everything
				before := p.reconciled.Load()
				for n := range parents {
					running.Enqueue(cache.NewObjectName(namespace, "parent-"+strconv.Itoa(n)))
				}
				eventually(t, func() bool { return p.reconciled.Load() >= before+parents }, "and again")
			}
			require.NoError(t, stop())
			list, err := configMaps.List(t.Context(), metav1.ListOptions{LabelSelector: ""})
			require.NoError(t, err)
			created, unlabeled := 0, 0
			for _, child := range list.Items {
				if metav1.GetControllerOf(&child) == nil {
					continue // that of the cluster's certificate
				}
				created++
				if child.Labels[ownerKindLabel] != "Workload" {
					unlabeled++
				}
			}
			assert.Equal(t, parents*childrenEach, created)
			assert.Zero(t, p.deleted.Load())
			if version > 0 {
				assert.Zero(t, p.created.Load(), "all are found")
			}
			if labeled {
				assert.Zero(t, unlabeled)
			}
			for _, child := range list.Items[:50] { // as an older version does that applies without labels
				_, err := configMaps.Patch(t.Context(), child.Name, types.MergePatchType,
					[]byte(`{"metadata":{"labels":null}}`), metav1.PatchOptions{})
				require.NoError(t, err)
			}
		})
	}
}
