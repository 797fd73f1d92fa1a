package apiservertest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestReadCRDs reads definitions from files and directories.
func TestReadCRDs(t *testing.T) {
	for name, test := range map[string]struct {
		paths []string
		want  []string
	}{
		"nothing":   {},
		"file":      {[]string{"testdata/crd/widgets.yaml"}, []string{"widgets.example.com"}},
		"documents": {[]string{"testdata/crd/fleets.yml"}, []string{"fleets.example.com"}},
		"directory": {[]string{"testdata/crd"}, []string{"fleets.example.com", "widgets.example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			crds, err := apiservertest.ReadCRDs(test.paths...)
			require.NoError(t, err)
			var names []string
			for _, crd := range crds {
				names = append(names, crd.Name)
			}
			assert.Equal(t, test.want, names)
		})
	}
}

// TestReadCRDsThatAreWrong checks that each error names the file.
func TestReadCRDsThatAreWrong(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	for name, test := range map[string]struct{ path, want string }{
		"missing":       {filepath.Join(dir, "missing"), "missing: no such file"},
		"empty":         {t.TempDir(), "no CustomResourceDefinition of apiextensions.k8s.io/v1"},
		"old version":   {write("old.yaml", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"), "old.yaml: no CustomResourceDefinition"},
		"not YAML":      {write("broken.yaml", "a: [\n"), "broken.yaml: "},
		"unknown field": {write("typo.yaml", head+"spec: {grupp: example.com}\n"), `unknown field "grupp"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := apiservertest.ReadCRDs(test.path)
			assert.ErrorContains(t, err, test.want)
			_, err = apiservertest.StartServer(t.Context(), apiservertest.Options{CRDPaths: []string{test.path}})
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// gadgets returns a handwritten definition.
func gadgets() *apiextensionsv1.CustomResourceDefinition {
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "gadgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "gadgets", Singular: "gadget", Kind: "Gadget", ListKind: "GadgetList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object"}},
			}},
		},
	}
}

// TestCRDs starts with definitions from each source and installs another one later.
func TestCRDs(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{
		CRDPaths: []string{"testdata/crd/widgets.yaml"},
		CRDs:     []*apiextensionsv1.CustomResourceDefinition{gadgets()},
	})
	client, namespace := connectDynamic(t, server.Config()), server.Namespace(t)
	create1(t, client.Resource(widgets.GroupVersion().WithResource("gadgets")).Namespace(namespace), item("example.com/v1", "Gadget", "a"))
	sized := widget("a")
	sized.Object["spec"] = map[string]any{}
	size, _, err := unstructured.NestedInt64(create1(t, client.Resource(widgets).Namespace(namespace), sized).Object, "spec", "size")
	require.NoError(t, err)
	assert.EqualValues(t, 1, size, "the default")
	sized.Object["spec"] = map[string]any{"size": int64(0)}
	_, err = client.Resource(widgets).Namespace(namespace).Create(t.Context(), sized, metav1.CreateOptions{})
	assert.ErrorContains(t, err, "should be greater than or equal to 1")

	crds, err := apiservertest.ReadCRDs("testdata/crd")
	require.NoError(t, err)
	require.NoError(t, apiservertest.InstallCRDs(t.Context(), server.Config(), crds...), "one of them is there already")
	create1(t, client.Resource(fleets), item("example.com/v1", "Fleet", "a"))
}
