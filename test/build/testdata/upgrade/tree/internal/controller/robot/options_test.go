package robot

import (
	"testing"

	fleetv1 "example.com/fleet/api/v1"
	fleetv1controllers "example.com/fleet/pkg/generated/controllers/api/v1"
	"example.com/fleet/pkg/generated/controllers/controllertest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// TestSelective reconciles with a controller that has all options that are for informers.
func TestSelective(t *testing.T) {
	robot := &fleetv1.Robot{}
	robot.Namespace, robot.Name, robot.Labels = "default", "sample", map[string]string{"season": "winter"}
	got := controllertest.Reconcile(t, func(clients controllertest.Clients) (*fleetv1controllers.RobotController, error) {
		c, resource, _, err := NewSelective(clients.Client, clients.Kube, clients.Recorder)
		if resource.String() != "robots.fleet.example.com" {
			t.Errorf("the resource is %s", resource)
		}
		return c, err
	}, robot)
	if got.Err != nil {
		t.Error(got.Err)
	}
	stored, err := got.Clients.Client.FleetV1().Robots("default").Get(t.Context(), "sample", metav1.GetOptions{})
	if err != nil || len(stored.Finalizers) != 1 {
		t.Errorf("the robot is %v, %v", stored, err)
	}
	deployments, err := got.Clients.Kube.AppsV1().Deployments("default").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(deployments.Items) != 0 {
		t.Errorf("deployments are %v, %v", deployments, err)
	}
	gone := controllertest.ReconcileDeleted(t, func(clients controllertest.Clients) (*fleetv1controllers.RobotController, error) {
		return New(clients.Client, clients.Kube, clients.Recorder)
	}, cache.NewObjectName("default", "gone"))
	if gone.Err != nil {
		t.Error(gone.Err)
	}
}

// TestShared runs a controller with shared caches.
func TestShared(t *testing.T) {
	var shutdown func()
	got := controllertest.Reconcile(t, func(clients controllertest.Clients) (*fleetv1controllers.RobotController, error) {
		c, shut, err := NewShared(clients.Client, clients.Kube)
		shutdown = shut
		return c, err
	}, &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "sample"}})
	if got.Err != nil {
		t.Error(got.Err)
	}
	shutdown()
}
