package apiservertest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// family creates objects in a namespace that own each other.
type family struct {
	widgets, configs, fleets dynamic.ResourceInterface
}

func newFamily(t *testing.T, server *apiservertest.Server) family {
	t.Helper()
	client, namespace := connectDynamic(t, server.Config()), server.Namespace(t)
	return family{client.Resource(widgets).Namespace(namespace), client.Resource(configMaps).Namespace(namespace), client.Resource(fleets)}
}

func create1(t *testing.T, client dynamic.ResourceInterface, object *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	created, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	return created
}

func ownedBy(owner *unstructured.Unstructured, blocks bool) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(), BlockOwnerDeletion: new(blocks),
	}
}

func config(name string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	return item("v1", "ConfigMap", name, owners...)
}

// TestGarbageCollection deletes an owner with a dependent that has a dependent itself, with each propagation policy.
func TestGarbageCollection(t *testing.T) {
	for name, test := range map[string]struct {
		policy *metav1.DeletionPropagation
		orphan bool
	}{
		"default":    {},
		"background": {policy: new(metav1.DeletePropagationBackground)},
		"foreground": {policy: new(metav1.DeletePropagationForeground)},
		"orphan":     {policy: new(metav1.DeletePropagationOrphan), orphan: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFamily(t, shared)
			owner := create1(t, f.widgets, widget("owner"))
			child := create1(t, f.configs, config("child", ownedBy(owner, true)))
			create1(t, f.widgets, widget("grandchild", ownedBy(child, true)))
			require.NoError(t, f.widgets.Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: test.policy}))
			gone(t, f.widgets, "owner")
			if !test.orphan {
				gone(t, f.configs, "child")
				gone(t, f.widgets, "grandchild")
				return
			}
			child, err := f.configs.Get(t.Context(), "child", metav1.GetOptions{})
			require.NoError(t, err)
			assert.Empty(t, child.GetOwnerReferences())
			_, err = f.widgets.Get(t.Context(), "grandchild", metav1.GetOptions{})
			assert.NoError(t, err)
		})
	}
}

// TestForegroundDeletion checks that an owner waits for dependents that block its deletion.
func TestForegroundDeletion(t *testing.T) {
	f := newFamily(t, shared)
	owner := create1(t, f.widgets, widget("owner"))
	blocking := config("blocking", ownedBy(owner, true))
	blocking.SetFinalizers([]string{"example.com/test"})
	create1(t, f.configs, blocking)
	create1(t, f.configs, config("other", ownedBy(owner, false)))
	require.NoError(t, f.widgets.Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)}))
	eventually(t, func() bool {
		object, err := f.configs.Get(t.Context(), "blocking", metav1.GetOptions{})
		return err == nil && object.GetDeletionTimestamp() != nil
	}, "the dependent is not deleted")
	gone(t, f.configs, "other")
	object, err := f.widgets.Get(t.Context(), "owner", metav1.GetOptions{})
	require.NoError(t, err)
	assert.NotNil(t, object.GetDeletionTimestamp())

	_, err = f.configs.Patch(t.Context(), "blocking", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	gone(t, f.widgets, "owner")
}

// TestOwners covers owner references that are dangling, all of them or some.
func TestOwners(t *testing.T) {
	f, other := newFamily(t, shared), newFamily(t, shared)
	dead := metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Widget", Name: "dead", UID: "dead"}
	owner := create1(t, f.widgets, widget("owner"))
	cluster := create1(t, f.fleets, item("example.com/v1", "Fleet", "fleet-"+string(owner.GetUID())))
	foreign := dead
	foreign.APIVersion, foreign.Kind = "elsewhere.example.com/v1", "Thing"

	create1(t, f.configs, config("kept", ownedBy(owner, false), dead))
	create1(t, f.configs, config("cluster", ownedBy(cluster, false)))
	create1(t, f.configs, config("foreign", foreign))
	create1(t, f.configs, config("orphan", dead))
	create1(t, other.configs, config("abroad", ownedBy(owner, false)))
	gone(t, f.configs, "orphan")
	gone(t, other.configs, "abroad") // owners in other namespaces do not count
	eventually(t, func() bool {
		kept, err := f.configs.Get(t.Context(), "kept", metav1.GetOptions{})
		return err == nil && len(kept.GetOwnerReferences()) == 1 && kept.GetOwnerReferences()[0].UID == owner.GetUID()
	}, "the dangling reference is still there")
	_, err := f.configs.Get(t.Context(), "foreign", metav1.GetOptions{})
	assert.NoError(t, err, "nobody knows about owners of a kind that is not served")
	require.NoError(t, f.fleets.Delete(t.Context(), cluster.GetName(), metav1.DeleteOptions{}))
	gone(t, f.configs, "cluster")
}

// TestCollectionAfterRestart checks that a restarted server keeps objects whose owner exists, and collects them later.
func TestCollectionAfterRestart(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/crd"}})
	f := newFamily(t, server)
	owner := create1(t, f.widgets, widget("owner"))
	create1(t, f.configs, config("child", ownedBy(owner, false)))
	require.NoError(t, server.Restart(t.Context()))
	_, err := f.configs.Get(t.Context(), "child", metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, f.widgets.Delete(t.Context(), "owner", metav1.DeleteOptions{}))
	gone(t, f.configs, "child")
}

// TestNoControllers checks that a deleted owner keeps its finalizer.
func TestNoControllers(t *testing.T) {
	onlyHere(t)
	server := apiservertest.Start(t, apiservertest.Options{CRDPaths: []string{"testdata/crd"}, NoControllers: true})
	f := newFamily(t, server)
	owner := create1(t, f.widgets, widget("owner"))
	policy := metav1.DeletePropagationForeground
	require.NoError(t, f.widgets.Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: &policy}))
	object, err := f.widgets.Get(t.Context(), "owner", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, owner.GetUID(), object.GetUID())
	assert.Equal(t, []string{metav1.FinalizerDeleteDependents}, object.GetFinalizers())
}
