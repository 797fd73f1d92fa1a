//doctest:module examples
package block

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

func cleanUp(context.Context, *fleetv1.Workload) error { return nil }

func specOf(*fleetv1.Workload) appsv1.DeploymentSpec { return appsv1.DeploymentSpec{} }

// BLOCK
