package crd

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// TestText compares the text of random definitions with what controller-gen writes.
func TestText(t *testing.T) {
	random := schemas{rand.New(rand.NewPCG(1, 2))}
	for range 100 {
		definition := apiextensionsv1.CustomResourceDefinition{
			TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
			ObjectMeta: metav1.ObjectMeta{Name: "robots.fleet.example.com", Annotations: map[string]string{random.text(): random.text()}},
			Spec:       apiextensionsv1.CustomResourceDefinitionSpec{Group: "fleet.example.com", Scope: "Namespaced"},
		}
		for i := range 1 + random.IntN(3) {
			definition.Spec.Versions = append(definition.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
				Name: "v" + strconv.Itoa(i), Served: random.IntN(2) == 0, Storage: i == 0,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: random.schema(4)},
				AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{
					{Name: random.text(), Type: "string", JSONPath: ".a", Priority: int32(random.IntN(2))},
				},
			})
			if random.IntN(2) == 0 {
				status := &apiextensionsv1.CustomResourceSubresourceStatus{}
				definition.Spec.Versions[i].Subresources = &apiextensionsv1.CustomResourceSubresources{Status: status}
			}
		}
		converted, err := crd.AsVersion(*definition.DeepCopy(), apiextensionsv1.SchemeGroupVersion)
		require.NoError(t, err)
		written := &file{}
		withoutStatus := func(object map[string]any) error {
			delete(object, "status")
			return genall.TransformRemoveCreationTimestamp(object)
		}
		require.NoError(t, genall.GenerationContext{OutputRule: written}.WriteYAML("x", "", []any{converted}, genall.WithTransform(withoutStatus)))
		text, _, err := Options{}.text(definition)
		require.NoError(t, err)
		require.Equal(t, written.String(), "---\n"+text)
	}
}

// file is the file that the library writes. It implements genall.OutputRule.
type file struct{ bytes.Buffer }

// Open implements genall.OutputRule.
func (f *file) Open(*loader.Package, string) (io.WriteCloser, error) { return f, nil }

// Close implements io.Closer.
func (f *file) Close() error { return nil }

// TestTextRefuses has a default that is no JSON.
func TestTextRefuses(t *testing.T) {
	_, _, err := Options{}.text(apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Schema: &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Default: &apiextensionsv1.JSON{Raw: []byte("{")}},
		}}},
	}})
	assert.Error(t, err)
}

// schemas makes random schemas with all forms of values.
type schemas struct{ *rand.Rand }

func (r schemas) text() string {
	all := []string{
		"a", "yes", "no", "1", "1.0", "0x1f", "null", "~", "true", "- a", "a: b", "# a", "two\nlines", "two\n\nlines\n", " space ", "<&>", "é",
		"\u2028", "'\"\\", "a10", "a9", "2020-01-01", "",
	}
	return all[r.IntN(len(all))]
}

func (r schemas) json() *apiextensionsv1.JSON {
	all := []string{
		`null`, `1`, `1.0`, `-0.5`, `1e3`, `1e21`, `123456789012345678`, `12345678901234567890`, `0.1`, `"x"`, `"1"`, `true`, `[]`, `{}`,
		`[1, 2.50, "a", null]`, `{"b": {"z": 1, "a": [null]}, "a": "<"}`,
	}
	return &apiextensionsv1.JSON{Raw: json.RawMessage(all[r.IntN(len(all))])}
}

func (r schemas) number() *float64 {
	all := []float64{0, 1, -1, 0.5, 12345678901234, 1e20, 1e21, 1e-7, 3.0}
	return new(all[r.IntN(len(all))])
}

func (r schemas) schema(depth int) *apiextensionsv1.JSONSchemaProps {
	s := &apiextensionsv1.JSONSchemaProps{Type: "object", Description: r.text()}
	for range 3 {
		r.set(s)
	}
	if depth == 0 {
		return s
	}
	below := r.schema(depth - 1)
	switch r.IntN(6) {
	case 0:
		s.Properties = map[string]apiextensionsv1.JSONSchemaProps{r.text(): *below, r.text(): *r.schema(depth - 1)}
	case 1:
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: below}
	case 2:
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{JSONSchemas: []apiextensionsv1.JSONSchemaProps{*below, *r.schema(0)}}
	case 3:
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Schema: below, Allows: true}
	case 4:
		s.AllOf, s.Not = []apiextensionsv1.JSONSchemaProps{*below}, r.schema(0)
	case 5:
		s.Dependencies = apiextensionsv1.JSONSchemaDependencies{"a": {Schema: below}, "b": {Property: []string{r.text()}}}
	}
	return s
}

// set sets one field.
func (r schemas) set(s *apiextensionsv1.JSONSchemaProps) {
	switch r.IntN(10) {
	case 0:
		s.Default = r.json()
	case 1:
		s.Enum = []apiextensionsv1.JSON{*r.json(), *r.json()}
	case 2:
		s.Maximum, s.Minimum = r.number(), r.number()
	case 3:
		s.MaxLength, s.Nullable = new(int64(r.IntN(3))), true
	case 4:
		s.Required = []string{r.text(), r.text()}
	case 5:
		s.XValidations = apiextensionsv1.ValidationRules{{Rule: r.text(), Message: r.text(), OptionalOldSelf: new(r.IntN(2) == 0)}}
	case 6:
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: r.IntN(2) == 0}
	case 7:
		s.XPreserveUnknownFields, s.XIntOrString = new(true), true
	case 8:
		s.XListType, s.XListMapKeys = new("map"), []string{r.text()}
	case 9:
		s.Example, s.ExternalDocs = r.json(), &apiextensionsv1.ExternalDocumentation{URL: r.text()}
	}
}
