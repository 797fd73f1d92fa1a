package apiservertest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestDeployments covers what controllers that own Deployments rely on.
func TestDeployments(t *testing.T) {
	onlyHere(t) // kube-controller-manager writes the status concurrently
	client := connect(t, shared.Config()).AppsV1().Deployments(shared.Namespace(t))
	created, err := client.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "d-"},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(1)),
			Strategy: appsv1.DeploymentStrategy{RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: new(intstr.FromString("25%"))}},
		},
		Status: appsv1.DeploymentStatus{Replicas: 7},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotEmpty(t, created.UID)
	assert.Regexp(t, "^d-.", created.Name)
	assert.EqualValues(t, 1, created.Generation)
	assert.Zero(t, created.Status, "a status has its own way in")

	created.Status.Replicas, created.Spec.Replicas = 1, new(int32(2))
	updated, err := client.UpdateStatus(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, updated.Status.Replicas)
	assert.EqualValues(t, 1, *updated.Spec.Replicas, "by way of the status only the status changes")
	assert.EqualValues(t, 1, updated.Generation)

	updated.Status.Replicas, updated.Spec.Replicas = 9, new(int32(3))
	updated, err = client.Update(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, updated.Status.Replicas)
	assert.EqualValues(t, 3, *updated.Spec.Replicas)
	assert.EqualValues(t, 2, updated.Generation)

	_, err = client.Update(t.Context(), created, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
}

// TestApplyDeployment lets two field managers share the containers of a Deployment.
func TestApplyDeployment(t *testing.T) {
	namespace := shared.Namespace(t)
	client := connect(t, shared.Config()).AppsV1().Deployments(namespace)
	labels := map[string]string{"app": "d"}
	apply := func(manager, container, image string, force bool) (*appsv1.Deployment, error) {
		spec := appsv1ac.DeploymentSpec().
			WithSelector(metav1ac.LabelSelector().WithMatchLabels(labels)).
			WithStrategy(appsv1ac.DeploymentStrategy().WithRollingUpdate(appsv1ac.RollingUpdateDeployment().WithMaxSurge(intstr.FromInt32(1)))).
			WithTemplate(corev1ac.PodTemplateSpec().WithLabels(labels).WithSpec(corev1ac.PodSpec().WithContainers(corev1ac.Container().WithName(container).WithImage(image))))
		return client.Apply(t.Context(), appsv1ac.Deployment("d", namespace).WithSpec(spec), metav1.ApplyOptions{FieldManager: manager, Force: force})
	}
	_, err := apply("one", "a", "image:1", false)
	require.NoError(t, err)
	both, err := apply("two", "b", "image:1", false)
	require.NoError(t, err)
	assert.Len(t, both.Spec.Template.Spec.Containers, 2)

	_, err = apply("two", "a", "image:2", false)
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	forced, err := apply("two", "a", "image:2", true)
	require.NoError(t, err)
	require.Len(t, forced.Spec.Template.Spec.Containers, 1, "nobody applies b any more")
	assert.Equal(t, "image:2", forced.Spec.Template.Spec.Containers[0].Image)
}

// TestOtherBuiltins creates objects of other kinds.
func TestOtherBuiltins(t *testing.T) {
	client := connect(t, shared.Config())
	meta := metav1.ObjectMeta{Name: "a"}

	namespace, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: meta}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.NamespaceActive, namespace.Status.Phase)

	_, err = client.CoreV1().ConfigMaps("a").Create(t.Context(), configMap("a"), metav1.CreateOptions{})
	require.NoError(t, err)
	patched, err := client.CoreV1().ConfigMaps("a").Patch(t.Context(), "a", types.StrategicMergePatchType, []byte(`{"data":{"more":"1"}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"key": "value", "more": "1"}, patched.Data)

	lease, err := client.CoordinationV1().Leases("a").Create(t.Context(), &coordinationv1.Lease{
		ObjectMeta: meta,
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: new("me"), RenewTime: &metav1.MicroTime{Time: metav1.Now().Time}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "me", *lease.Spec.HolderIdentity)

	about := corev1.ObjectReference{Kind: "Lease", Namespace: "a", Name: "a", UID: lease.UID}
	_, err = client.CoreV1().Events("a").Create(t.Context(), &corev1.Event{
		ObjectMeta: meta, InvolvedObject: about, Reason: "Test", Type: corev1.EventTypeNormal,
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	for selector, want := range map[string]int{"involvedObject.name=a,reason=Test": 1, "involvedObject.name=b": 0} {
		found, err := client.CoreV1().Events("a").List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		require.NoError(t, err)
		assert.Len(t, found.Items, want, selector)
	}
	_, err = client.EventsV1().Events("a").Create(t.Context(), &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "b"}, Regarding: about, Reason: "Test", Action: "Testing", Type: corev1.EventTypeNormal,
		EventTime: metav1.NowMicro(), ReportingController: "example.com/test", ReportingInstance: "one",
	}, metav1.CreateOptions{})
	assert.NoError(t, err)
}

func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.PodSpec{NodeName: name, Containers: []corev1.Container{{Name: "c", Image: "image:1"}}},
	}
}

// TestPlainStorage stores objects of kinds without controllers and selects them by their fields.
func TestPlainStorage(t *testing.T) {
	onlyHere(t)
	client, namespace := connect(t, shared.Config()), shared.Namespace(t)
	for _, name := range []string{"a", "b"} {
		_, err := client.CoreV1().Pods(namespace).Create(t.Context(), pod(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	running := pod("b")
	running.Status.Phase = corev1.PodRunning
	_, err := client.CoreV1().Pods(namespace).UpdateStatus(t.Context(), running, metav1.UpdateOptions{})
	require.NoError(t, err)
	for _, selector := range []string{"spec.nodeName=b", "status.phase=Running"} {
		pods, err := client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		require.NoError(t, err)
		require.Len(t, pods.Items, 1, selector)
		assert.Equal(t, "b", pods.Items[0].Name)
	}

	secret, err := client.CoreV1().Secrets(namespace).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "s"}, StringData: map[string]string{"key": "value"},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string][]byte{"key": []byte("value")}, secret.Data)
	assert.Empty(t, secret.StringData)
	assert.Equal(t, corev1.SecretTypeOpaque, secret.Type)

	job, err := client.BatchV1().Jobs(namespace).Create(t.Context(), &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "j"}, Status: batchv1.JobStatus{Active: 1},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Zero(t, job.Status.Active)
	service, err := client.CoreV1().Services(namespace).Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 80, service.Spec.Ports[0].Port)
}

// TestReadyDeployments checks that the status of Deployments follows their spec.
func TestReadyDeployments(t *testing.T) {
	onlyHere(t)
	server := apiservertest.Start(t, apiservertest.Options{ReadyDeployments: true})
	client := connect(t, server.Config()).AppsV1().Deployments(server.Namespace(t))
	deployment, err := client.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "d"}, Spec: appsv1.DeploymentSpec{Replicas: new(int32(3))},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	for _, replicas := range []int32{3, 5} {
		eventually(t, func() bool {
			deployment, err = client.Get(t.Context(), "d", metav1.GetOptions{})
			require.NoError(t, err)
			return deployment.Status.AvailableReplicas == replicas && deployment.Status.ObservedGeneration == deployment.Generation
		}, "%d replicas are not available", replicas)
		_, err = client.Patch(t.Context(), "d", types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{})
		require.NoError(t, err)
	}
}
