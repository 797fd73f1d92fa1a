/*
Copyright The informer-gen-lite Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package workload

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
)

// TestReconcile runs the controller on fake clientsets until it comes to rest, and looks at what there is then.
func TestReconcile(t *testing.T) {
	tests := map[string]struct {
		workload *fleetv1.Workload
		check    func(*testing.T, *fleetv1.Workload)
	}{
		"new": {
			workload: &fleetv1.Workload{},
			check: func(t *testing.T, workload *fleetv1.Workload) {
				if !slices.Contains(workload.Finalizers, "fleet.example.com/workload-cleanup") {
					t.Errorf("the finalizer is missing: %v", workload.Finalizers)
				}
				if !meta.IsStatusConditionTrue(workload.Status.Conditions, "Ready") {
					t.Errorf("not ready: %v", workload.Status.Conditions)
				}
				if workload.Status.ObservedGeneration != workload.Generation {
					t.Errorf("generation %d is observed instead of %d", workload.Status.ObservedGeneration, workload.Generation)
				}
				// TODO: what the reconciler is to bring about.
			},
		},
		"about to be deleted": {
			workload: &fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{
				Finalizers: []string{"fleet.example.com/workload-cleanup"}, DeletionTimestamp: &metav1.Time{Time: time.Unix(0, 0)},
			}},
			check: func(t *testing.T, workload *fleetv1.Workload) {
				if len(workload.Finalizers) > 0 {
					t.Errorf("the finalizer is still there: %v", workload.Finalizers)
				}
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.workload.ObjectMeta.Name, test.workload.UID, test.workload.Generation = "sample", "sample-uid", 1
				test.workload.Namespace = "default"
				client := fake.NewClientset(test.workload)
				kube := kubefake.NewClientset()
				controller, err := New(client, kube, &events.FakeRecorder{})
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- controller.Run(ctx) }()
				synctest.Wait()
				workload, err := client.FleetV1().Workloads("default").Get(ctx, "sample", metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				test.check(t, workload)
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
