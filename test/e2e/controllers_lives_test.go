package e2e

import (
	"context"
	"net/http"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// program is the name of the controller's command, and of its lease.
const program = controllerAgent

// lives are lives of controllers, one after the other.
type lives struct {
	*cluster
	world *world
	team  *team
}

var (
	// denial is how servers say that a permission is missing, in a log of JSON.
	denial = regexp.MustCompile(`cannot (\w+) resource \\*"([\w/]+)\\*" in API group \\*"([\w.-]*)\\*"`)
	// ownerDenial is the same from the admission plugin OwnerReferencesPermissionEnforcement.
	ownerDenial = regexp.MustCompile(`an ownerReference refers to a resource you can't set finalizers on`)
)

// denied returns the permission that a line of a log says is missing, or "".
func denied(text string) string {
	if ownerDenial.MatchString(text) {
		return onlyReal
	}
	if parts := denial.FindStringSubmatch(text); parts != nil {
		return permission(parts[1], parts[2], parts[3])
	}
	return ""
}

// live runs a controller as a service account for the life of a workload, or until it is denied a permission. It returns all permissions
// that it was denied.
func (l *lives) live(t *testing.T, account, until string) map[string]bool {
	t.Helper()
	l.clear(t)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, apiservertest.WriteKubeconfig(l.As(accountName(account)), kubeconfig))
	all := map[string]bool{}
	ctx, end := context.WithCancel(within(t))
	member := team{binary: l.team.binary, kubeconfig: kubeconfig, options: l.team.options, read: func(text string) {
		if what := denied(text); what != "" {
			all[what] = true
			if what == until {
				end()
			}
		}
	}}
	life := newLife(t, l)
	controller := member.launch(t, account)
	if life.lead(ctx, t, controller) {
		assert.Equal(t, 1, life.conflict.Hits())
		controller.signal(t, syscall.SIGTERM)
		code, _ := controller.end(t)
		assert.Zero(t, code)
		return all
	}
	assert.ErrorIs(t, context.Cause(ctx), context.Canceled)
	controller.signal(t, syscall.SIGKILL)
	controller.end(t)
	return all
}

// clear removes everything that earlier controllers have left, and their lease.
func (l *lives) clear(t *testing.T) {
	t.Helper()
	l.Faults.Clear()
	workloads := l.client.FleetV1().Workloads(namespace)
	_, err := workloads.Patch(t.Context(), lived, types.MergePatchType, []byte(`{"metadata": {"finalizers": null}}`), metav1.PatchOptions{})
	require.True(t, err == nil || apierrors.IsNotFound(err), "%v", err)
	for _, resource := range []schema.GroupVersionResource{
		fleetv1.SchemeGroupVersion.WithResource("workloads"), fleetv1.SchemeGroupVersion.WithResource("workloadrevisions"),
		appsv1.SchemeGroupVersion.WithResource("deployments"), corev1.SchemeGroupVersion.WithResource("configmaps"),
		corev1.SchemeGroupVersion.WithResource("secrets"),
	} {
		for _, in := range []string{namespace, fleetv1.SystemNamespace} {
			require.NoError(t, l.dynamic.Resource(resource).Namespace(in).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
		}
	}
	err = l.world.kube.CoordinationV1().Leases(systemNamespace).Delete(t.Context(), program, metav1.DeleteOptions{})
	require.True(t, err == nil || apierrors.IsNotFound(err), "%v", err)
}

// isBound reports whether an account has its roles in the cluster and in its own namespace.
func (l *lives) isBound(t *testing.T, account string) bool {
	t.Helper()
	client, objects := connect(t, l.As(accountName(account)))
	_, err := client.FleetV1().Workloads("").List(t.Context(), metav1.ListOptions{})
	leases := objects.Resource(coordinationv1.SchemeGroupVersion.WithResource("leases")).Namespace(systemNamespace)
	_, err2 := leases.Get(t.Context(), program, metav1.GetOptions{})
	return !apierrors.IsForbidden(err) && !apierrors.IsForbidden(err2)
}

// lived is the name of the workload.
const lived = "web"

// life is the life of a workload with every event that a controller must handle.
type life struct {
	*lives
	wanted map[cache.ObjectName]wish
	// conflict makes the controller read an object again.
	conflict *faults.Fault
	// inspected are requests for the other object with the name of the first revision.
	inspected *faults.Fault
	// showRevisions lets the controller see new revisions.
	showRevisions func()
}

// newLife prepares a life before its controller starts.
func newLife(t *testing.T, l *lives) *life {
	t.Helper()
	by := func(rule faults.Rule) *faults.Fault {
		rule.Match = fromController
		return l.Faults.Add(rule)
	}
	one := &life{lives: l, wanted: map[cache.ObjectName]wish{}}
	// Adding the finalizer causes a conflict, so that the object must be read again.
	one.conflict = by(faults.Rule{Verbs: []string{"patch"}, Resource: "workloads", Times: 1, Do: faults.Fail(http.StatusConflict)})
	// The cache of revisions lags, so that the create request conflicts with a foreign revision.
	shown := make(chan struct{})
	one.showRevisions = sync.OnceFunc(func() { close(shown) })
	t.Cleanup(one.showRevisions)
	by(faults.Rule{Verbs: []string{"watch"}, Resource: "workloadrevisions", Do: faults.Hold(shown)})
	one.inspected = by(faults.Rule{Verbs: []string{"get"}, Resource: "workloadrevisions", Do: faults.Delay(0)})
	// The same failure again and again about one version of an object is one event, which counts.
	by(faults.Rule{Verbs: []string{"patch"}, Resource: "deployments", Times: 4, Do: faults.Fail(http.StatusInternalServerError)})
	return one
}

// lead leads the life of a workload to its end, and returns false if the context is done before.
func (l *life) lead(ctx context.Context, t *testing.T, controller *candidate) bool {
	t.Helper()
	if _, err := controller.first(ctx, isReady); err != nil {
		return false
	}
	revisions, deployments := l.client.FleetV1().WorkloadRevisions(namespace), l.world.kube.AppsV1().Deployments(namespace)
	// A foreign revision has the name of the first one; the controller inspects it and waits for its deletion.
	_, err := revisions.Create(t.Context(), revision(lived+"-1"), metav1.CreateOptions{})
	require.NoError(t, err)
	first := wish{image: "image:1", config: "color = blue", replicas: 2}
	name := cache.ObjectName{Namespace: namespace, Name: lived}
	object := first.object(name)
	object.Spec.SecretName = "environment"
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: object.Spec.SecretName}}
	_, err = l.world.kube.CoreV1().Secrets(namespace).Create(t.Context(), secret, metav1.CreateOptions{})
	require.NoError(t, err)
	created, err := l.client.FleetV1().Workloads(namespace).Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	l.wanted[name] = first
	if l.inspected.WaitHits(ctx, 1) != nil {
		return false
	}
	require.NoError(t, revisions.Delete(t.Context(), lived+"-1", metav1.DeleteOptions{}))
	l.showRevisions()
	if !l.world.settlesBefore(ctx, t, l.wanted) {
		return false
	}

	// A deployment to release, and an update that removes the old revision and the config map.
	_, err = deployments.Create(t.Context(), strayOf(created), metav1.CreateOptions{})
	require.NoError(t, err)
	l.change(t, name, wish{image: "image:3", replicas: 2})
	if !l.world.settlesBefore(ctx, t, l.wanted) {
		return false
	}
	_, err = deployments.Get(t.Context(), "stray", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)

	require.NoError(t, l.client.FleetV1().Workloads(namespace).Delete(t.Context(), lived, metav1.DeleteOptions{}))
	return l.world.settlesBefore(ctx, t, nil)
}

// change changes the workload.
func (l *life) change(t *testing.T, name cache.ObjectName, to wish) {
	t.Helper()
	config := `null`
	if to.config != "" {
		config = `{"app.conf": "` + to.config + `"}`
	}
	patch := `{"spec": {"revisionHistoryLimit": 0, "config": ` + config + `, "template": {"image": "` + to.image + `"}}}`
	_, err := l.client.FleetV1().Workloads(namespace).Patch(t.Context(), name.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	require.NoError(t, err)
	l.wanted[name] = to
}

// strayOf returns a deployment that a workload owns and does not want.
func strayOf(workload *fleetv1.Workload) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Name: "stray", Labels: map[string]string{ownerKindLabel: "Workload"},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(workload, fleetv1.SchemeGroupVersion.WithKind("Workload"))},
		},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "stray"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "stray"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "stray", Image: "stray"}}},
			},
			Replicas: ptr.To[int32](0),
		},
	}
}
