package controllers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// TestInformersHaveTheName limits a controller to two namespaces, whose objects are in one informer each.
func TestInformersHaveTheName(t *testing.T) {
	name, err := cache.NewInformerName("controllers")
	require.NoError(t, err)
	_, err = newWorkloadController(fake.NewClientset(), kubefake.NewClientset(), &steps{}, WithInformerName(name), WithNamespaces("shop", "blog"))
	require.NoError(t, err)
	assert.False(t, name.WithResource(fleetv1.SchemeGroupVersion.WithResource("workloads")).Reserved(), "the informer has taken it")
	assert.False(t, name.WithResource(appsv1.SchemeGroupVersion.WithResource("deployments")).Reserved(), "the informer has taken it")
	name.Release()
}
