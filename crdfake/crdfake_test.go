package crdfake_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clienttesting "k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
)

// definition is the argument of SetSchema.
type definition = interface {
	Prune(object map[string]any) (unknown []string)
	Default(object map[string]any)
	Validate(object, old map[string]any, subresource string) field.ErrorList
	Version() (served, storage bool)
	Subresources() (status, scale bool)
	ScalePaths() (specReplicas, statusReplicas, selector string)
	Names() (singular string, shortNames, categories []string)
	SelectableFields() []string
}

// clientset records the arguments of SetSchema. Tests with a generated clientset are in test/contract/crdfake, as this module must
// not depend on the module of the examples.
type clientset struct {
	clienttesting.ObjectTracker

	kinds []schema.GroupVersionKind
	told  map[string]definition
}

func (c *clientset) Tracker() clienttesting.ObjectTracker { return c }
func (c *clientset) Kinds() []schema.GroupVersionKind     { return c.kinds }
func (c *clientset) SetSchema(kind schema.GroupVersionKind, to definition) error {
	c.told[kind.Version] = to
	return nil
}

// widgets returns a clientset for versions of the kind in testdata.
func widgets(versions ...string) *clientset {
	c := &clientset{told: map[string]definition{}}
	for _, version := range versions {
		c.kinds = append(c.kinds, schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Widget"})
	}
	return c
}

func load(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crds, err := crdfake.Load("testdata")
	require.NoError(t, err)
	require.Len(t, crds, 1, "the namespace of the same file is passed over")
	return crds[0]
}

func TestUse(t *testing.T) {
	c := widgets("v1", "v2")
	require.NoError(t, crdfake.Use(c, load(t)))
	v1 := c.told["v1"]

	served, storage := v1.Version()
	assert.Equal(t, []bool{true, true}, []bool{served, storage})
	status, scale := v1.Subresources()
	assert.Equal(t, []bool{true, true}, []bool{status, scale})
	replicas, statusReplicas, selector := v1.ScalePaths()
	assert.Equal(t, []string{".spec.replicas", ".status.replicas", ""}, []string{replicas, statusReplicas, selector})
	singular, shortNames, categories := v1.Names()
	assert.Equal(t, "widget", singular, "the default")
	assert.Equal(t, []string{"wi"}, shortNames)
	assert.Equal(t, []string{"all"}, categories)
	assert.Equal(t, []string{"spec.color"}, v1.SelectableFields())

	served, storage = c.told["v2"].Version()
	assert.Equal(t, []bool{false, false}, []bool{served, storage}, "the definition does not have v2")
	assert.Empty(t, c.told["v2"].Validate(widget(map[string]any{"color": "green"}), nil, ""))
}

func TestSchema(t *testing.T) {
	c := widgets("v1")
	require.NoError(t, crdfake.Use(c, load(t)))
	v1 := c.told["v1"]

	pruned := widget(map[string]any{"color": "red", "size": "big"})
	assert.Equal(t, []string{"spec.size"}, v1.Prune(pruned))
	assert.Equal(t, widget(map[string]any{"color": "red"}), pruned)
	v1.Default(pruned)
	assert.Equal(t, widget(map[string]any{"color": "red", "replicas": int64(1)}), pruned)

	assert.Empty(t, v1.Validate(pruned, nil, ""))
	assert.ErrorContains(t, v1.Validate(widget(map[string]any{"color": "green"}), nil, "").ToAggregate(),
		`spec.color: Unsupported value: "green": supported values: "red", "blue"`)
	assert.ErrorContains(t, v1.Validate(widget(map[string]any{"color": "blue"}), pruned, "").ToAggregate(),
		`spec.color: Invalid value: "blue": a widget keeps its color`)
	broken := widget(map[string]any{"color": "red"})
	broken["status"] = map[string]any{"replicas": int64(-1)}
	assert.ErrorContains(t, v1.Validate(broken, pruned, "status").ToAggregate(), "status.replicas: Invalid value: -1: replicas in body should be greater than or equal to 0")
}

// widget returns a stored object.
func widget(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Widget",
		"metadata":   map[string]any{"name": "w", "namespace": "shop", "resourceVersion": "1"},
		"spec":       spec,
	}
}

// plain is a clientset whose tracker is not strict.
type plain struct{ clienttesting.ObjectTracker }

func (p plain) Tracker() clienttesting.ObjectTracker { return p.ObjectTracker }

func TestUseErrors(t *testing.T) {
	assert.EqualError(t, crdfake.Use(plain{}, load(t)), "the clientset is not strict: create it with fake.NewStrictClientset")
	other := load(t)
	other.Name, other.Spec.Names.Kind = "others.example.com", "Other"
	assert.EqualError(t, crdfake.Use(widgets("v1"), other), "CustomResourceDefinition others.example.com: the clientset has no client for Other.example.com")
	broken := load(t)
	broken.Spec.Versions[0].Schema = nil
	assert.EqualError(t, crdfake.Use(widgets("v1"), broken), "CustomResourceDefinition widgets.example.com: version v1: no schema")
}

func TestLoadErrors(t *testing.T) {
	empty := t.TempDir()
	_, err := crdfake.Load(empty)
	assert.ErrorContains(t, err, "no CustomResourceDefinition in")
	_, err = crdfake.Load(filepath.Join(empty, "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
	broken := filepath.Join(empty, "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte("kind: ["), 0o600))
	_, err = crdfake.Load(empty)
	assert.ErrorContains(t, err, broken+": ")
}
