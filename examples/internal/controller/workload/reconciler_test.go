package workload

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	kubeapply "k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// sample returns a workload as users write it.
func sample() *fleetv1.Workload {
	return &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "uid-of-web", Generation: 1},
		Spec: fleetv1.WorkloadSpec{
			Replicas:   ptr.To[int32](3),
			RegionName: "north",
			Template:   fleetv1.WorkloadTemplate{Image: "web:1", Env: []corev1.EnvVar{{Name: "MODE", Value: "fast"}}},
			Config:     map[string]string{"web.conf": "color = blue"},
		},
	}
}

// world is a controller running on fake clientsets.
type world struct {
	client *fake.Clientset
	kube   *kubefake.Clientset
	events *events.FakeRecorder
}

func newWorld(t *testing.T, objects ...runtime.Object) *world {
	t.Helper()
	server := strictfake.NewServer()
	w := &world{client: fake.NewStrictClientsetFor(server, objects...), kube: kubefake.NewClientset(), events: events.NewFakeRecorder(100)}
	require.NoError(t, server.Serve(w.kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	return w
}

// TestReconcile runs the controller on fake clientsets until it is idle. It then changes something, waits again, and checks the
// result.
func TestReconcile(t *testing.T) {
	tests := map[string]struct {
		before func(*fleetv1.Workload)
		change func(*testing.T, *world)
		check  func(*testing.T, *world, *fleetv1.Workload)
	}{
		"new": {
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, []string{fleetv1.WorkloadFinalizer}, workload.Finalizers)
				assert.Equal(t, int64(1), workload.Status.CurrentRevision)
				assert.Equal(t, int64(1), workload.Status.ObservedGeneration)
				assert.Equal(t, "fleet.example.com/workload=web", workload.Status.Selector)
				assert.Equal(t, "Placed=True Progressing=True Ready=False", conditions(workload))
				deployment := w.deployment(t)
				assert.True(t, metav1.IsControlledBy(deployment, workload))
				assert.Equal(t, int32(3), *deployment.Spec.Replicas)
				container := deployment.Spec.Template.Spec.Containers[0]
				assert.Equal(t, "web:1", container.Image)
				assert.Equal(t, []corev1.EnvVar{{Name: "MODE", Value: "fast"}}, container.Env)
				assert.Equal(t, map[string]string{"web.conf": "color = blue"}, w.configMap(t, "shop", "web-config").Data)
				assert.Equal(t, "north", w.configMap(t, "fleet-system", "shop.web").Data["region"])
				assert.Equal(t, []string{"web-1 web:1"}, w.revisions(t))
				assert.Equal(t, []string{"Normal Created", "Normal Recorded"}, w.told())
			},
		},
		"replicas serve": {
			change: func(t *testing.T, w *world) {
				deployment := w.deployment(t)
				deployment.Status = appsv1.DeploymentStatus{ObservedGeneration: deployment.Generation, Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3}
				_, err := w.kube.AppsV1().Deployments("shop").UpdateStatus(t.Context(), deployment, metav1.UpdateOptions{})
				require.NoError(t, err)
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, "Placed=True Progressing=False Ready=True", conditions(workload))
				assert.Equal(t, int32(3), workload.Status.ReadyReplicas)
				assert.Contains(t, w.told(), "Normal Ready")
			},
		},
		"template changes": {
			change: func(t *testing.T, w *world) {
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Template.Image = "web:2" })
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, int64(2), workload.Status.CurrentRevision)
				assert.Equal(t, []string{"web-1 web:1", "web-2 web:2"}, w.revisions(t))
				assert.Equal(t, "web:2", w.deployment(t).Spec.Template.Spec.Containers[0].Image)
				assert.Equal(t, "2", w.deployment(t).Labels[fleetv1.RevisionLabel])
			},
		},
		"history is limited": {
			before: func(workload *fleetv1.Workload) { workload.Spec.RevisionHistoryLimit = ptr.To[int32](1) },
			change: func(t *testing.T, w *world) {
				for _, image := range []string{"web:2", "web:3"} {
					w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Template.Image = image })
				}
			},
			check: func(t *testing.T, w *world, _ *fleetv1.Workload) {
				assert.Equal(t, []string{"web-2 web:2", "web-3 web:3"}, w.revisions(t))
			},
		},
		"revision exists": {
			before: func(workload *fleetv1.Workload) { workload.Status.CurrentRevision = 1 },
			change: func(t *testing.T, w *world) {
				// As after a request whose answer was lost: the next one is refused.
				w.client.PrependReactor("create", "workloadrevisions", func(action clienttesting.Action) (bool, runtime.Object, error) {
					revision := action.(clienttesting.CreateAction).GetObject()
					require.NoError(t, w.client.Tracker().Create(action.GetResource(), revision, "shop"))
					return true, nil, apierrors.NewAlreadyExists(fleetv1.Resource("workloadrevisions"), "web-2")
				})
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Template.Image = "web:2" })
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, int64(2), workload.Status.CurrentRevision)
				assert.Equal(t, []string{"web-1 web:1", "web-2 web:2"}, w.revisions(t))
			},
		},
		"predecessor is collected late": {
			before: func(workload *fleetv1.Workload) { workload.Spec.Paused = true },
			change: func(t *testing.T, w *world) {
				predecessor := sample()
				predecessor.UID = "uid-of-another"
				revisions := w.client.FleetV1().WorkloadRevisions("shop")
				_, err := revisions.Create(t.Context(), &fleetv1.WorkloadRevision{ObjectMeta: metav1.ObjectMeta{
					Name: "web-1", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(predecessor, fleetv1.SchemeGroupVersion.WithKind("Workload"))},
				}}, metav1.CreateOptions{})
				require.NoError(t, err)
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Paused = false })
				time.Sleep(time.Minute) // in the bubble: longer than all retries that are counted
				require.NoError(t, revisions.Delete(t.Context(), "web-1", metav1.DeleteOptions{}))
				time.Sleep(10 * time.Minute)
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, []string{"web-1 web:1"}, w.revisions(t))
				assert.Equal(t, int64(1), workload.Status.CurrentRevision)
			},
		},
		"configuration goes": {
			change: func(t *testing.T, w *world) {
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Config = nil })
			},
			check: func(t *testing.T, w *world, _ *fleetv1.Workload) {
				_, err := w.kube.CoreV1().ConfigMaps("shop").Get(t.Context(), "web-config", metav1.GetOptions{})
				assert.True(t, apierrors.IsNotFound(err))
				assert.Empty(t, w.deployment(t).Spec.Template.Spec.Volumes)
			},
		},
		"status is refused while a name is taken": {
			change: func(t *testing.T, w *world) {
				deployment := w.deployment(t)
				deployment.OwnerReferences = nil
				_, err := w.kube.AppsV1().Deployments("shop").Update(t.Context(), deployment, metav1.UpdateOptions{})
				require.NoError(t, err)
				synctest.Wait()
				refused := false
				w.client.PrependReactor("update", "workloads", func(action clienttesting.Action) (bool, runtime.Object, error) {
					refuse := action.GetSubresource() == "status" && !refused
					refused = refused || refuse
					return refuse, nil, apierrors.NewServiceUnavailable("once")
				})
				w.edit(t, func(workload *fleetv1.Workload) { workload.Spec.Replicas = ptr.To[int32](4) })
				time.Sleep(time.Minute) // in the bubble: longer than the first retries
				synctest.Wait()
				require.True(t, refused)
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, workload.Generation, workload.Status.ObservedGeneration, "although a taken name is a terminal error")
				assert.Equal(t, int32(3), *w.deployment(t).Spec.Replicas, "not ours")
			},
		},
		"deployment is lost": {
			change: func(t *testing.T, w *world) {
				require.NoError(t, w.kube.AppsV1().Deployments("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
			},
			check: func(t *testing.T, w *world, _ *fleetv1.Workload) {
				assert.Equal(t, "web:1", w.deployment(t).Spec.Template.Spec.Containers[0].Image)
			},
		},
		"deployment is changed": {
			change: func(t *testing.T, w *world) {
				deployment := w.deployment(t)
				deployment.Spec.Replicas = ptr.To[int32](7)
				_, err := w.kube.AppsV1().Deployments("shop").Update(t.Context(), deployment, metav1.UpdateOptions{FieldManager: "somebody"})
				require.NoError(t, err)
			},
			check: func(t *testing.T, w *world, _ *fleetv1.Workload) {
				assert.Equal(t, int32(3), *w.deployment(t).Spec.Replicas)
			},
		},
		"nothing happens": {
			change: func(t *testing.T, w *world) {
				w.client.ClearActions()
				w.kube.ClearActions()
				w.edit(t, func(workload *fleetv1.Workload) { workload.Labels = map[string]string{"team": "a"} })
			},
			check: func(t *testing.T, w *world, _ *fleetv1.Workload) {
				assert.Empty(t, w.kube.Actions())
				assert.Equal(t, []string{"get workloads", "update workloads"}, verbs(w.client.Actions()), "which is the test itself")
			},
		},
		"paused": {
			before: func(workload *fleetv1.Workload) { workload.Spec.Paused = true },
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, "Progressing=False Ready=False", conditions(workload))
				assert.Empty(t, w.revisions(t))
			},
		},
		"no such region": {
			before: func(workload *fleetv1.Workload) { workload.Spec.RegionName = "south" },
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, "Placed=False Ready=False", conditions(workload))
				assert.Empty(t, w.told(), "to wait is no failure")
				assert.Empty(t, w.revisions(t))
			},
		},
		"region comes late": {
			before: func(workload *fleetv1.Workload) { workload.Spec.RegionName = "south" },
			change: func(t *testing.T, w *world) {
				w.addRegion(t, "south")
			},
			check: func(t *testing.T, _ *world, workload *fleetv1.Workload) {
				assert.Equal(t, "Placed=True Progressing=True Ready=False", conditions(workload))
			},
		},
		"deleted": {
			change: func(t *testing.T, w *world) {
				w.delete(t)
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Nil(t, workload)
				_, err := w.kube.CoreV1().ConfigMaps("fleet-system").Get(t.Context(), "shop.web", metav1.GetOptions{})
				assert.True(t, apierrors.IsNotFound(err))
				assert.Contains(t, w.told(), "Normal Released")
			},
		},
		"deleted and made again": {
			before: func(workload *fleetv1.Workload) { workload.Finalizers = []string{"example.com/other"} }, // which keeps it
			change: func(t *testing.T, w *world) {
				// A new workload with this name, which is not in this cache, has been placed by another leader.
				record := w.configMap(t, "fleet-system", "shop.web")
				record.Data["uid"] = "uid-of-the-next"
				_, err := w.kube.CoreV1().ConfigMaps("fleet-system").Update(t.Context(), record, metav1.UpdateOptions{})
				require.NoError(t, err)
				w.delete(t)
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, []string{"example.com/other"}, workload.Finalizers)
				assert.Equal(t, "uid-of-the-next", w.configMap(t, "fleet-system", "shop.web").Data["uid"])
			},
		},
		"environment comes late": {
			before: func(workload *fleetv1.Workload) {
				workload.Spec.SecretName, workload.Spec.ConfigMapName = "db", "settings"
			},
			change: func(t *testing.T, w *world) {
				secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Data: map[string][]byte{"PASSWORD": []byte("a")}}
				_, err := w.kube.CoreV1().Secrets("shop").Create(t.Context(), secret, metav1.CreateOptions{})
				require.NoError(t, err)
				synctest.Wait()
				assert.Empty(t, w.revisions(t), "there is no config map yet")
				settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}, Data: map[string]string{"LEVEL": "1"}}
				_, err = w.kube.CoreV1().ConfigMaps("shop").Create(t.Context(), settings, metav1.CreateOptions{})
				require.NoError(t, err)
				synctest.Wait()
				before := w.deployment(t).Spec.Template
				secret.Data["PASSWORD"] = []byte("b")
				_, err = w.kube.CoreV1().Secrets("shop").Update(t.Context(), secret, metav1.UpdateOptions{})
				require.NoError(t, err)
				synctest.Wait()
				assert.NotEqual(t, before.Annotations, w.deployment(t).Spec.Template.Annotations, "replicas are replaced")
			},
			check: func(t *testing.T, w *world, workload *fleetv1.Workload) {
				assert.Equal(t, "Placed=True Progressing=True Ready=False", conditions(workload))
				from := w.deployment(t).Spec.Template.Spec.Containers[0].EnvFrom
				require.Len(t, from, 2)
				assert.Equal(t, "settings", from[0].ConfigMapRef.Name)
				assert.Equal(t, "db", from[1].SecretRef.Name)
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				workload := sample()
				if test.before != nil {
					test.before(workload)
				}
				w := newWorld(t, workload)
				w.addRegion(t, "north")
				c, err := New(w.client, w.kube, w.events)
				require.NoError(t, err)
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- c.Run(ctx) }()
				synctest.Wait()
				if test.change != nil {
					test.change(t, w)
					synctest.Wait()
				}
				actual, err := w.client.Tracker().Get(fleetv1.SchemeGroupVersion.WithResource("workloads"), "shop", "web")
				if workload = nil; !apierrors.IsNotFound(err) {
					require.NoError(t, err)
					workload = actual.(*fleetv1.Workload)
				}
				test.check(t, w, workload)
				stop()
				assert.NoError(t, <-done)
			})
		})
	}
}

// TestReconcileDeleted deletes a workload that its finalizer did not hold.
func TestReconcileDeleted(t *testing.T) {
	for name, test := range map[string]struct {
		live types.UID // of a workload that is not in the cache
		gone bool
	}{
		"gone":                {gone: true},
		"another is there":    {live: "uid-of-the-next", gone: true},
		"the cache is behind": {live: "uid-of-web"},
	} {
		t.Run(name, func(t *testing.T) {
			record := &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Namespace: "fleet-system", Name: "shop.web"},
				Data:       map[string]string{"uid": "uid-of-web"},
			}
			var objects []runtime.Object
			if test.live != "" {
				live := sample()
				live.UID = test.live
				objects = append(objects, live)
			}
			r := &reconciler{client: fake.NewStrictClientset(objects...), kube: kubefake.NewClientset(record)}
			for range 2 {
				require.NoError(t, r.ReconcileDeleted(t.Context(), cache.NewObjectName("shop", "web")))
			}
			_, err := r.kube.CoreV1().ConfigMaps("fleet-system").Get(t.Context(), "shop.web", metav1.GetOptions{})
			assert.Equal(t, test.gone, apierrors.IsNotFound(err), "%v", err)
		})
	}
}

// TestRecordOfEarlierRun has a record of a workload that went while no controller was running.
func TestRecordOfEarlierRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, sample())
		records := w.kube.CoreV1().ConfigMaps("fleet-system")
		for _, configMap := range []corev1.ConfigMap{
			{ObjectMeta: metav1.ObjectMeta{Name: "shop.gone", Labels: recordLabels}},
			{ObjectMeta: metav1.ObjectMeta{Name: "shop.web", Labels: recordLabels}},
			{ObjectMeta: metav1.ObjectMeta{Name: "kube-root-ca.crt"}},
		} {
			_, err := records.Create(t.Context(), &configMap, metav1.CreateOptions{})
			require.NoError(t, err)
		}
		c, err := New(w.client, w.kube, w.events)
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		stop()
		require.NoError(t, <-done)
		left, err := records.List(t.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		var names []string
		for _, record := range left.Items {
			names = append(names, record.Name)
		}
		assert.ElementsMatch(t, []string{"shop.web", "kube-root-ca.crt"}, names)
	})
}

func (w *world) addRegion(t *testing.T, name string) {
	t.Helper()
	_, err := w.client.FleetV1().Regions().Create(t.Context(), &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	require.NoError(t, err)
}

func (w *world) delete(t *testing.T) {
	t.Helper()
	require.NoError(t, w.client.FleetV1().Workloads("shop").Delete(t.Context(), "web", metav1.DeleteOptions{}))
	synctest.Wait()
}

// edit changes the workload and waits until the controller is idle.
func (w *world) edit(t *testing.T, change func(*fleetv1.Workload)) {
	t.Helper()
	workload, err := w.client.FleetV1().Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	change(workload)
	_, err = w.client.FleetV1().Workloads("shop").Update(t.Context(), workload, metav1.UpdateOptions{})
	require.NoError(t, err)
	synctest.Wait()
}

func (w *world) deployment(t *testing.T) *appsv1.Deployment {
	t.Helper()
	deployment, err := w.kube.AppsV1().Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	return deployment
}

func (w *world) configMap(t *testing.T, namespace, name string) *corev1.ConfigMap {
	t.Helper()
	configMap, err := w.kube.CoreV1().ConfigMaps(namespace).Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	return configMap
}

// revisions returns names and images of all revisions.
func (w *world) revisions(t *testing.T) []string {
	t.Helper()
	list, err := w.client.FleetV1().WorkloadRevisions("shop").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	var all []string
	for _, revision := range list.Items {
		all = append(all, revision.Name+" "+revision.Template.Image)
	}
	return all
}

// told returns the types and reasons of the events so far, without duplicates: fake clientsets have no resource versions, so they
// accept a status computed from a stale object, and the reconciler reports the event twice.
func (w *world) told() []string {
	var all []string
	for {
		select {
		case event := <-w.events.Events:
			all = append(all, strings.Join(strings.Fields(event)[:2], " "))
		default:
			slices.Sort(all)
			return slices.Compact(all)
		}
	}
}

func verbs(actions []clienttesting.Action) []string {
	var all []string
	for _, action := range actions {
		all = append(all, action.GetVerb()+" "+action.GetResource().Resource)
	}
	return all
}

// conditions returns types and states of the conditions, by type.
func conditions(workload *fleetv1.Workload) string {
	var all []string
	for _, condition := range workload.Status.Conditions {
		all = append(all, fmt.Sprintf("%s=%s", condition.Type, condition.Status))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
