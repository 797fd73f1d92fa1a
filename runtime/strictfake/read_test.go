package strictfake

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	stdtesting "testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/store"
)

func TestList(t *stdtesting.T) {
	r := newRig(t)
	north := workload("b", map[string]string{"team": "red"})
	north.Spec.RegionName = "north"
	for _, object := range []string{"c", "a"} {
		r.create(t, object)
	}
	_, err := r.shop().Create(t.Context(), north, metav1.CreateOptions{})
	require.NoError(t, err)
	for selector, want := range map[string]string{"": "a b c", "team=red": "b", "!team": "a c"} {
		list, err := r.shop().List(t.Context(), metav1.ListOptions{LabelSelector: selector})
		assert.Equal(t, want, namesOrCode(list.Items, err, func(i int) string { return list.Items[i].Name }), selector)
	}
	for selector, want := range map[string]string{"metadata.name!=a": "b c", "spec.regionName=north": "b", "spec.paused=true": "400"} {
		list, err := r.shop().List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		assert.Equal(t, want, namesOrCode(list.Items, err, func(i int) string { return list.Items[i].Name }), selector)
	}
}

// namesOrCode returns names, or the code of an error.
func namesOrCode[T any](items []T, err error, name func(int) string) string {
	if status, ok := err.(apierrors.APIStatus); ok {
		return strconv.Itoa(int(status.Status().Code))
	}
	var names []string
	for i := range items {
		names = append(names, name(i))
	}
	return strings.Join(names, " ")
}

// TestPages reads pages while objects change: all show the same moment, until it is forgotten.
func TestPages(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "a", "b", "c")
	first, err := r.shop().List(t.Context(), metav1.ListOptions{Limit: 2})
	require.NoError(t, err)
	assert.Len(t, first.Items, 2)
	assert.EqualValues(t, 1, *first.RemainingItemCount)
	require.NoError(t, r.shop().Delete(t.Context(), "c", metav1.DeleteOptions{}))
	r.create(t, "d")
	second, err := r.shop().List(t.Context(), metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.NoError(t, err)
	require.Len(t, second.Items, 1)
	assert.Equal(t, "c", second.Items[0].Name)
	assert.Equal(t, first.ResourceVersion, second.ResourceVersion)

	r.Compact()
	_, err = r.shop().List(t.Context(), metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.True(t, apierrors.IsResourceExpired(err), "%v", err)
	rest, err := r.shop().List(t.Context(), metav1.ListOptions{Continue: err.(apierrors.APIStatus).Status().Continue})
	require.NoError(t, err)
	require.Len(t, rest.Items, 1)
	assert.Equal(t, "d", rest.Items[0].Name, "the current object")
	for _, token := range []string{"?", "e30", store.Token{Revision: 5, Start: "../x"}.Encode()} {
		_, err = r.shop().List(t.Context(), metav1.ListOptions{Continue: token})
		assert.True(t, apierrors.IsBadRequest(err), "%v", err)
	}
}

func TestListOfVersions(t *stdtesting.T) {
	r := newRig(t)
	version := r.create(t, "a").ResourceVersion
	r.create(t, "b")
	for options, want := range map[metav1.ListOptions]int{
		{ResourceVersion: version, ResourceVersionMatch: metav1.ResourceVersionMatchExact}:        1,
		{ResourceVersion: version, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}: 2,
		{ResourceVersion: version}: 2,
		{ResourceVersion: "0"}:     2,
	} {
		list, err := r.shop().List(t.Context(), options)
		require.NoError(t, err)
		assert.Len(t, list.Items, want, "%+v", options)
	}
	_, err := r.shop().List(t.Context(), metav1.ListOptions{ResourceVersion: "1000"})
	assert.True(t, apierrors.IsTimeout(err), "%v", err)
	r.Compact()
	_, err = r.shop().List(t.Context(), metav1.ListOptions{ResourceVersion: version,
		ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	assert.True(t, apierrors.IsResourceExpired(err), "%v", err)
}

// TestHistory remembers two changes only.
func TestHistory(t *stdtesting.T) {
	r := newRig(t, WithHistory(2))
	version := r.create(t, "a").ResourceVersion
	r.create(t, "b", "c")
	w, err := r.shop().Watch(t.Context(), metav1.ListOptions{ResourceVersion: version})
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, []string{"ADDED b", "ADDED c", "ADDED d"}, append(events(w, 2), after(t, r, w, "d")))
	w, err = r.shop().Watch(t.Context(), metav1.ListOptions{ResourceVersion: version})
	require.NoError(t, err)
	assert.Equal(t, []string{"ERROR 410 too old resource version: " + version + " (3)", "closed"}, events(w, 2))
}

// after creates an object and returns the event.
func after(t *stdtesting.T, r *rig, w watch.Interface, name string) string {
	t.Helper()
	r.create(t, name)
	return events(w, 1)[0]
}

func TestWatch(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "old")
	w, err := r.shop().Watch(t.Context(), metav1.ListOptions{LabelSelector: "team=red"})
	require.NoError(t, err)
	defer w.Stop()
	object, err := r.shop().Create(t.Context(), workload("web", map[string]string{"team": "red"}), metav1.CreateOptions{})
	require.NoError(t, err)
	object.Spec.Paused = true
	object, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
	require.NoError(t, err)
	object.Labels = nil
	object, err = r.shop().Update(t.Context(), object, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"ADDED web", "MODIFIED web"}, events(w, 2))
	left := <-w.ResultChan()
	assert.Equal(t, watch.Deleted, left.Type)
	assert.Equal(t, object.ResourceVersion, left.Object.(metav1.Object).GetResourceVersion())
	assert.NotEmpty(t, left.Object.(metav1.Object).GetLabels(), "as it was when it was selected")
}

// TestUnreadEvents has a thousand events wait for somebody to read them.
func TestUnreadEvents(t *stdtesting.T) {
	r := newRig(t)
	w, err := r.shop().Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	for i := range 1000 {
		r.create(t, fmt.Sprintf("w%d", i))
	}
	assert.Equal(t, "ADDED w999", events(w, 1000)[999])
}

func TestWatchEnds(t *stdtesting.T) {
	synctest.Test(t, func(t *stdtesting.T) {
		r := newRig(t)
		seconds := int64(90)
		w, err := r.shop().Watch(t.Context(), metav1.ListOptions{TimeoutSeconds: &seconds, AllowWatchBookmarks: true})
		require.NoError(t, err)
		began := time.Now()
		var bookmarks []time.Duration
		for event := range w.ResultChan() {
			bookmarks = append(bookmarks, time.Since(began))
			assert.Equal(t, watch.Bookmark, event.Type)
			assert.Equal(t, "1", event.Object.(metav1.Object).GetResourceVersion())
		}
		assert.Equal(t, []time.Duration{60 * time.Second, 88 * time.Second}, bookmarks)
		assert.Equal(t, 90*time.Second, time.Since(began))

		ctx, cancel := context.WithCancel(t.Context())
		w, err = r.Tracker().Watch(fleetv1.SchemeGroupVersion.WithResource("workloads"), "shop")
		require.NoError(t, err)
		w.(interface{ StopWith(ctx context.Context) }).StopWith(ctx)
		cancel()
		_, open := <-w.ResultChan()
		assert.False(t, open, "it ends with the context of the request")
	})
}

func TestInitialEvents(t *stdtesting.T) {
	r := newRig(t)
	r.create(t, "a", "b")
	yes := true
	options := metav1.ListOptions{SendInitialEvents: &yes, AllowWatchBookmarks: true,
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
	w, err := r.shop().Watch(t.Context(), options)
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, []string{"ADDED a", "ADDED b"}, events(w, 2))
	end := <-w.ResultChan()
	assert.Equal(t, watch.Bookmark, end.Type)
	assert.Equal(t, map[string]string{metav1.InitialEventsAnnotationKey: "true"}, end.Object.(metav1.Object).GetAnnotations())
	options.ResourceVersionMatch = ""
	_, err = r.shop().Watch(t.Context(), options)
	assert.True(t, apierrors.IsInvalid(err), "%v", err)
}
