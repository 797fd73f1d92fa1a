package strictfake

import (
	"fmt"
	"net/http"
	stdtesting "testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/release"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// as38 sets whether answers are those of Kubernetes 1.38.
func as38(on bool) Option { return func(c *config) { c.is38 = on } }

// changedAnswers are answers that are not the same in all releases. Servers of v1.37.2 and v1.38.0-beta.0 were asked; the source is
// k8s.io/apiserver of the same version. docs/testing.md has the table.
var changedAnswers = map[string]struct {
	ask      func(t *stdtesting.T, r *rig) any
	old, new any
}{
	// registry/generic/registry/store.go: deleteWithoutFinalizers.
	"version of the update that removes the last finalizer": {
		ask: func(t *stdtesting.T, r *rig) any {
			object, err := r.shop().Create(t.Context(), workload("web", nil, "example.com/one"), metav1.CreateOptions{})
			require.NoError(t, err)
			require.NoError(t, r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{}))
			object, err = r.shop().Get(t.Context(), object.Name, metav1.GetOptions{})
			require.NoError(t, err)
			before := object.ResourceVersion
			object.Finalizers = nil
			object, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
			require.NoError(t, err)
			return object.ResourceVersion == before
		},
		old: true, new: false,
	},
	// storage/errors/storage.go: InterpretGetError.
	"get at a version that is no number": {
		ask: func(t *stdtesting.T, r *rig) any {
			_, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{ResourceVersion: "x"})
			return statusOf(t, err)
		},
		old: `500 : resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax`,
		new: `422 Invalid: workloads.fleet.example.com "web" is invalid: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax`,
	},
	// Seen on servers, for custom resources.
	"second cause for a deletionTimestamp that changes": {
		ask: func(t *stdtesting.T, r *rig) any {
			object := r.create(t, "web")
			object.DeletionTimestamp = new(metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
			_, err := r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
			var status apierrors.APIStatus
			require.ErrorAs(t, err, &status)
			require.Len(t, status.Status().Details.Causes, 2)
			return status.Status().Details.Causes[1].Message
		},
		old: `Invalid value: "2026-01-02T03:04:05Z": field is immutable`,
		new: `Invalid value: null: field is immutable`,
	},
	// registry/generic/registry/store.go: finalizeDelete.
	"version in the status of a deletion": {
		ask: func(t *stdtesting.T, r *rig) any {
			r.create(t, "web")
			return deleteWithResult(t, r, "web", metav1.DeleteOptions{}).(*metav1.Status).ResourceVersion
		},
		old: "", new: "3",
	},
}

func TestChangedAnswers(t *stdtesting.T) {
	for name, answer := range changedAnswers {
		t.Run(name, func(t *stdtesting.T) {
			assert.Equal(t, answer.old, answer.ask(t, newRig(t, as38(false))), "1.37")
			assert.Equal(t, answer.new, answer.ask(t, newRig(t, as38(true))), "1.38")
			byDefault := answer.old
			if release.Has38() {
				byDefault = answer.new
			}
			assert.Equal(t, byDefault, answer.ask(t, newRig(t)), "client-go of this build")
		})
	}
}

// statusOf returns code, reason and message of an error of a server.
func statusOf(t *stdtesting.T, err error) string {
	t.Helper()
	var status apierrors.APIStatus
	require.ErrorAs(t, err, &status)
	s := status.Status()
	return fmt.Sprintf("%d %s: %s", s.Code, s.Reason, s.Message)
}

// deleteWithResult deletes a workload as DeleteWithResult of gentype.FakeClient does, since client-go v0.38.
func deleteWithResult(t *stdtesting.T, r *rig, name string, options metav1.DeleteOptions) runtime.Object {
	t.Helper()
	result, err := r.fake.Invokes(testing.NewDeleteActionWithOptions(
		fleetv1.SchemeGroupVersion.WithResource("workloads"), "shop", name, options), &metav1.Status{})
	require.NoError(t, err)
	return result
}

func TestDeleteWithResult(t *stdtesting.T) {
	r := newRig(t)
	uid := r.create(t, "gone").UID
	for _, options := range []metav1.DeleteOptions{{DryRun: []string{metav1.DryRunAll}}, {}} {
		status := deleteWithResult(t, r, "gone", options).(*metav1.Status)
		assert.EqualValues(t, http.StatusOK, status.Code)
		assert.Equal(t, metav1.StatusSuccess, status.Status)
		assert.Equal(t, &metav1.StatusDetails{Name: "gone", Group: fleetv1.GroupName, Kind: "workloads", UID: uid}, status.Details)
	}
	_, err := r.shop().Create(t.Context(), workload("held", nil, "example.com/one"), metav1.CreateOptions{})
	require.NoError(t, err)
	marked := deleteWithResult(t, r, "held", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}).(*fleetv1.Workload)
	assert.NotNil(t, marked.DeletionTimestamp)
	stored, err := r.shop().Get(t.Context(), "held", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Nil(t, stored.DeletionTimestamp, "a dry run")
	for range 2 {
		marked = deleteWithResult(t, r, "held", metav1.DeleteOptions{}).(*fleetv1.Workload)
		assert.NotNil(t, marked.DeletionTimestamp)
	}
	stored, err = r.shop().Get(t.Context(), "held", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, stored, marked)
}

// TestDeleteWithResultOfPods answers with the object that is gone, as servers do for some kinds.
func TestDeleteWithResultOfPods(t *stdtesting.T) {
	kube, _ := newKube(t)
	meta := metav1.ObjectMeta{Name: "web"}
	_, err := kube.CoreV1().Pods("shop").Create(t.Context(), &corev1.Pod{ObjectMeta: meta}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = kube.CoreV1().ConfigMaps("shop").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: meta}, metav1.CreateOptions{})
	require.NoError(t, err)
	for resource, want := range map[string]runtime.Object{"pods": &corev1.Pod{}, "configmaps": &metav1.Status{}} {
		result, err := kube.Invokes(testing.NewDeleteAction(corev1.SchemeGroupVersion.WithResource(resource), "shop", "web"), nil)
		require.NoError(t, err)
		assert.IsType(t, want, result)
	}
}

// TestShardsByRelease checks what differs between releases, with the gate on. The contract has the answers of a server of 1.37; those of
// v1.38.0-beta.0 were measured too; the source is registry/generic/registry/store.go, and for lists of custom resources
// pkg/apis/meta/v1/unstructured/unstructured_list.go of k8s.io/apimachinery.
func TestShardsByRelease(t *stdtesting.T) {
	for name, test := range map[string]struct {
		is38  bool
		error string
		info  *metav1.ShardInfo
	}{
		"1.37": {false, "500 : invalid shard selector: shardRange() requires exactly 3 arguments, got 0", nil},
		"1.38": {
			true, "400 BadRequest: invalid shard selector: shardRange() requires exactly 3 arguments, got 0",
			&metav1.ShardInfo{Selector: everyShard},
		},
	} {
		t.Run(name, func(t *stdtesting.T) {
			r := newRig(t, as38(test.is38), WithShardedListAndWatch(true))
			r.create(t, "a")
			bad := metav1.ListOptions{ShardSelector: "shardRange()"}
			_, err := r.shop().List(t.Context(), bad)
			assert.Equal(t, test.error, statusOf(t, err))
			_, err = r.shop().Watch(t.Context(), bad)
			assert.Equal(t, test.error, statusOf(t, err))
			err = r.shop().DeleteCollection(t.Context(), metav1.DeleteOptions{}, bad)
			assert.Equal(t, test.error, statusOf(t, err))
			list, err := r.shop().List(t.Context(), metav1.ListOptions{ShardSelector: "(" + everyShard + ") // all"})
			require.NoError(t, err)
			assert.Len(t, list.Items, 1)
			assert.Equal(t, test.info, list.ShardInfo)
		})
	}
}
