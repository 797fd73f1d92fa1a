package strictfake

import (
	"encoding/json"
	stdtesting "testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	autoscalingv1apply "k8s.io/client-go/applyconfigurations/autoscaling/v1"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
)

// inShop is the metadata of an object of these tests.
func inShop(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name, Namespace: "shop"} }

// TestBuiltInScale changes replicas by every verb. The typed Patch returns an empty object, as on a server.
func TestBuiltInScale(t *stdtesting.T) {
	kube, server := newKube(t)
	selector := &metav1.LabelSelector{
		MatchLabels:      map[string]string{"app": "x"},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}},
	}
	require.NoError(t, server.Add(
		&appsv1.Deployment{ObjectMeta: inShop("web"), Spec: appsv1.DeploymentSpec{Selector: selector}},
		&corev1.ReplicationController{ObjectMeta: inShop("old"), Spec: corev1.ReplicationControllerSpec{
			Selector: map[string]string{"b": "2", "a": "1"}}}))
	deployments := kube.AppsV1().Deployments("shop")
	scale, err := deployments.GetScale(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "app=x,tier", scale.Status.Selector)
	assert.EqualValues(t, 1, scale.Spec.Replicas, "the default")
	replicas := int32(1)
	for _, patch := range []struct {
		of   types.PatchType
		data string
	}{
		{types.MergePatchType, `{"spec":{"replicas":2}}`},
		{types.StrategicMergePatchType, `{"spec":{"replicas":3}}`},
		{types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":4}]`},
		{types.ApplyYAMLPatchType, `{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":5}}`},
	} {
		options := metav1.PatchOptions{}
		if patch.of == types.ApplyYAMLPatchType {
			options = metav1.PatchOptions{FieldManager: "test", Force: new(true)}
		}
		patched, err := deployments.Patch(t.Context(), "web", patch.of, []byte(patch.data), options, "scale")
		require.NoError(t, err, patch.of)
		assert.Empty(t, patched.Name, patch.of)
		scale, err := deployments.GetScale(t.Context(), "web", metav1.GetOptions{})
		require.NoError(t, err)
		replicas++
		assert.Equal(t, replicas, scale.Spec.Replicas, patch.of)
	}
	applied, err := deployments.ApplyScale(t.Context(), "web",
		autoscalingv1apply.Scale().WithSpec(autoscalingv1apply.ScaleSpec().WithReplicas(9)),
		metav1.ApplyOptions{FieldManager: "test", Force: true})
	require.NoError(t, err)
	assert.EqualValues(t, 9, applied.Spec.Replicas)
	controllers := kube.CoreV1().ReplicationControllers("shop")
	scale, err = controllers.UpdateScale(t.Context(), "old",
		&autoscalingv1.Scale{ObjectMeta: inShop("old"), Spec: autoscalingv1.ScaleSpec{Replicas: 4}}, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a=1,b=2", scale.Status.Selector)
}

// TestEvict evicts pods with both clients. Only budgets with a written status count.
func TestEvict(t *stdtesting.T) {
	kube, server := newKube(t)
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: inShop("budget"), Spec: policyv1.PodDisruptionBudgetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}}}}
	require.NoError(t, server.Add(budget))
	for _, name := range []string{"a", "b", "c"} {
		pod := &corev1.Pod{ObjectMeta: inShop(name), Status: corev1.PodStatus{Phase: corev1.PodRunning}}
		pod.Labels = map[string]string{"app": "x"}
		require.NoError(t, server.Add(pod))
	}
	pods, evict := kube.CoreV1().Pods("shop"), kube.PolicyV1().Evictions("shop").Evict
	dry := &policyv1.Eviction{ObjectMeta: inShop("a"), DeleteOptions: &metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}}
	require.NoError(t, evict(t.Context(), dry))
	_, err := pods.Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err, "a dry run")
	require.NoError(t, evict(t.Context(), &policyv1.Eviction{ObjectMeta: inShop("a")}))
	_, err = pods.Get(t.Context(), "a", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	assert.True(t, apierrors.IsNotFound(evict(t.Context(), &policyv1.Eviction{ObjectMeta: inShop("a")})))

	budgets := kube.PolicyV1().PodDisruptionBudgets("shop")
	budget, err = budgets.Get(t.Context(), "budget", metav1.GetOptions{})
	require.NoError(t, err)
	budget.Status = policyv1.PodDisruptionBudgetStatus{ObservedGeneration: budget.Generation, DisruptionsAllowed: 1}
	_, err = budgets.UpdateStatus(t.Context(), budget, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NoError(t, pods.EvictV1beta1(t.Context(), &policyv1beta1.Eviction{ObjectMeta: inShop("b")}))
	err = pods.EvictV1(t.Context(), &policyv1.Eviction{ObjectMeta: inShop("c")})
	assert.True(t, apierrors.IsTooManyRequests(err), "%v", err)
	assert.True(t, apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause), "%v", err)
	budget, err = budgets.Get(t.Context(), "budget", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Contains(t, budget.Status.DisruptedPods, "b")
	assert.Zero(t, budget.Status.DisruptionsAllowed)
}

// TestPodSubresources binds a pod, and changes its ephemeral containers and its resources.
func TestPodSubresources(t *stdtesting.T) {
	kube, server := newKube(t)
	require.NoError(t, server.Add(&corev1.Pod{ObjectMeta: inShop("web"), Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "app", Image: "app:1"}}}}))
	pods := kube.CoreV1().Pods("shop")
	binding := &corev1.Binding{ObjectMeta: inShop("web"), Target: corev1.ObjectReference{Name: "n1"}}
	require.NoError(t, pods.Bind(t.Context(), binding, metav1.CreateOptions{}))
	assert.True(t, apierrors.IsConflict(pods.Bind(t.Context(), binding, metav1.CreateOptions{})))
	pod, err := pods.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "n1", pod.Spec.NodeName)

	pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug"}}}
	pod.Spec.Containers[0].Image = "app:2"
	pod, err = pods.UpdateEphemeralContainers(t.Context(), "web", pod, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Len(t, pod.Spec.EphemeralContainers, 1)
	assert.Equal(t, "app:1", pod.Spec.Containers[0].Image, "not part of the subresource")
	pod, err = pods.Patch(t.Context(), "web", types.StrategicMergePatchType,
		[]byte(`{"spec":{"ephemeralContainers":[{"name":"second"}]}}`), metav1.PatchOptions{}, "ephemeralcontainers")
	require.NoError(t, err)
	assert.Len(t, pod.Spec.EphemeralContainers, 2)
	pod, err = pods.Patch(t.Context(), "web", types.StrategicMergePatchType,
		[]byte(`{"spec":{"containers":[{"name":"app","image":"x","resources":{"limits":{"cpu":"2"}}}]}}`), metav1.PatchOptions{}, "resize")
	require.NoError(t, err)
	assert.Equal(t, "2", pod.Spec.Containers[0].Resources.Limits.Cpu().String())
	assert.Equal(t, "app:1", pod.Spec.Containers[0].Image)

	resources, err := kube.Discovery().ServerResourcesForGroupVersion("v1")
	require.NoError(t, err)
	names := map[string]string{}
	for _, resource := range resources.APIResources {
		names[resource.Name] = resource.Kind
	}
	assert.Equal(t, "Eviction", names["pods/eviction"])
	assert.Equal(t, "TokenRequest", names["serviceaccounts/token"])
}

// TestToken makes a token that says that it is fake, and expires when the request wants.
func TestToken(t *stdtesting.T) {
	kube, server := newKube(t)
	require.NoError(t, server.Add(&corev1.ServiceAccount{ObjectMeta: inShop("robot")}))
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(1200))}}
	made, err := kube.CoreV1().ServiceAccounts("shop").CreateToken(t.Context(), "robot", request, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Contains(t, made.Status.Token, "."+builtin.FakeSignature)
	assert.Equal(t, 20*time.Minute, made.Status.ExpirationTimestamp.Sub(made.CreationTimestamp.Time))
	_, err = kube.CoreV1().ServiceAccounts("shop").CreateToken(t.Context(), "none", request, metav1.CreateOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// TestNamespaceFinalizers keeps a namespace until Finalize.
func TestNamespaceFinalizers(t *stdtesting.T) {
	kube, _ := newKube(t)
	namespaces := kube.CoreV1().Namespaces()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}, Spec: corev1.NamespaceSpec{
		Finalizers: []corev1.FinalizerName{"kubernetes"}}}
	_, err := namespaces.Create(t.Context(), namespace, metav1.CreateOptions{})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, namespaces.Delete(t.Context(), "shop", metav1.DeleteOptions{}))
	}
	namespace, err = namespaces.Get(t.Context(), "shop", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.NamespaceTerminating, namespace.Status.Phase)
	namespace.Spec.Finalizers = nil
	_, err = namespaces.Finalize(t.Context(), namespace, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = namespaces.Get(t.Context(), "shop", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// TestStrategies follows the strategies of a server: the status of a Node at create, and the approval of a request.
func TestStrategies(t *stdtesting.T) {
	kube, server := newKube(t)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{Phase: corev1.NodeRunning}}
	node, err := kube.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.NodeRunning, node.Status.Phase)
	node.Status.Phase = corev1.NodeTerminated
	node, err = kube.CoreV1().Nodes().Update(t.Context(), node, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, corev1.NodeRunning, node.Status.Phase)

	require.NoError(t, server.Add(&certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "csr"}}))
	csr := &certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "csr"}}
	csr.Spec.SignerName = "example.com/other"
	csr.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved}}
	csr, err = kube.CertificatesV1().CertificateSigningRequests().UpdateApproval(t.Context(), "csr", csr, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Len(t, csr.Status.Conditions, 1)
	assert.False(t, csr.Status.Conditions[0].LastTransitionTime.IsZero())
	assert.Empty(t, csr.Spec.SignerName)

	secret := &corev1.Secret{ObjectMeta: inShop("s"), StringData: map[string]string{"key": "text"}}
	secret, err = kube.CoreV1().Secrets("shop").Create(t.Context(), secret, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, map[string][]byte{"key": []byte("text")}, secret.Data)
	assert.Empty(t, secret.StringData)
}

// TestApprovals checks that status updates of a CertificateSigningRequest cannot change its approvals, and that nothing removes one.
func TestApprovals(t *stdtesting.T) {
	kube, server := newKube(t)
	require.NoError(t, server.Add(&certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "csr"}}))
	requests := kube.CertificatesV1().CertificateSigningRequests()
	with := func(conditions ...certificatesv1.CertificateSigningRequestCondition) *certificatesv1.CertificateSigningRequest {
		return &certificatesv1.CertificateSigningRequest{
			ObjectMeta: metav1.ObjectMeta{Name: "csr"}, Status: certificatesv1.CertificateSigningRequestStatus{Conditions: conditions},
		}
	}
	condition := func(kind certificatesv1.RequestConditionType, reason string) certificatesv1.CertificateSigningRequestCondition {
		return certificatesv1.CertificateSigningRequestCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason}
	}
	approved, failed := condition(certificatesv1.CertificateApproved, "a"), condition(certificatesv1.CertificateFailed, "f")
	const invalid = `CertificateSigningRequest.certificates.k8s.io "csr" is invalid: status.`
	_, err := requests.UpdateStatus(t.Context(), with(approved), metav1.UpdateOptions{})
	require.EqualError(t, err, invalid+`conditions: Forbidden: updates may not add a condition of type "Approved"`)
	first, err := requests.UpdateApproval(t.Context(), "csr", with(approved), metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = requests.UpdateStatus(t.Context(), with(failed), metav1.UpdateOptions{})
	require.EqualError(t, err, invalid+`conditions: Forbidden: updates may not remove a condition of type "Approved"`)

	sent := with(failed, condition(certificatesv1.CertificateApproved, "changed"))
	sent.Status.Certificate = []byte("c")
	updated, err := requests.UpdateStatus(t.Context(), sent, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, first.Status.Conditions[0], updated.Status.Conditions[1], "the approval stays")
	assert.Equal(t, "f", updated.Status.Conditions[0].Reason)
	updated.Status.Certificate = []byte("d")
	_, err = requests.UpdateStatus(t.Context(), updated, metav1.UpdateOptions{})
	require.EqualError(t, err, invalid+`certificate: Forbidden: updates may not modify existing certificate content`)
	_, err = requests.UpdateApproval(t.Context(), "csr", with(approved), metav1.UpdateOptions{})
	require.EqualError(t, err, invalid+`conditions: Forbidden: updates may not remove a condition of type "Failed"`)
	again, err := requests.UpdateApproval(t.Context(), "csr", with(failed, condition(certificatesv1.CertificateApproved, "b")), metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "b", again.Status.Conditions[1].Reason)
	assert.Equal(t, first.Status.Conditions[0].LastTransitionTime, again.Status.Conditions[1].LastTransitionTime)
	_, err = requests.Update(t.Context(), with(), metav1.UpdateOptions{})
	require.NoError(t, err, "an update of the object keeps the status")
}

// TestEventsOfBothGroups writes an event in one group, and reads, selects and watches it in the other one.
func TestEventsOfBothGroups(t *stdtesting.T) {
	kube, _ := newKube(t)
	core := kube.CoreV1().Events("shop")
	w, err := core.Watch(t.Context(), metav1.ListOptions{FieldSelector: "involvedObject.name=web"})
	require.NoError(t, err)
	defer w.Stop()
	_, err = kube.EventsV1().Events("shop").Create(t.Context(), &eventsv1.Event{
		ObjectMeta: inShop("e"), Note: "hello", ReportingController: "robot", Regarding: corev1.ObjectReference{Name: "web"},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	seen := (<-w.ResultChan()).Object.(*corev1.Event)
	assert.Equal(t, "hello", seen.Message)
	event, err := core.Get(t.Context(), "e", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "web", event.InvolvedObject.Name)
	event.Message = "changed"
	_, err = core.Update(t.Context(), event, metav1.UpdateOptions{})
	require.NoError(t, err)
	list, err := kube.EventsV1().Events("shop").List(t.Context(), metav1.ListOptions{FieldSelector: "regarding.name=web"})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	assert.Equal(t, "changed", list.Items[0].Note)
	data, err := json.Marshal(list.Items[0].ManagedFields)
	require.NoError(t, err)
	assert.Contains(t, string(data), "events.k8s.io/v1")
	found, err := core.List(t.Context(), metav1.ListOptions{FieldSelector: "source=robot"})
	require.NoError(t, err)
	assert.Len(t, found.Items, 1)
	slices, err := kube.ResourceV1().ResourceSlices().List(t.Context(), metav1.ListOptions{
		FieldSelector: resourcev1.ResourceSliceSelectorDriver + "=d," + resourcev1.ResourceSliceSelectorNodeName + "=n"})
	require.NoError(t, err)
	assert.Empty(t, slices.Items)
}
