package e2e

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// manifests are objects in the order of their documents.
type manifests []*unstructured.Unstructured

// readManifests reads the documents of files.
func readManifests(t *testing.T, names ...string) manifests {
	t.Helper()
	var all manifests
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
		for {
			object := &unstructured.Unstructured{}
			err := documents.Decode(object)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, name)
			if len(object.Object) > 0 { // a separator at the top is an empty document
				all = append(all, object)
			}
		}
	}
	return all
}

// readKustomization reads the resources of a kustomization.
func readKustomization(t *testing.T, dir string) manifests {
	t.Helper()
	var kustomization struct{ Resources []string }
	text, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &kustomization))
	var names []string
	for _, name := range kustomization.Resources {
		names = append(names, filepath.Join(dir, name))
	}
	return readManifests(t, names...)
}

// only returns all objects of a type.
func only[T any](t *testing.T, all manifests, kind string) []*T {
	t.Helper()
	var found []*T
	for _, one := range all {
		if one.GetKind() == kind {
			typed := new(T)
			require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(one.Object, typed, true))
			found = append(found, typed)
		}
	}
	return found
}

// apply applies everything unchanged, namespaces first, as kustomize sorts it.
func (m manifests) apply(t *testing.T, config *rest.Config) {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := dynamic.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	resources, err := discovery.NewDiscoveryClientForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(resources))
	for _, first := range []bool{true, false} {
		for _, object := range m {
			if (object.GetKind() == "Namespace") != first {
				continue
			}
			kind := object.GroupVersionKind()
			mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
			require.NoError(t, err)
			_, err = client.Resource(mapping.Resource).Namespace(object.GetNamespace()).
				Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: "e2e"})
			require.NoError(t, err, "%s %s", kind.Kind, object.GetName())
		}
	}
}
