package foreign

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
)

// applied are the objects of each version that are sent to the server.
const applied = 5

// TestApply applies random objects with the generated clients to an API server with the original definitions. What the server stores is
// what was applied, with the defaults of the definition.
func TestApply(t *testing.T) {
	tr := newTree(t, "recognized", requirements)
	tr.generate(t)
	tr.writeDriver(t, true)
	total, kinds, without := findings{}, 0, 0
	for round := range rounds(t) {
		server := apiservertest.Start(t, apiservertest.Options{CRDs: definitionsOf(t, round), AnyNamespace: true})
		a := applier{startDriver(t, tr.dir, server.Kubeconfig()), dynamic.NewForConfigOrDie(server.Config())}
		for _, p := range corpus(t) {
			t.Run(p.Name, func(t *testing.T) {
				for _, v := range p.inRound(round) {
					found := findings{}
					a.test(t, p, v, &found)
					if kinds++; found.objects == 0 {
						without++
						t.Logf("the server accepts no object of %s", v.GroupVersionKind)
					}
					total.add(found)
				}
			})
		}
	}
	logCounts(t, total.reasons)
	t.Logf("%d of %d objects unchanged; %d of %d versions without a valid object", total.same, total.objects, without, kinds)
	assert.Less(t, without*20, kinds, "hardly any version may be without an object")
}

// rounds returns the number of rounds: each serves one version of each definition, because the projects' webhooks do not convert here.
func rounds(t *testing.T) int {
	t.Helper()
	most := 0
	for _, p := range corpus(t) {
		for _, crd := range p.crds {
			most = max(most, len(served(crd)))
		}
	}
	return most
}

func served(crd *apiextensionsv1.CustomResourceDefinition) []apiextensionsv1.CustomResourceDefinitionVersion {
	return slices.DeleteFunc(slices.Clone(crd.Spec.Versions), func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return !v.Served })
}

// definitionsOf returns the original definitions, each with the version of a round alone.
func definitionsOf(t *testing.T, round int) (crds []*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	for _, p := range corpus(t) {
		for _, crd := range p.crds {
			versions := served(crd)
			if round >= len(versions) {
				continue
			}
			single := crd.DeepCopy()
			single.Spec.Versions = versions[round : round+1]
			single.Spec.Versions[0].Storage = true
			single.Spec.Conversion = nil
			single.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
			crds = append(crds, single)
		}
	}
	return crds
}

// inRound returns the versions of a round.
func (p imported) inRound(round int) (versions []objects.Version) {
	for _, crd := range p.crds {
		if all := served(crd); round < len(all) {
			versions = append(versions, p.versions[slices.IndexFunc(p.versions, func(v objects.Version) bool {
				return v.Resource == crd.Spec.Names.Plural && v.Group == crd.Spec.Group && v.Version == all[round].Name
			})])
		}
	}
	return versions
}

// applier applies objects with the driver, and reads them with the dynamic client.
type applier struct {
	driver  *driver
	dynamic dynamic.Interface
}

// test applies random objects of a version. Objects that the server rejects as invalid do not count.
func (a applier) test(t *testing.T, p imported, v objects.Version, found *findings) {
	t.Helper()
	made := randomObjects(v)
	for i := range made {
		if os.Getenv(allVariable) == "" && i == applied {
			break
		}
		object := made[i]
		want, errs := v.Stored(without(object, "status", v.HasStatus))
		if len(errs) > 0 {
			continue // valid only with the status
		}
		ans := a.driver.do(t, p.Name, v, request{Apply: true, Object: without(object, "status", v.HasStatus)})
		if ans.Invalid {
			continue
		}
		if !assert.Empty(t, ans.Error, "%s %v", v.GroupVersionKind, object) {
			return
		}
		if v.HasStatus && object["status"] != nil {
			status := a.applyStatus(t, p, v, object)
			if !status.Invalid && assert.Empty(t, status.Error, "%s %v", v.GroupVersionKind, object) {
				ans = status
				want = v.WithStatus(want, object["status"])
			}
		}
		have := a.read(t, v, want)
		typed, err := objects.Decode(ans.Object)
		require.NoError(t, err)
		delete(typed["metadata"].(map[string]any), "managedFields")
		typed["apiVersion"], typed["kind"] = want["apiVersion"], want["kind"] // typed clients leave them out
		found.compare(t, v, want, strip(have), appliedReasons)
		found.compare(t, v, have, typed, recognizedReasons)
		a.remove(t, v, want)
	}
}

// applyStatus applies the status of an object.
func (a applier) applyStatus(t *testing.T, p imported, v objects.Version, object map[string]any) answer {
	t.Helper()
	status := map[string]any{"status": object["status"]}
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		status[name] = object[name]
	}
	return a.driver.do(t, p.Name, v, request{Apply: true, Status: true, Object: status})
}

func (a applier) resource(v objects.Version, object map[string]any) (dynamic.ResourceInterface, string) {
	u := &unstructured.Unstructured{Object: object}
	client := a.dynamic.Resource(schema.GroupVersionResource{Group: v.Group, Version: v.Version, Resource: v.Resource})
	if v.Namespaced {
		return client.Namespace(u.GetNamespace()), u.GetName()
	}
	return client, u.GetName()
}

// read returns the object as the server has it, without managed fields.
func (a applier) read(t *testing.T, v objects.Version, object map[string]any) map[string]any {
	t.Helper()
	client, name := a.resource(v, object)
	got, err := client.Get(t.Context(), name, metav1.GetOptions{})
	require.NoError(t, err)
	got.SetManagedFields(nil)
	return got.Object
}

func (a applier) remove(t *testing.T, v objects.Version, object map[string]any) {
	t.Helper()
	client, name := a.resource(v, object)
	require.NoError(t, client.Delete(t.Context(), name, metav1.DeleteOptions{}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := client.Get(ctx, name, metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
}

// strip returns an object without the metadata that servers set.
func strip(object map[string]any) map[string]any {
	stripped := maps.Clone(object)
	metadata := maps.Clone(object["metadata"].(map[string]any))
	for _, name := range []string{"uid", "resourceVersion", "generation", "creationTimestamp"} {
		delete(metadata, name)
	}
	stripped["metadata"] = metadata
	return stripped
}

// without returns an object without a field, if drop is true.
func without(object map[string]any, name string, drop bool) map[string]any {
	rest := maps.Clone(object)
	if drop {
		delete(rest, name)
	}
	return rest
}
