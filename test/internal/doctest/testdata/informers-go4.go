//doctest:module examples
package block

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"

	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

func deployments(factory *informers.Factory, kube kubernetes.Interface) appslisters.DeploymentLister {
	// BLOCK
	return lister
}
