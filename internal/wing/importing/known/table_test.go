package known

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// levels is how deep the schemas of types are: JobTemplateSpec has containers on the fifth level.
const levels = 5

// samples are schemas of the forms, except for those with properties.
var samples = map[Form]string{
	Bare:        "{type: object}",
	Quantities:  "{type: object, additionalProperties: {x-kubernetes-int-or-string: true, pattern: '" + QuantityPattern + "'}}",
	String:      "{type: string}",
	DateTime:    "{type: string, format: date-time}",
	Bytes:       "{type: string, format: byte}",
	Boolean:     "{type: boolean}",
	Number:      "{type: number}",
	Integer:     "{type: integer, format: int32}",
	Long:        "{type: integer, format: int64}",
	IntOrString: "{x-kubernetes-int-or-string: true}",
	Quantity:    "{x-kubernetes-int-or-string: true, pattern: '" + QuantityPattern + "'}",
	Anything:    "{type: object, x-kubernetes-preserve-unknown-fields: true}",
}

// schemaOf returns the schema that controller-gen writes for a type, without the fields of structs below some levels. Strings, numbers and
// booleans that are always in JSON are required, because the type would not fit otherwise.
func schemaOf(t *testing.T, u *gotype.Universe, typ types.Type, levels int) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	typ = gotype.Pointee(typ)
	if decl := u.Decl(typ); decl != nil && u.Encoding(typ) != gotype.Structured {
		forms := encoded[decl.Package.Path+"."+decl.Name()]
		require.NotEmpty(t, forms, decl.Name())
		return schema(t, samples[forms[0]])
	}
	switch typ := u.Underlying(typ).(type) {
	case *types.Basic:
		forms := formsOf(typ)
		require.NotEmpty(t, forms, typ)
		return schema(t, samples[forms[0]])
	case *types.Slice:
		items := &apiextensionsv1.JSONSchemaPropsOrArray{Schema: schemaOf(t, u, typ.Elem(), levels)}
		return &apiextensionsv1.JSONSchemaProps{Type: "array", Items: items}
	case *types.Map:
		values := &apiextensionsv1.JSONSchemaPropsOrBool{Schema: schemaOf(t, u, typ.Elem(), levels)}
		return &apiextensionsv1.JSONSchemaProps{Type: "object", AdditionalProperties: values}
	case *types.Struct:
		object := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
		fields, _ := u.JSONFields(typ)
		for _, field := range fields {
			if levels == 0 {
				continue
			}
			object.Properties[field.Name] = *schemaOf(t, u, field.Var().Type(), levels-1)
			_, isBasic := u.Underlying(field.Var().Type()).(*types.Basic)
			isOptional := strings.Contains(u.Field(field.Var()).Doc.Text(), "\n+optional\n")
			if !field.Tag.Has("omitempty") && (isBasic || !isOptional) {
				object.Required = append(object.Required, field.Name)
			}
		}
		return object
	}
	require.Fail(t, "unexpected type", "%v", typ)
	return nil
}

// only returns a schema without the properties that are not on the paths.
func only(s *apiextensionsv1.JSONSchemaProps, paths []string) *apiextensionsv1.JSONSchemaProps {
	s = s.DeepCopy()
	if s.Items != nil {
		s.Items.Schema = only(s.Items.Schema, paths)
	}
	for name, property := range s.Properties {
		var below []string
		for _, path := range paths {
			if rest, ok := strings.CutPrefix(path, name+"."); ok {
				below = append(below, rest)
			}
		}
		if len(below) > 0 {
			s.Properties[name] = *only(&property, below)
		} else if !slices.Contains(paths, name) {
			delete(s.Properties, name)
		}
	}
	return s
}

func TestTable(t *testing.T) {
	t.Parallel()
	known := repository(t)
	require.Greater(t, len(Table()), 100)
	for _, row := range Table() {
		t.Run(row.Name, func(t *testing.T) {
			decl := known.universe.Lookup(row.Package, row.Name)
			require.NotNil(t, decl)
			want := model.Type{Package: row.Package, Name: row.Name}
			names := []string{"Robot", "spec"}
			names = append(names, row.About[:min(1, len(row.About))]...)
			if len(row.Named) > 0 {
				names = append(names, "my"+row.Named[0])
			}
			if row.Form != Object {
				found, ok := known.Recognize(names, schema(t, samples[row.Form]))
				require.True(t, ok)
				assert.Equal(t, want, found.Type)
				assert.Equal(t, row.Form == Bare, slices.Equal(found.Lacking, []string{All}))
				return
			}
			whole := schemaOf(t, known.universe, known.universe.Type(decl), levels)
			found, ok := known.Recognize(names, whole)
			require.True(t, ok)
			assert.Equal(t, want, found.Type)
			below := func(path string) bool { return strings.HasSuffix(path, "."+All) && strings.Count(path, ".") >= levels }
			assert.Empty(t, slices.DeleteFunc(found.Lacking, below))

			assert.True(t, slices.IsSorted(row.Signature))
			found, ok = known.Recognize(names, only(whole, row.Signature))
			require.True(t, ok)
			assert.Equal(t, want, found.Type, "the signature is that of another type")

			whole.Properties["another"] = *schema(t, "{type: string}")
			_, ok = known.Recognize(names, whole)
			assert.False(t, ok, "the type lacks a property")
			for _, path := range row.Signature {
				name, _, _ := strings.Cut(path, ".")
				whole = only(schemaOf(t, known.universe, known.universe.Type(decl), levels), row.Signature)
				delete(whole.Properties, name)
				found, _ = known.Recognize(names, whole)
				assert.NotEqual(t, want, found.Type, "without %s", name)
			}
		})
	}
}
