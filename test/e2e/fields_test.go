package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestEveryField stores objects of the examples with a value in every field.
func TestEveryField(t *testing.T) {
	t.Parallel()
	definitions, err := apiservertest.ReadCRDs(crdDir)
	require.NoError(t, err)
	var names []string
	for _, crd := range definitions {
		names = append(names, crd.Spec.Names.Plural)
	}
	storesEveryField(t, copyExamples(t), names)
}

// storesEveryField checks that an API server with the definitions in a copy of the examples returns all that the types can hold, for the
// resources with the given names.
func storesEveryField(t *testing.T, dir string, resources []string) {
	t.Helper()
	all, err := apiservertest.ReadCRDs(filepath.Join(dir, "config/crd"))
	require.NoError(t, err)
	definitions := slices.DeleteFunc(all, func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return !slices.Contains(resources, crd.Spec.Names.Plural)
	})
	if len(definitions) == 0 {
		return
	}
	program, err := os.ReadFile("testdata/mutations/fill/main.go")
	require.NoError(t, err)
	write(t, filepath.Join(dir, "fill/main.go"), string(program))
	objects := decode(t, command(t, dir, "go", "run", "./fill"))
	for version := 0; ; version++ { // each as the only one, since nothing converts between them
		served := map[schema.GroupVersionKind]*apiextensionsv1.CustomResourceDefinition{}
		for _, crd := range definitions {
			if version < len(crd.Spec.Versions) {
				crd := crd.DeepCopy()
				crd.Spec.Versions = crd.Spec.Versions[version : version+1]
				only := &crd.Spec.Versions[0]
				only.Served, only.Storage = true, true
				served[schema.GroupVersionKind{Group: crd.Spec.Group, Version: only.Name, Kind: crd.Spec.Names.Kind}] = crd
			}
		}
		if len(served) == 0 {
			return
		}
		server := apiservertest.Start(t, apiservertest.Options{CRDs: slices.Collect(maps.Values(served)), AnyNamespace: true})
		client, err := dynamic.NewForConfig(server.Config())
		require.NoError(t, err)
		for kind, crd := range served {
			require.Contains(t, objects, kind)
			stores(t, client, crd, objects[kind])
		}
	}
}

// decode returns the objects in the output of the program, by their kind.
func decode(t *testing.T, text string) map[schema.GroupVersionKind]*unstructured.Unstructured {
	t.Helper()
	objects := map[schema.GroupVersionKind]*unstructured.Unstructured{}
	for line := range strings.Lines(text) {
		object := &unstructured.Unstructured{}
		require.NoError(t, object.UnmarshalJSON([]byte(line)), line)
		objects[object.GroupVersionKind()] = object
	}
	return objects
}

// stores creates an object, updates its status, and compares what the server returns.
func stores(t *testing.T, all dynamic.Interface, crd *apiextensionsv1.CustomResourceDefinition, object *unstructured.Unstructured) {
	t.Helper()
	version := crd.Spec.Versions[0]
	fit(object.Object, version.Schema.OpenAPIV3Schema)
	resources := all.Resource(object.GroupVersionKind().GroupVersion().WithResource(crd.Spec.Names.Plural))
	client := dynamic.ResourceInterface(resources)
	if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
		client = resources.Namespace(namespace)
	}
	created, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	if version.Subresources != nil && version.Subresources.Status != nil {
		created.Object["status"] = object.Object["status"]
		_, err := client.UpdateStatus(t.Context(), created, metav1.UpdateOptions{})
		require.NoError(t, err)
	}
	got, err := client.Get(t.Context(), object.GetName(), metav1.GetOptions{})
	require.NoError(t, err)
	delete(object.Object, "metadata")
	delete(got.Object, "metadata")
	assert.Equal(t, object.Object, got.Object)
}

// examples are strings that match the patterns of the examples.
var examples = map[string]string{`^[A-Z]{2}$`: "DE", `^[A-Z]{3}$`: "DEU"}

// fit replaces values that a schema does not allow.
func fit(value any, schema *apiextensionsv1.JSONSchemaProps) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if property, ok := schema.Properties[name]; ok {
				value[name] = fit(field, &property)
			} else if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
				value[name] = fit(field, schema.AdditionalProperties.Schema)
			}
		}
	case []any:
		for i := range value {
			if schema.Items != nil {
				value[i] = fit(value[i], schema.Items.Schema)
			}
		}
	case string:
		switch {
		case len(schema.Enum) > 0:
			var first string
			_ = json.Unmarshal(schema.Enum[0].Raw, &first)
			return first
		case schema.Format == "uri":
			return "https://example.com"
		case schema.Pattern != "" && !regexp.MustCompile(schema.Pattern).MatchString(value):
			return examples[schema.Pattern]
		}
	case int64:
		if schema.Minimum != nil {
			return max(value, int64(*schema.Minimum))
		}
	}
	return value
}
