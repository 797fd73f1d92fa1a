package strictfake

import (
	"context"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/gentype"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	fleetac "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration/fleet/v1"
)

// watcher, listing and applying are the parts of a typed client that the fakes have.
type (
	watcher interface {
		Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
		Get(ctx context.Context, name string, opts metav1.GetOptions) (*fleetv1.Workload, error)
	}
	listing interface {
		List(ctx context.Context, opts metav1.ListOptions) (*fleetv1.WorkloadList, error)
		DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
	}
	applying interface {
		Apply(ctx context.Context, workload *fleetac.WorkloadApplyConfiguration, opts metav1.ApplyOptions) (*fleetv1.Workload, error)
	}
)

// fakeClients returns a client of each form, as generated fakes embed them.
func fakeClients(r *rig) map[string]watcher {
	resource, kind := fleetv1.SchemeGroupVersion.WithResource("workloads"), fleetv1.SchemeGroupVersion.WithKind("Workload")
	object, list := func() *fleetv1.Workload { return &fleetv1.Workload{} }, func() *fleetv1.WorkloadList { return &fleetv1.WorkloadList{} }
	meta := func(dst, src *fleetv1.WorkloadList) { dst.ListMeta = src.ListMeta }
	items := func(l *fleetv1.WorkloadList) []*fleetv1.Workload { return gentype.ToPointerSlice(l.Items) }
	setItems := func(l *fleetv1.WorkloadList, all []*fleetv1.Workload) { l.Items = gentype.FromPointerSlice(all) }
	return map[string]watcher{
		"":      NewFakeClient(r.fake, "shop", resource, kind, object),
		"list":  NewFakeClientWithList(r.fake, "shop", resource, kind, object, list, meta, items, setItems),
		"apply": NewFakeClientWithApply[*fleetv1.Workload, *fleetac.WorkloadApplyConfiguration](r.fake, "shop", resource, kind, object),
		"both": NewFakeClientWithListAndApply[*fleetv1.Workload, *fleetv1.WorkloadList, *fleetac.WorkloadApplyConfiguration](
			r.fake, "shop", resource, kind, object, list, meta, items, setItems),
	}
}

func TestFakeClients(t *stdtesting.T) {
	r := newRig(t)
	invalid := []metav1.ListOptions{{LabelSelector: "=="}, {FieldSelector: "a"}}
	for name, client := range fakeClients(r) {
		t.Run(name, func(t *stdtesting.T) {
			ctx, cancel := context.WithCancel(t.Context())
			w, err := client.Watch(ctx, metav1.ListOptions{})
			require.NoError(t, err)
			cancel()
			assert.Equal(t, []string{"closed"}, events(w, 1), "the watch stops with its context")
			for _, opts := range invalid {
				_, err = client.Watch(t.Context(), opts)
				assert.True(t, apierrors.IsBadRequest(err), "%v", err)
			}
			if client, ok := client.(applying); assert.Equal(t, name == "apply" || name == "both", ok) && ok {
				_, err = client.Apply(t.Context(), fleetac.Workload("web", "shop"), metav1.ApplyOptions{FieldManager: "us"})
				require.NoError(t, err)
				require.NoError(t, r.shop().Delete(t.Context(), "web", metav1.DeleteOptions{}))
			}
			lister, ok := client.(listing)
			assert.Equal(t, name == "list" || name == "both", ok)
			if !ok {
				return
			}
			empty, err := lister.List(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			assert.NotNil(t, empty.Items)
			for _, opts := range invalid {
				none, err := lister.List(t.Context(), opts)
				assert.True(t, apierrors.IsBadRequest(err), "%v", err)
				assert.NotNil(t, none)
				assert.True(t, apierrors.IsBadRequest(lister.DeleteCollection(t.Context(), metav1.DeleteOptions{}, opts)))
			}
			r.create(t, name+"-1")
			one, err := lister.List(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			assert.Len(t, one.Items, 1)
			require.NoError(t, lister.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
			assert.Empty(t, r.names(t))
		})
	}
}
