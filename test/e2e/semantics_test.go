package e2e

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	edgev1alpha1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/edge/v1alpha1"
	fleetv1ac "github.com/informer-gen-lite/informer-gen-lite/examples/generated/applyconfiguration/fleet/v1"
)

// TestClients uses one server for tests that leave nothing behind.
func TestClients(t *testing.T) {
	c := start(t, apiservertest.Options{})
	for name, test := range map[string]func(*testing.T, *cluster){
		"errors":        clientErrors,
		"server errors": serverErrors,
		"lost reply":    lostReply,
		"apply":         apply,
		"apply lists":   applyLists,
		"metadata":      metadata,
		"lists":         lists,
		"watches":       watches,
	} {
		t.Run(name, func(t *testing.T) {
			test(t, c)
			c.Faults.Clear()
			workloads := c.client.FleetV1().Workloads(namespace)
			require.NoError(t, workloads.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
		})
	}
}

// clientErrors checks the errors that programs distinguish.
func clientErrors(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	_, err := client.Get(t.Context(), "web", metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	assert.True(t, apierrors.IsNotFound(client.Delete(t.Context(), "web", metav1.DeleteOptions{})))

	created, err := client.Create(t.Context(), workload("web"), metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = client.Create(t.Context(), workload("web"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsAlreadyExists(err), "%v", err)

	stale := created.DeepCopy()
	created.Spec.Paused = true
	current, err := client.Update(t.Context(), created, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = client.Update(t.Context(), stale, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	err = client.Delete(t.Context(), "web", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("another")})
	assert.True(t, apierrors.IsConflict(err), "%v", err)

	for field, spoil := range map[string]func(*fleetv1.Workload){
		"spec.replicas":       func(w *fleetv1.Workload) { w.Spec.Replicas = ptr.To[int32](-1) },
		"spec.template.image": func(w *fleetv1.Workload) { w.Spec.Template.Image = "" },
		"spec.regionName":     func(w *fleetv1.Workload) { w.Spec.RegionName = "south" }, // which is immutable
	} {
		invalid := current.DeepCopy()
		spoil(invalid)
		_, err = client.Update(t.Context(), invalid, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsInvalid(err), "%v", err)
		assert.ErrorContains(t, err, field)
	}
}

// serverErrors checks the errors of an overloaded server.
func serverErrors(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	for code, is := range map[int]func(error) bool{
		http.StatusInternalServerError: apierrors.IsInternalError,
		http.StatusForbidden:           apierrors.IsForbidden,
		http.StatusConflict:            apierrors.IsConflict,
		http.StatusGone:                apierrors.IsResourceExpired,
	} {
		fault := c.Faults.Add(faults.Rule{Verbs: []string{"list"}, Resource: "workloads", Times: 1, Do: faults.Fail(code)})
		_, err := client.List(t.Context(), metav1.ListOptions{})
		assert.True(t, is(err), "%d: %v", code, err)
		assert.Equal(t, 1, fault.Hits())
	}
	// The client honors Retry-After.
	slow := c.Faults.Add(faults.Rule{Verbs: []string{"list"}, Resource: "workloads", Times: 1, Do: faults.Fail(http.StatusTooManyRequests)})
	_, err := client.List(t.Context(), metav1.ListOptions{})
	assert.NoError(t, err)
	assert.Equal(t, 1, slow.Hits())
}

// lostReply creates an object, but the client never gets the response.
func lostReply(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	c.Faults.Add(faults.Rule{Verbs: []string{"create"}, Resource: "workloads", Times: 1, Do: faults.LoseReply()})
	_, err := client.Create(t.Context(), workload("web"), metav1.CreateOptions{})
	require.Error(t, err)
	_, err = client.Create(t.Context(), workload("web"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsAlreadyExists(err), "%v", err)
}

// apply lets two field managers apply the same field.
func apply(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	spec := func(image string) *fleetv1ac.WorkloadApplyConfiguration {
		return fleetv1ac.Workload("web", namespace).WithSpec(fleetv1ac.WorkloadSpec().
			WithRegionName("north").WithTemplate(fleetv1ac.WorkloadTemplate().WithImage(image)))
	}
	_, err := client.Apply(t.Context(), spec("image:1"), metav1.ApplyOptions{FieldManager: "one"})
	require.NoError(t, err)
	_, err = client.Apply(t.Context(), spec("image:2"), metav1.ApplyOptions{FieldManager: "two"})
	require.True(t, apierrors.IsConflict(err), "%v", err)
	assert.ErrorContains(t, err, ".spec.template.image")
	assert.ErrorContains(t, err, `"one"`)

	forced, err := client.Apply(t.Context(), spec("image:2"), metav1.ApplyOptions{FieldManager: "two", Force: true})
	require.NoError(t, err)
	assert.Equal(t, "image:2", forced.Spec.Template.Image)

	// The two managers' fields can be extracted separately, changed and applied again.
	extracted, err := fleetv1ac.ExtractWorkload(forced, "two")
	require.NoError(t, err)
	changed, err := client.Apply(t.Context(), extracted.WithLabels(map[string]string{"tier": "web"}), metav1.ApplyOptions{FieldManager: "two"})
	require.NoError(t, err)
	assert.Equal(t, "web", changed.Labels["tier"])
	assert.Equal(t, "image:2", changed.Spec.Template.Image)
	// Applying less removes fields that no other manager applies.
	less, err := client.Apply(t.Context(), spec("image:2"), metav1.ApplyOptions{FieldManager: "two"})
	require.NoError(t, err)
	assert.Empty(t, less.Labels)
}

// applyLists lets two field managers share lists of each kind.
func applyLists(t *testing.T, c *cluster) {
	client := c.client.EdgeNetworkV1alpha1().Relays(namespace)
	add := func(manager string, port int32) {
		spec := edgev1alpha1ac.RelaySpec().WithMTU(1400).WithContacts(manager).
			WithForwards(edgev1alpha1ac.RelayForward().WithPort(port).WithProtocol("TCP").WithTarget(manager))
		_, err := client.Apply(t.Context(), edgev1alpha1ac.Relay("r", namespace).WithSpec(spec), metav1.ApplyOptions{FieldManager: manager})
		require.NoError(t, err)
	}
	add("one", 80)
	add("two", 443)
	got, err := client.Get(t.Context(), "r", metav1.GetOptions{})
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"one", "two"}, got.Spec.Contacts)
	assert.Len(t, got.Spec.Forwards, 2)
}

// metadata covers generateName, finalizers and the generation.
func metadata(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	sample := workload("")
	sample.GenerateName, sample.Finalizers = "web-", []string{fleetv1.WorkloadFinalizer}
	created, err := client.Create(t.Context(), sample, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Regexp(t, "^web-.+", created.Name)
	assert.EqualValues(t, 1, created.Generation)
	assert.EqualValues(t, 1, *created.Spec.Replicas, "the default of the schema")

	require.NoError(t, client.Delete(t.Context(), created.Name, metav1.DeleteOptions{}))
	deleted, err := client.Get(t.Context(), created.Name, metav1.GetOptions{})
	require.NoError(t, err, "the finalizer keeps it")
	require.NotNil(t, deleted.DeletionTimestamp)
	late := deleted.DeepCopy()
	late.Finalizers = append(late.Finalizers, "example.com/late")
	_, err = client.Update(t.Context(), late, metav1.UpdateOptions{})
	assert.True(t, apierrors.IsInvalid(err), "%v", err)

	deleted.Finalizers = nil
	_, err = client.Update(t.Context(), deleted, metav1.UpdateOptions{})
	require.NoError(t, err)
	_, err = client.Get(t.Context(), created.Name, metav1.GetOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
}

// lists covers paging and selectors.
func lists(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	for i := range 10 {
		sample := workload(fmt.Sprintf("w-%d", i))
		sample.Labels = map[string]string{"parity": []string{"even", "odd"}[i%2]}
		sample.Spec.RegionName = []string{"north", "south", "west"}[i%3]
		_, err := client.Create(t.Context(), sample, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	var pages [][]string
	for next := ""; len(pages) == 0 || next != ""; {
		page, err := client.List(t.Context(), metav1.ListOptions{Limit: 4, Continue: next})
		require.NoError(t, err)
		pages, next = append(pages, names(page)), page.Continue
	}
	assert.Equal(t, [][]string{{"w-0", "w-1", "w-2", "w-3"}, {"w-4", "w-5", "w-6", "w-7"}, {"w-8", "w-9"}}, pages)

	for _, test := range []struct {
		label, field string
		want         []string
	}{
		{label: "parity=odd", want: []string{"w-1", "w-3", "w-5", "w-7", "w-9"}},
		{label: "parity notin (odd)", field: "metadata.name!=w-0", want: []string{"w-2", "w-4", "w-6", "w-8"}},
		{field: "metadata.name=w-3", want: []string{"w-3"}},
		{field: "spec.regionName=west", want: []string{"w-2", "w-5", "w-8"}},
		{label: "parity=even", field: "spec.regionName=west", want: []string{"w-2", "w-8"}},
		{label: "parity=none"},
	} {
		found, err := client.List(t.Context(), metav1.ListOptions{LabelSelector: test.label, FieldSelector: test.field})
		require.NoError(t, err)
		assert.Equal(t, test.want, names(found), "%+v", test)
	}
	_, err := client.List(t.Context(), metav1.ListOptions{FieldSelector: "spec.paused=true"})
	assert.True(t, apierrors.IsBadRequest(err), "not selectable: %v", err)
}

func names(list *fleetv1.WorkloadList) []string {
	var all []string
	for _, item := range list.Items {
		all = append(all, item.Name)
	}
	return all
}

// TestExpiredPage continues a list whose resource version has expired.
func TestExpiredPage(t *testing.T) {
	c := start(t, apiservertest.Options{NoWatchCache: true, Compaction: 100 * time.Millisecond})
	client := c.client.FleetV1().Workloads(namespace)
	for _, name := range []string{"a", "b"} {
		_, err := client.Create(t.Context(), workload(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	page, err := client.List(t.Context(), metav1.ListOptions{Limit: 1})
	require.NoError(t, err)
	count := 0
	eventually(t, func() bool { // each revision lets the server forget older ones
		count++
		_, err = client.Create(t.Context(), workload(fmt.Sprintf("w-%d", count)), metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = client.List(t.Context(), metav1.ListOptions{Limit: 1, Continue: page.Continue})
		return err != nil
	}, "the list never expires")
	assert.True(t, apierrors.IsResourceExpired(err), "%v", err)

	_, err = client.List(t.Context(), metav1.ListOptions{ResourceVersion: page.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	assert.True(t, apierrors.IsResourceExpired(err), "%v", err)
}

// watches covers bookmarks, streaming lists, and an expired resource version.
func watches(t *testing.T, c *cluster) {
	client := c.client.FleetV1().Workloads(namespace)
	for _, name := range []string{"a", "b"} {
		_, err := client.Create(t.Context(), workload(name), metav1.CreateOptions{})
		require.NoError(t, err)
	}
	t.Run("streaming list", func(t *testing.T) {
		watcher, err := client.Watch(within(t), metav1.ListOptions{
			SendInitialEvents:    new(true),
			AllowWatchBookmarks:  true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
		require.NoError(t, err)
		defer watcher.Stop()
		for _, name := range []string{"a", "b"} {
			event := <-watcher.ResultChan()
			require.Equal(t, watch.Added, event.Type)
			assert.Equal(t, name, event.Object.(*fleetv1.Workload).Name)
		}
		bookmark := <-watcher.ResultChan()
		require.Equal(t, watch.Bookmark, bookmark.Type)
		end := bookmark.Object.(*fleetv1.Workload)
		assert.Equal(t, "true", end.Annotations[metav1.InitialEventsAnnotationKey])

		// From the bookmark's resource version on, only new events are sent.
		later, err := client.Watch(within(t), metav1.ListOptions{ResourceVersion: end.ResourceVersion})
		require.NoError(t, err)
		defer later.Stop()
		_, err = client.Create(t.Context(), workload("c"), metav1.CreateOptions{})
		require.NoError(t, err)
		for _, w := range []watch.Interface{watcher, later} {
			assert.Equal(t, "c", (<-w.ResultChan()).Object.(*fleetv1.Workload).Name)
		}
	})
	t.Run("bookmark before the end", func(t *testing.T) {
		watcher, err := client.Watch(within(t), metav1.ListOptions{AllowWatchBookmarks: true, TimeoutSeconds: ptr.To[int64](3), ResourceVersion: "0"})
		require.NoError(t, err)
		defer watcher.Stop()
		var last watch.Event
		for event := range watcher.ResultChan() {
			last = event
		}
		require.Equal(t, watch.Bookmark, last.Type)
		assert.NotEmpty(t, last.Object.(*fleetv1.Workload).ResourceVersion)
	})
	t.Run("too old", func(t *testing.T) {
		watcher, err := client.Watch(within(t), metav1.ListOptions{ResourceVersion: "1"})
		require.NoError(t, err)
		defer watcher.Stop()
		event := <-watcher.ResultChan()
		require.Equal(t, watch.Error, event.Type)
		assert.True(t, apierrors.IsResourceExpired(apierrors.FromObject(event.Object)), "%v", event.Object)
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		watcher, err := client.Watch(ctx, metav1.ListOptions{LabelSelector: "none=here"})
		require.NoError(t, err)
		cancel()
		for event := range watcher.ResultChan() { // until it ends
			assert.Equal(t, watch.Error, event.Type, "%v", event)
		}
	})
}
