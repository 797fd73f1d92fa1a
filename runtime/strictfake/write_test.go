package strictfake

import (
	"fmt"
	"sync"
	stdtesting "testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1beta1"
)

func TestCreate(t *stdtesting.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	r := newRig(t, WithClock(clocktesting.NewFakePassiveClock(now)))
	object := workload("web", nil)
	object.UID, object.Generation, object.Status.Replicas = "mine", 7, 3
	created, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{FieldManager: "maker"})
	require.NoError(t, err)
	assert.Equal(t, "2", created.ResourceVersion)
	assert.NotEqual(t, types.UID("mine"), created.UID)
	assert.EqualValues(t, 1, created.Generation)
	assert.Zero(t, created.Status)
	assert.True(t, created.CreationTimestamp.Equal(&metav1.Time{Time: now.Truncate(time.Second)}))
	assert.Equal(t, "maker", created.ManagedFields[0].Manager)
	assert.EqualValues(t, "mine", object.UID, "the caller's object is not modified")

	_, err = r.shop().Create(t.Context(), workload("web", nil), metav1.CreateOptions{})
	assert.EqualError(t, err, `workloads.fleet.example.com "web" already exists`)
	_, err = r.shop().Create(t.Context(), workload("Web", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
	_, err = r.v1.Workloads("blog").Create(t.Context(), workload("web", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.IsBadRequest(err), "%v", err)
	_, err = r.v1.Workloads("").Create(t.Context(), workload("web", nil), metav1.CreateOptions{})
	assert.EqualError(t, err, "the server could not find the requested resource (post workloads.fleet.example.com)")
	_, err = r.shop().Create(t.Context(), created, metav1.CreateOptions{})
	assert.Error(t, err)
	_, err = r.shop().Create(t.Context(), workload("dry", nil), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	require.NoError(t, err)
	assert.Equal(t, []string{"web"}, r.names(t))
}

func TestGenerateName(t *stdtesting.T) {
	r := newRig(t)
	object := workload("", nil)
	object.GenerateName = "web-"
	seen := map[string]bool{}
	for range 100 {
		created, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Regexp(t, `^web-[a-z0-9]{5}$`, created.Name)
		assert.False(t, seen[created.Name])
		seen[created.Name] = true
	}
}

func TestUpdate(t *stdtesting.T) {
	r := newRig(t)
	object := r.create(t, "web")
	stale := object.DeepCopy()
	object.Spec.RegionName, object.Status.Replicas = "north", 3
	updated, err := r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 2, updated.Generation)
	assert.Zero(t, updated.Status.Replicas)
	same, err := r.shop().Update(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, updated.ResourceVersion, same.ResourceVersion, "nothing has changed")
	_, err = r.shop().Update(t.Context(), stale, metav1.UpdateOptions{})
	assert.EqualError(t, err, `Operation cannot be fulfilled on workloads.fleet.example.com "web": the object has been modified; please apply your changes to the latest version and try again`)
	updated.Labels, updated.Status.Replicas = map[string]string{"ignored": "yes"}, 3
	reported, err := r.shop().UpdateStatus(t.Context(), updated, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, reported.Status.Replicas)
	assert.EqualValues(t, 2, reported.Generation)
	assert.Empty(t, reported.Labels)
	_, err = r.shop().Update(t.Context(), workload("db", nil), metav1.UpdateOptions{})
	assert.True(t, apierrors.IsNotFound(err))
}

func TestPatch(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	patch := func(kind types.PatchType, text string, subresources ...string) (*fleetv1.Workload, error) {
		return r.shop().Patch(t.Context(), "web", kind, []byte(text), metav1.PatchOptions{FieldValidation: metav1.FieldValidationStrict},
			subresources...)
	}
	patched, err := patch(types.MergePatchType, `{"spec":{"paused":true},"status":{"replicas":5}}`)
	require.NoError(t, err)
	assert.True(t, patched.Spec.Paused)
	assert.Zero(t, patched.Status.Replicas)
	patched, err = patch(types.JSONPatchType, `[{"op":"add","path":"/status","value":{"replicas":5}}]`, "status")
	require.NoError(t, err)
	assert.EqualValues(t, 5, patched.Status.Replicas)
	for text, want := range map[string]int32{`{"spec":{"speed":1}}`: 422, `{"spec":{"paused":"no"}}`: 422, `nonsense`: 400} {
		_, err = patch(types.MergePatchType, text)
		status := apierrors.APIStatus(nil)
		require.ErrorAs(t, err, &status, text)
		assert.Equal(t, want, status.Status().Code, text)
	}
	_, err = patch(types.MergePatchType, `{"spec":{"speed":1,"color":2,"age":3,"height":4}}`)
	assert.ErrorContains(t, err, `unknown field "spec.age", unknown field "spec.color", unknown field "spec.height", unknown field "spec.speed"`)
	_, err = patch(types.StrategicMergePatchType, `{}`)
	assert.True(t, apierrors.IsUnsupportedMediaType(err))
	_, err = patch(types.MergePatchType, `{}`, "rollback")
	assert.True(t, apierrors.IsNotFound(err), "a custom resource has no such subresource")
}

func TestScale(t *stdtesting.T) {
	r := newRig(t)
	object, three := workload("web", nil), int32(3)
	object.Spec.Replicas = &three
	_, err := r.shop().Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	scale, err := r.shop().GetScale(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 3, scale.Spec.Replicas)
	scale.Spec.Replicas = 5
	scale, err = r.shop().UpdateScale(t.Context(), "web", scale, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 5, scale.Spec.Replicas)
	_, err = r.shop().UpdateScale(t.Context(), "web",
		&autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "web", ResourceVersion: "1"}}, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 5, *stored.Spec.Replicas)
	assert.EqualValues(t, 2, stored.Generation)
}

// TestVersions reads and writes one object in two versions.
func TestVersions(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	object, err := r.v1beta1.Workloads("shop").Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	object.Spec.RegionName, object.Spec.Image = "north", "web:1"
	object, err = r.v1beta1.Workloads("shop").Update(t.Context(), object, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Empty(t, object.Spec.Image, "v1, in which it is stored, has no such field")
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "north", stored.Spec.RegionName)
	assert.Equal(t, object.ResourceVersion, stored.ResourceVersion)
}

// TestConversion has the image of the older version in the template of the newer one.
func TestConversion(t *stdtesting.T) {
	r := newRig(t, WithConversion(func(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error) {
		switch in := object.(type) {
		case *fleetv1.Workload:
			out := &fleetv1beta1.Workload{ObjectMeta: in.ObjectMeta}
			out.Spec.Image, out.Spec.RegionName = in.Spec.Template.Image, in.Spec.RegionName
			return out, nil
		case *fleetv1beta1.Workload:
			out := &fleetv1.Workload{ObjectMeta: in.ObjectMeta}
			out.Spec.Template.Image, out.Spec.RegionName = in.Spec.Image, in.Spec.RegionName
			return out, nil
		}
		return nil, fmt.Errorf("%T to %v", object, to)
	}))
	object := &fleetv1beta1.Workload{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	object.Spec.Image = "web:1"
	_, err := r.v1beta1.Workloads("shop").Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	stored, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, "web:1", stored.Spec.Template.Image)
	list, err := r.v1beta1.Workloads("").List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	assert.Equal(t, "web:1", list.Items[0].Spec.Image)
}

// TestClients has 32 clients count in one object: no count is lost.
func TestClients(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "web")
	const clients, counts = 32, 5
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for done := 0; done < counts; {
				object, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
				if !assert.NoError(t, err) {
					return
				}
				object.Status.Replicas++
				_, err = r.shop().UpdateStatus(t.Context(), object, metav1.UpdateOptions{})
				if err == nil {
					done++
				} else if !assert.True(t, apierrors.IsConflict(err), "%v", err) {
					return
				}
			}
		})
	}
	all.Wait()
	object, err := r.shop().Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, clients*counts, object.Status.Replicas)
}
