package tests

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	fleetv1controllers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/controllers/fleet/v1"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/lister"
)

// These tests rebuild issues of public operators in small, each with the code that had the fault, and without it. See also
// TestForeignSecretsStayOnTheServer, and TestResourceNames on a real API server.

// secretRefs says in a condition whether the Secret of a workload exists.
type secretRefs struct {
	client versioned.Interface
	secret func(ctx context.Context, object *fleetv1.Workload) (*corev1.Secret, error)
}

const (
	conditionSecretRef = "SecretRefValid"
	// refresh is the time after which everything is reconciled again.
	refresh = time.Hour
)

func (r *secretRefs) Reconcile(ctx context.Context, object *fleetv1.Workload) (controller.Result, error) {
	before := object.DeepCopy()
	condition := metav1.Condition{Type: conditionSecretRef, Status: metav1.ConditionTrue, Reason: "Found"}
	_, err := r.secret(ctx, object)
	if err != nil {
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, controller.ReasonOf(err), err.Error()
	}
	fleetv1controllers.SetWorkloadCondition(object, condition)
	if _, err := fleetv1controllers.UpdateWorkloadStatus(ctx, r.client, before, object); err != nil {
		return controller.Result{}, err
	}
	if controller.IsNotFound(err) {
		err = nil
	}
	return controller.Result{RequeueAfter: refresh}, err
}

func (*secretRefs) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }
func (*secretRefs) Finalize(context.Context, *fleetv1.Workload) error        { return nil }

// TestGeneratedReconcilersSeeSecrets is https://github.com/Kong/kong-operator/issues/4870: reconcilers that were generated for kinds with a
// reference to a Secret did not enqueue the object when the Secret changed. An object that came first had the condition False until the
// next refresh.
func TestGeneratedReconcilersSeeSecrets(t *testing.T) {
	for name, test := range map[string]struct {
		create func(versioned.Interface, kubernetes.Interface) (func(context.Context) error, error)
		want   metav1.ConditionStatus
	}{
		"without a watch": {
			func(client versioned.Interface, kube kubernetes.Interface) (func(context.Context) error, error) {
				c, err := controller.New(informers.FleetV1WorkloadSource(client), &secretRefs{
					client, func(ctx context.Context, object *fleetv1.Workload) (*corev1.Secret, error) {
						return kube.CoreV1().Secrets(object.Namespace).Get(ctx, object.Spec.SecretName, metav1.GetOptions{})
					},
				})
				return c.Run, err
			},
			metav1.ConditionFalse,
		},
		"with a reference": {
			func(client versioned.Interface, kube kubernetes.Interface) (func(context.Context) error, error) {
				r := &secretRefs{client: client}
				c, err := fleetv1controllers.NewWorkloadController(client, kube, r)
				r.secret = c.Secret
				return c.Run, err
			},
			metav1.ConditionTrue,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				web := held("web")
				web.Spec.SecretName = "db"
				client, kube := fake.NewSimpleClientset(web), kubefake.NewClientset()
				run, err := test.create(client, kube)
				require.NoError(t, err)
				defer startController(t, run)()
				status := func() metav1.ConditionStatus {
					synctest.Wait()
					object, err := client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
					require.NoError(t, err)
					return meta.FindStatusCondition(object.Status.Conditions, conditionSecretRef).Status
				}
				assert.Equal(t, metav1.ConditionFalse, status())
				secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db"}}
				require.NoError(t, ignoreResult(kube.CoreV1().Secrets("shop").Create(t.Context(), secret, metav1.CreateOptions{})))
				assert.Equal(t, test.want, status())
				time.Sleep(refresh)
				assert.Equal(t, metav1.ConditionTrue, status())
			})
		})
	}
}

// users notes for each region which workloads are in it.
type users struct {
	workloads *informer.Informer[*fleetv1.Workload]
	lock      sync.Mutex
	of        map[string]string
}

var inRegion = lister.NewIndex("region", func(w *fleetv1.Workload) []string { return []string{w.Spec.RegionName} })

func (u *users) Reconcile(_ context.Context, object *fleetv1.Region) (controller.Result, error) {
	workloads, err := inRegion.Get(u.workloads, object.Name) // not a scan of all workloads
	var names []string
	for _, w := range workloads {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	u.lock.Lock()
	defer u.lock.Unlock()
	u.of[object.Name] = strings.Join(names, " ")
	return controller.Result{}, err
}

func (*users) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestConfigsKnowTheirUsers is https://github.com/stacklok/toolhive/issues/5607: six controllers kept a list of the workloads that refer to
// a config. They scanned all workloads in each reconcile and, after each change of a workload, all configs for the one that it had
// referred to before. A handler without the second scan, that sees only the new state, leaves the workload in the list of the old config.
func TestConfigsKnowTheirUsers(t *testing.T) {
	regionsOf := func(w *fleetv1.Workload) []cache.ObjectName { return []cache.ObjectName{{Name: w.Spec.RegionName}} }
	for name, test := range map[string]struct {
		watch func(*fleetv1controllers.RegionController, informer.Source[*fleetv1.Workload]) (*informer.Informer[*fleetv1.Workload], error)
		north string
	}{
		"a handler of the new state": {
			func(c *fleetv1controllers.RegionController, source informer.Source[*fleetv1.Workload]) (*informer.Informer[*fleetv1.Workload], error) {
				workloads := informer.For(c.Factory(), source)
				enqueue := func(w *fleetv1.Workload) { c.Enqueue(regionsOf(w)[0]) }
				_, err := workloads.AddHandler(informer.HandlerFuncs[*fleetv1.Workload]{
					Added: func(w *fleetv1.Workload, _ bool) { enqueue(w) }, Updated: func(_, w *fleetv1.Workload) { enqueue(w) },
					Deleted: func(_ cache.ObjectName, w *fleetv1.Workload) { enqueue(w) },
				})
				return workloads, err
			},
			"db web",
		},
		"Watch": {
			func(c *fleetv1controllers.RegionController, source informer.Source[*fleetv1.Workload]) (*informer.Informer[*fleetv1.Workload], error) {
				return controller.Watch(c.Controller, source, regionsOf)
			},
			"db",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				web := workload("shop", "web", nil)
				client := fake.NewSimpleClientset(region("north"), region("south"), web, workload("shop", "db", nil))
				u := &users{of: map[string]string{}}
				c, err := fleetv1controllers.NewRegionController(client, u)
				require.NoError(t, err)
				u.workloads, err = test.watch(c, informers.FleetV1WorkloadSource(client).WithIndexers(lister.Indexers(inRegion)))
				require.NoError(t, err)
				defer startController(t, c.Run)()
				assert.Equal(t, map[string]string{"north": "db web", "south": ""}, u.of)
				web = web.DeepCopy()
				web.Spec.RegionName = "south"
				require.NoError(t, ignoreResult(client.FleetV1().Workloads("shop").Update(t.Context(), web, metav1.UpdateOptions{})))
				synctest.Wait()
				assert.Equal(t, map[string]string{"north": test.north, "south": "web"}, u.of)
				require.NoError(t, client.FleetV1().Workloads("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
				synctest.Wait()
				assert.Equal(t, map[string]string{"north": test.north, "south": ""}, u.of)
			})
		})
	}
}
