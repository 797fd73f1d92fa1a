package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// realCluster reports whether the server is a complete control plane with its own controllers, but without nodes.
var realCluster = os.Getenv(apiservertest.ProgramEnv) != ""

// world is the environment of a workload controller: a region, and clients to inspect everything.
type world struct {
	client versioned.Interface
	kube   kubernetes.Interface
}

func startWorld(t *testing.T, c *cluster) *world {
	t.Helper()
	return worldOf(t, c.Config(), c.client)
}

// worldOf is startWorld for any server.
func worldOf(t *testing.T, config *rest.Config, client versioned.Interface) *world {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	kube, err := kubernetes.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	_, err = client.FleetV1().Regions().Create(t.Context(), region("north"), metav1.CreateOptions{})
	require.NoError(t, err)
	return &world{client, kube}
}

// settles waits until the state is as wanted and the controller has finished. It waits while there is progress, however slow the machine
// is, but not forever for a state that only changes.
func (w *world) settles(t *testing.T, wanted map[cache.ObjectName]wish) {
	t.Helper()
	assert.True(t, w.settlesBefore(t.Context(), t, wanted), "the test has ended")
}

// settlesBefore is like settles, and returns false when the context is done.
func (w *world) settlesBefore(ctx context.Context, t *testing.T, wanted map[cache.ObjectName]wish) bool {
	t.Helper()
	began, progress, before := time.Now(), time.Now(), -1
	// Inspecting everything puts load on the server, in addition to the controller's.
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		wrong := []string{"nothing can be seen"}
		now, err := w.look(t.Context())
		if err == nil {
			wrong = now.wrong(wanted)
		}
		if len(wrong) == 0 {
			return true
		}
		if len(wrong) != before {
			progress, before = time.Now(), len(wrong)
		}
		if time.Since(progress) > patience || time.Since(began) > 3*patience {
			slices.Sort(wrong)
			require.NoError(t, err)
			require.FailNow(t, "this takes too long", "%d things are wrong:\n%s", len(wrong), strings.Join(wrong[:min(len(wrong), 20)], "\n"))
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
}

// snapshot is the state at one time.
type snapshot struct {
	workloads map[cache.ObjectName]*fleetv1.Workload
	// Objects owned by workloads, by the UID of the controller.
	deployments map[types.UID][]appsv1.Deployment
	configs     map[types.UID][]corev1.ConfigMap
	revisions   map[types.UID][]fleetv1.WorkloadRevision
	// records are the records of the regions, by name.
	records map[string]corev1.ConfigMap
}

func (w *world) look(ctx context.Context) (*snapshot, error) {
	var all metav1.ListOptions
	workloads, err := w.client.FleetV1().Workloads("").List(ctx, all)
	revisions, err2 := w.client.FleetV1().WorkloadRevisions("").List(ctx, all)
	deployments, err3 := w.kube.AppsV1().Deployments("").List(ctx, all)
	configs, err4 := w.kube.CoreV1().ConfigMaps("").List(ctx, all)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return nil, err
	}
	deployments.Items = slices.DeleteFunc(deployments.Items, func(d appsv1.Deployment) bool { return isStranger(&d) })
	s := &snapshot{
		workloads:   map[cache.ObjectName]*fleetv1.Workload{},
		deployments: byController(deployments.Items, func(d *appsv1.Deployment) metav1.Object { return d }),
		revisions:   byController(revisions.Items, func(r *fleetv1.WorkloadRevision) metav1.Object { return r }),
		configs:     byController(configs.Items, func(c *corev1.ConfigMap) metav1.Object { return c }),
		records:     map[string]corev1.ConfigMap{},
	}
	for i := range workloads.Items {
		workload := &workloads.Items[i]
		s.workloads[cache.MetaObjectToName(workload)] = workload
	}
	// A real cluster has additional config maps without a controller.
	for _, record := range s.configs[""] {
		if record.Data["region"] != "" {
			s.records[record.Namespace+"/"+record.Name] = record
		}
	}
	delete(s.configs, "")
	return s, nil
}

// byController groups objects by their controller.
func byController[T any](objects []T, of func(*T) metav1.Object) map[types.UID][]T {
	all := map[types.UID][]T{}
	for i := range objects {
		uid := types.UID("")
		if ref := metav1.GetControllerOf(of(&objects[i])); ref != nil {
			uid = ref.UID
		}
		all[uid] = append(all[uid], objects[i])
	}
	return all
}

// wrong describes everything that is not as wanted.
func (s *snapshot) wrong(wanted map[cache.ObjectName]wish) []string {
	var wrong problems
	uids := map[types.UID]bool{}
	for name, workload := range s.workloads {
		wish, ok := wanted[name]
		wrong.unless(ok, name, "is still there, with the finalizers %v", workload.Finalizers)
		if ok {
			wish.compare(&wrong, name, workload)
			s.compareOwned(&wrong, name, workload, wish.taken)
		}
		uids[workload.UID] = true
	}
	for name := range wanted {
		wrong.unless(s.workloads[name] != nil, name, "is missing")
	}
	orphans(&wrong, "deployments", s.deployments, uids)
	orphans(&wrong, "config maps", s.configs, uids)
	orphans(&wrong, "revisions", s.revisions, uids)
	for _, record := range s.records {
		namespace, name, _ := strings.Cut(record.Name, ".")
		_, ok := wanted[cache.NewObjectName(namespace, name)]
		wrong.unless(ok && record.Namespace == fleetv1.SystemNamespace, cache.MetaObjectToName(&record),
			"is a record of no workload, made at %v: %v", record.CreationTimestamp, record.Data)
	}
	return wrong
}

func orphans[T any](wrong *problems, what string, owned map[types.UID][]T, uids map[types.UID]bool) {
	for uid, orphans := range owned {
		wrong.unless(uids[uid], cache.ObjectName{Name: what}, "%d of an owner %q that does not exist", len(orphans), uid)
	}
}

// compare checks the fields that the writer has written, and the finalizer.
func (w wish) compare(wrong *problems, name cache.ObjectName, workload *fleetv1.Workload) {
	got := wish{
		image: workload.Spec.Template.Image, tier: workload.Labels["tier"], config: workload.Spec.Config["app.conf"],
		replicas: ptr.Deref(workload.Spec.Replicas, -1),
	}
	got.taken = w.taken
	wrong.unless(got == w, name, "is %+v and not %+v", got, w)
	wrong.unless(workload.DeletionTimestamp == nil, name, "is about to be deleted")
	wrong.unless(slices.Equal(workload.Finalizers, []string{fleetv1.WorkloadFinalizer}), name, "has the finalizers %v", workload.Finalizers)
}

// compareOwned checks the objects that the controller has created for a workload.
func (s *snapshot) compareOwned(wrong *problems, name cache.ObjectName, workload *fleetv1.Workload, taken bool) {
	deployments, configs, revisions := s.deployments[workload.UID], s.configs[workload.UID], s.revisions[workload.UID]
	if taken {
		ready := meta.FindStatusCondition(workload.Status.Conditions, fleetv1.ConditionReady)
		wrong.unless(len(deployments) == 0, name, "has a deployment, whose name is taken")
		wrong.unless(ready != nil && ready.Reason == controller.ReasonNameTaken, name, "does not know that a name is taken: %v", ready)
		return
	}
	if len(deployments) != 1 {
		wrong.unless(false, name, "has %d deployments", len(deployments))
		return
	}
	deployment, replicas := deployments[0], *workload.Spec.Replicas
	containers := deployment.Spec.Template.Spec.Containers
	wrong.unless(deployment.Name == name.Name && len(containers) == 1 && containers[0].Image == workload.Spec.Template.Image,
		name, "wants the image %s, and has a deployment %s of %+v", workload.Spec.Template.Image, deployment.Name, containers)
	wrong.unless(ptr.Deref(deployment.Spec.Replicas, -1) == replicas, name, "has a deployment of %d replicas", ptr.Deref(deployment.Spec.Replicas, -1))
	wrong.unless(len(configs) == min(len(workload.Spec.Config), 1), name, "has %d config maps", len(configs))
	for _, config := range configs {
		wrong.unless(equality.Semantic.DeepEqual(config.Data, workload.Spec.Config), name, "has the config %v", config.Data)
	}
	record := s.records[fleetv1.SystemNamespace+"/"+name.Namespace+"."+name.Name]
	wrong.unless(record.Data["uid"] == string(workload.UID), name, "has the record %v", record.Data)

	numbers := map[int64]fleetv1.WorkloadTemplate{}
	for _, revision := range revisions {
		_, twice := numbers[revision.Revision]
		wrong.unless(!twice && revision.Name == fmt.Sprintf("%s-%d", name.Name, revision.Revision), name, "has a revision %s of number %d", revision.Name, revision.Revision)
		numbers[revision.Revision] = revision.Template
	}
	current, ok := numbers[workload.Status.CurrentRevision]
	wrong.unless(ok && equality.Semantic.DeepEqual(current, workload.Spec.Template), name, "has %+v as its revision %d", current, workload.Status.CurrentRevision)
	wrong.unless(len(revisions) <= 1+int(*workload.Spec.RevisionHistoryLimit), name, "has %d revisions", len(revisions))

	ready := replicas
	if realCluster {
		ready = deployment.Status.ReadyReplicas
	}
	status := workload.Status
	wrong.unless(status.ObservedGeneration == workload.Generation, name, "has generation %d observed of %d", status.ObservedGeneration, workload.Generation)
	wrong.unless(status.ReadyReplicas == ready, name, "has %d ready replicas of %d", status.ReadyReplicas, replicas)
	wrong.unless(meta.IsStatusConditionTrue(status.Conditions, fleetv1.ConditionPlaced), name, "is not placed: %v", status.Conditions)
	wrong.unless(meta.IsStatusConditionTrue(status.Conditions, fleetv1.ConditionReady) == (ready >= replicas), name, "is ready or not: %v", status.Conditions)
}

// problems collects problems.
type problems []string

func (p *problems) unless(right bool, name cache.ObjectName, message string, args ...any) {
	if !right {
		*p = append(*p, name.String()+" "+fmt.Sprintf(message, args...))
	}
}
