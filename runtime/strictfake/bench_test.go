package strictfake

import (
	"fmt"
	stdtesting "testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
)

// listed is the number of objects in benchmarks of lists.
const listed = 1000

// BenchmarkServer measures the requests of a client.
func BenchmarkServer(b *stdtesting.B) {
	for _, request := range []struct {
		name string
		do   func(b *stdtesting.B, r *rig, object *fleetv1.Workload, i int) (*fleetv1.Workload, error)
	}{
		{"create", func(b *stdtesting.B, r *rig, _ *fleetv1.Workload, i int) (*fleetv1.Workload, error) {
			return r.shop().Create(b.Context(), workload(fmt.Sprint("w", i), nil), metav1.CreateOptions{})
		}},
		{"update", func(b *stdtesting.B, r *rig, object *fleetv1.Workload, _ int) (*fleetv1.Workload, error) {
			object.Spec.Paused = !object.Spec.Paused
			return r.shop().Update(b.Context(), object, metav1.UpdateOptions{})
		}},
		{"status", func(b *stdtesting.B, r *rig, object *fleetv1.Workload, i int) (*fleetv1.Workload, error) {
			object.Status.Replicas = int32(i)
			return r.shop().UpdateStatus(b.Context(), object, metav1.UpdateOptions{})
		}},
		{"patch", func(b *stdtesting.B, r *rig, object *fleetv1.Workload, i int) (*fleetv1.Workload, error) {
			patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, i)
			return r.shop().Patch(b.Context(), object.Name, types.MergePatchType, patch, metav1.PatchOptions{})
		}},
		{"get", func(b *stdtesting.B, r *rig, object *fleetv1.Workload, _ int) (*fleetv1.Workload, error) {
			return r.shop().Get(b.Context(), object.Name, metav1.GetOptions{})
		}},
	} {
		b.Run(request.name, func(b *stdtesting.B) {
			r := newRig(b)
			object := r.create(b, "web")
			b.ReportAllocs()
			for i := 1; b.Loop(); i++ {
				var err error
				object, err = request.do(b, r, object, i)
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkMany measures reads of many objects.
func BenchmarkMany(b *stdtesting.B) {
	r := newRig(b)
	for i := range listed {
		r.create(b, fmt.Sprint("w", i))
	}
	b.Run("list", func(b *stdtesting.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := r.shop().List(b.Context(), metav1.ListOptions{})
			require.NoError(b, err)
		}
	})
	b.Run("watch", func(b *stdtesting.B) {
		b.ReportAllocs()
		for b.Loop() {
			w, err := r.shop().Watch(b.Context(), metav1.ListOptions{})
			require.NoError(b, err)
			for range listed {
				<-w.ResultChan()
			}
			w.Stop()
		}
	})
}

// BenchmarkServe measures how long it takes to find the kinds of client-go's clientset.
func BenchmarkServe(b *stdtesting.B) {
	for b.Loop() {
		newKube(b)
	}
}
