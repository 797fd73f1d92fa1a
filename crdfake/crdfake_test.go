package crdfake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"

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

// TestTypeConverter checks that managed fields follow the definition.
func TestTypeConverter(t *testing.T) {
	c := widgets("v1", "v2")
	require.NoError(t, crdfake.Use(c, load(t)))
	typed := func(version string) managedfields.TypeConverter {
		return c.told[version].(interface {
			TypeConverter() managedfields.TypeConverter
		}).TypeConverter()
	}
	assert.Nil(t, typed("v2"), "the definition does not have v2")
	_, err := typed("v1").ObjectToTyped(&unstructured.Unstructured{Object: widget(map[string]any{"color": "red"})})
	require.NoError(t, err)
	_, err = typed("v1").ObjectToTyped(&unstructured.Unstructured{Object: widget(map[string]any{"size": "big"})})
	assert.ErrorContains(t, err, ".spec.size: field not declared in schema")
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
	other.Spec.Names.Kind = "Other"
	assert.EqualError(t, crdfake.Use(widgets("v1"), other), "CustomResourceDefinition widgets.example.com: the clientset has no client for Other.example.com")
}

// TestRefused covers definitions that a server refuses. They change nothing. Probes in test/contract compare more of them.
func TestRefused(t *testing.T) {
	spec := func(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.JSONSchemaProps {
		of := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
		return &of
	}
	for want, change := range map[string]func(crd *apiextensionsv1.CustomResourceDefinition){
		"spec.versions[0].schema.openAPIV3Schema: Required value": func(crd *apiextensionsv1.CustomResourceDefinition) {
			crd.Spec.Versions[0].Schema = nil
		},
		`default: Invalid value: "string"`: func(crd *apiextensionsv1.CustomResourceDefinition) {
			spec(crd).Properties["replicas"] = apiextensionsv1.JSONSchemaProps{Type: "integer", Default: &apiextensionsv1.JSON{Raw: []byte(`"x"`)}}
		},
		"compilation failed": func(crd *apiextensionsv1.CustomResourceDefinition) {
			spec(crd).Properties["color"].XValidations[0].Rule = "self >"
		},
		"cannot set to true": func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.PreserveUnknownFields = true },
	} {
		c, crd := widgets("v1"), load(t)
		change(crd)
		err := crdfake.Use(c, crd)
		assert.ErrorContains(t, err, `CustomResourceDefinition.apiextensions.k8s.io "widgets.example.com" is invalid: `)
		assert.ErrorContains(t, err, want)
		assert.True(t, apierrors.IsInvalid(err))
		assert.Empty(t, c.told)
	}
}

// TestGoDefinition checks that a definition that does not come from Load gets its defaults, and does not change.
func TestGoDefinition(t *testing.T) {
	c, crd := widgets("v1"), load(t)
	crd.Spec.Names.Singular, crd.Spec.Names.ListKind, crd.Spec.Conversion = "", "", nil
	before := crd.DeepCopy()
	require.NoError(t, crdfake.Use(c, crd))
	singular, _, _ := c.told["v1"].Names()
	assert.Equal(t, "widget", singular)
	assert.Equal(t, before, crd)
}

// TestColumns accepts wrong printer columns with a line in the log.
func TestColumns(t *testing.T) {
	log := &strings.Builder{}
	defer klog.CaptureState().Restore()
	klog.SetLogger(funcr.New(func(_, line string) { log.WriteString(line) }, funcr.Options{}))
	c, crd := widgets("v1"), load(t)
	require.NoError(t, crdfake.Use(c, crd))
	assert.Empty(t, log.String())
	crd.Spec.Versions[0].AdditionalPrinterColumns = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Color", Type: "text", JSONPath: "spec["}}
	crd.Annotations = map[string]string{"run": t.TempDir()} // what a process has accepted once, it does not look at again
	require.NoError(t, crdfake.Use(c, crd))
	assert.Contains(t, log.String(), `"definition"="widgets.example.com"`)
	assert.Contains(t, log.String(), "spec.additionalPrinterColumns[0].type")
	assert.Contains(t, log.String(), "spec.additionalPrinterColumns[0].JSONPath")
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
