package strictfake

import (
	"context"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestPaths sends requests to paths that a server does not have, or that a client cannot build.
func TestPaths(t *stdtesting.T) {
	r := newRig(t)
	_, err := r.shop().Get(t.Context(), "", metav1.GetOptions{})
	assert.EqualError(t, err, "resource name may not be empty")
	_, err = r.shop().Get(t.Context(), "a/b", metav1.GetOptions{})
	assert.EqualError(t, err, `invalid resource name "a/b": [may not contain '/']`)
	_, err = r.v1.Workloads("a%b").Get(t.Context(), "a", metav1.GetOptions{})
	assert.EqualError(t, err, `invalid namespace "a%b": [may not contain '%']`)
	_, err = r.v1.Workloads("").Get(t.Context(), "a", metav1.GetOptions{})
	assert.EqualError(t, err, "the server could not find the requested resource (get workloads.fleet.example.com a)")
	assert.EqualError(t, r.shop().Delete(t.Context(), "..", metav1.DeleteOptions{}), `invalid resource name "..": [may not be '..']`)
	_, err = r.shop().Update(t.Context(), workload("", nil), metav1.UpdateOptions{})
	assert.EqualError(t, err, "resource name may not be empty")
	_, err = r.shop().Patch(t.Context(), "", types.MergePatchType, nil, metav1.PatchOptions{})
	assert.EqualError(t, err, "resource name may not be empty")

	kube, _ := newKube(t)
	_, err = kube.CoreV1().ConfigMaps("shop").Patch(t.Context(), "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{},
		"status")
	assert.EqualError(t, err, "the server could not find the requested resource (patch configmaps a)",
		"built-in kinds word it differently")
}

// TestOptions sends options that are not valid.
func TestOptions(t *stdtesting.T) {
	r := newRig(t)
	object := r.create(t, "web")
	long := string(make([]byte, 200))
	_, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{FieldManager: long})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	_, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{DryRun: []string{"some"}})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	policy := metav1.DeletionPropagation("gently")
	assert.True(t, apierrors.IsInvalid(r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{PropagationPolicy: &policy})))
	assert.True(t, apierrors.IsInvalid(r.shop().DeleteCollection(t.Context(), metav1.DeleteOptions{PropagationPolicy: &policy},
		metav1.ListOptions{})))
	assert.True(t, apierrors.IsBadRequest(r.shop().DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{FieldSelector: "spec.size=1"})))
	_, err = r.shop().Get(t.Context(), "web", metav1.GetOptions{ResourceVersion: "x"})
	assert.ErrorContains(t, err, `resourceVersion: Invalid value: "x"`)
	_, err = r.shop().Get(t.Context(), "web", metav1.GetOptions{ResourceVersion: "1000"})
	assert.True(t, apierrors.IsTimeout(err), "%v", err)
	_, err = r.shop().Watch(t.Context(), metav1.ListOptions{ResourceVersion: "x"})
	assert.Error(t, err)
	_, err = r.v1.Workloads("").List(t.Context(), metav1.ListOptions{Continue: "x", ResourceVersion: "2"})
	assert.Error(t, err)
}

// TestWatchFromTheFuture asks for initial objects of a version that the server has not reached.
func TestWatchFromTheFuture(t *stdtesting.T) {
	r := newRig(t)
	yes := true
	w, err := r.shop().Watch(t.Context(), metav1.ListOptions{
		ResourceVersion: "7", SendInitialEvents: &yes, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"ERROR 504 Timeout: Too large resource version: 7, current: 1", "closed"}, events(w, 2))

	w, err = r.shop().Watch(t.Context(), metav1.ListOptions{ResourceVersion: "3"})
	require.NoError(t, err)
	defer w.Stop()
	r.create(t, "a", "b", "c")
	assert.Equal(t, []string{"ADDED c"}, events(w, 1), "changes up to version 3 are not delivered")
}

func TestUpdateErrors(t *stdtesting.T) {
	r := newRig(t)
	object := r.create(t, "web")
	other := object.DeepCopy()
	other.UID = "other"
	_, err := r.shop().Update(t.Context(), other, metav1.UpdateOptions{})
	assert.ErrorContains(t, err, "Precondition failed: UID in precondition: other, UID in object meta: "+string(object.UID))
	unversioned := object.DeepCopy()
	unversioned.ResourceVersion = ""
	_, err = r.shop().Update(t.Context(), unversioned, metav1.UpdateOptions{})
	assert.EqualError(t, err, `workloads.fleet.example.com "web" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`)
	unversioned.ResourceVersion = "x"
	_, err = r.shop().Update(t.Context(), unversioned, metav1.UpdateOptions{})
	assert.ErrorContains(t, err, "invalid syntax")
	renamed := object.DeepCopy()
	renamed.Namespace = "other"
	_, err = r.shop().Update(t.Context(), renamed, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
	_, err = r.shop().Patch(t.Context(), "web", types.MergePatchType, []byte(`{"metadata":{"name":"db"}}`), metav1.PatchOptions{})
	assert.EqualError(t, err, "the name of the object (db) does not match the name on the URL (web)")
	_, err = r.shop().Patch(t.Context(), "web", types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/name"}]`),
		metav1.PatchOptions{})
	assert.EqualError(t, err, "the name of the object (web based on URL) was undeterminable: name must be provided")
	_, err = r.shop().Patch(t.Context(), "web", types.MergePatchType, []byte(`{"kind":"Region"}`), metav1.PatchOptions{})
	assert.ErrorContains(t, err, `kind: Invalid value: "Region": must be Workload`)
	_, err = r.shop().Patch(t.Context(), "web", types.MergePatchType, []byte(`{"metadata":{"labels":3}}`), metav1.PatchOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	_, err = r.shop().Patch(t.Context(), "web", types.MergePatchType, []byte(`[]`), metav1.PatchOptions{})
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
	for text, code := range map[string]int32{`{}`: 400, `[{"op":"remove","path":"/spec/nothing"}]`: 422} {
		_, err = r.shop().Patch(t.Context(), "web", types.JSONPatchType, []byte(text), metav1.PatchOptions{})
		status := apierrors.APIStatus(nil)
		require.ErrorAs(t, err, &status)
		assert.Equal(t, code, status.Status().Code, "%v", err)
	}
}

// TestNulls patches a field to null: a schema would not accept it.
func TestNulls(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	_, err := r.shop().Patch(t.Context(), "web", types.JSONPatchType, []byte(`[{"op":"add","path":"/spec/config","value":null}]`),
		metav1.PatchOptions{})
	assert.EqualError(t, err, `Workload.fleet.example.com "web" is invalid: spec.config: Invalid value: "null": config in body must be of type object: "null"`)
}

// TestDuplicateOwners drops owner references that occur twice.
func TestDuplicateOwners(t *stdtesting.T) {
	r := newRig(t, WithGarbageCollection(false))
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: "a", UID: "a"}
	object := workload("web", nil)
	object.OwnerReferences = []metav1.OwnerReference{ref, ref, {APIVersion: "v1", Kind: "Pod", Name: "b", UID: "b"}}
	created, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Len(t, created.OwnerReferences, 2)
}

// TestPreconditions deletes what has changed since.
func TestPreconditions(t *stdtesting.T) {
	r := newRig(t)
	object := r.create(t, "web")
	stale := "1"
	err := r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &stale}})
	assert.ErrorContains(t, err, "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2)")
	options := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &stale}}
	assert.True(t, apierrors.IsConflict(r.shop().DeleteCollection(t.Context(), options, metav1.ListOptions{})))
	options.Preconditions = &metav1.Preconditions{UID: &object.UID, ResourceVersion: &object.ResourceVersion}
	require.NoError(t, r.shop().Delete(t.Context(), "web", options))
}

// TestAllNamespaces pages through several namespaces, in the order of a server.
func TestAllNamespaces(t *stdtesting.T) {
	r := newRig(t)
	for _, namespace := range []string{"b", "a-b", "a"} {
		object := workload("web", nil)
		object.Namespace = namespace
		require.NoError(t, r.Tracker().Add(object))
	}
	var namespaces []string
	options := metav1.ListOptions{Limit: 1}
	for {
		list, err := r.v1.Workloads("").List(t.Context(), options)
		require.NoError(t, err)
		namespaces = append(namespaces, list.Items[0].Namespace)
		if options.Continue = list.Continue; list.Continue == "" {
			break
		}
	}
	assert.Equal(t, []string{"a-b", "a", "b"}, namespaces)
}

// TestBuiltIn covers what built-in kinds accept, and custom resources do not.
func TestBuiltIn(t *stdtesting.T) {
	kube, _ := newKube(t)
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "system:node", Namespace: "shop"}}
	created, err := kube.RbacV1().Roles("shop").Create(t.Context(), role, metav1.CreateOptions{})
	require.NoError(t, err, "the name is not that of a domain")
	created.ResourceVersion, created.Labels = "", map[string]string{"a": "b"}
	_, err = kube.RbacV1().Roles("shop").Update(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err, "updates need no version")
	pods := kube.CoreV1().Pods("shop")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	_, err = pods.Create(t.Context(), pod, metav1.CreateOptions{})
	require.NoError(t, err)
	patched, err := pods.Patch(t.Context(), "web", types.StrategicMergePatchType, []byte(`{"spec":{"containers":[{"name":"proxy"}]}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Len(t, patched.Spec.Containers, 2, "containers are merged by name")
	_, err = pods.Patch(t.Context(), "web", types.StrategicMergePatchType, []byte(`{"spec":{"containers":3}}`), metav1.PatchOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	list, err := pods.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Empty(t, list.Items[0].Kind, "typed clients drop the kind")
	assert.Equal(t, "fake logs", logs(t, kube.CoreV1().Pods("shop").GetLogs("web", &corev1.PodLogOptions{})),
		"not a request for objects")
}

// logs returns what a request for logs receives.
func logs(t stdtesting.TB, request interface {
	DoRaw(ctx context.Context) ([]byte, error)
}) string {
	t.Helper()
	data, err := request.DoRaw(t.Context())
	require.NoError(t, err)
	return string(data)
}
