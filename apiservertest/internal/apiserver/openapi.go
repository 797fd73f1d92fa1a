package apiserver

import (
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	extensions "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	utilopenapi "k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// applyOpenAPI publishes the schemas of all types to clients and to server-side apply, which needs to know how lists
// merge. There is no OpenAPI v2, because it would take a third of the start time.
func applyOpenAPI(generic *genericapiserver.Config) {
	definitions := utilopenapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(definitions)
	namer := openapi.NewDefinitionNamer(apiextensions.Scheme, versioned)
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
}

// definitions adds the built-in kinds to the types that come with the server of custom resources.
func definitions(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
	d := describer{ref: ref, known: extensions.GetOpenAPIDefinitions(ref)}
	for _, b := range builtins {
		d.describe(reflect.TypeOf(b.object).Elem())
		d.describe(reflect.TypeOf(b.list()).Elem())
	}
	return d.known
}

// describer derives OpenAPI definitions from Go types, instead of the tens of thousands of lines that openapi-gen would
// write for these kinds and their fields. It reads struct tags, not markers: the only list option that it knows is the
// merge key, and lists without one are replaced as a whole. No field is required or has a default.
type describer struct {
	ref   common.ReferenceCallback
	known map[string]common.OpenAPIDefinition
}

// documented is implemented by types of k8s.io/api with field documentation.
type documented interface{ SwaggerDoc() map[string]string }

type named interface{ OpenAPIModelName() string }

// scalar is a struct with a scalar JSON form.
type scalar interface {
	OpenAPISchemaType() []string
	OpenAPISchemaFormat() string
}

// either is a scalar that can be one of several types.
type either interface{ OpenAPIV3OneOfTypes() []string }

func scalarSchema(zero scalar) spec.Schema {
	var s spec.Schema
	s.Format = zero.OpenAPISchemaFormat()
	e, ok := zero.(either)
	if !ok {
		s.Type = zero.OpenAPISchemaType()
		return s
	}
	for _, t := range e.OpenAPIV3OneOfTypes() {
		s.OneOf = append(s.OneOf, spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{t}}})
	}
	return s
}

// describe adds a struct and all structs in it to the known definitions, and returns its name.
func (d describer) describe(t reflect.Type) string {
	zero := reflect.Zero(t).Interface()
	name := zero.(named).OpenAPIModelName()
	if _, ok := d.known[name]; ok {
		return name
	}
	d.known[name] = common.OpenAPIDefinition{} // ends the recursion of a type that contains itself
	if z, ok := zero.(scalar); ok {
		d.known[name] = common.OpenAPIDefinition{Schema: scalarSchema(z)}
		return name
	}
	var doc map[string]string
	if z, ok := zero.(documented); ok {
		doc = z.SwaggerDoc()
	}
	object := &spec.Schema{}
	object.Type, object.Description, object.Properties = spec.StringOrArray{"object"}, doc[""], map[string]spec.Schema{}
	var uses []string
	d.fields(t, doc, object, &uses)
	d.known[name] = common.OpenAPIDefinition{Schema: *object, Dependencies: uses}
	return name
}

// fields adds the fields of t to object, and the names of the definitions that they refer to, to uses.
func (d describer) fields(t reflect.Type, doc map[string]string, object *spec.Schema, uses *[]string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" { // embedded
			d.fields(field.Type, doc, object, uses)
			continue
		}
		property := d.schema(field.Type, uses)
		property.Description = doc[name]
		if field.Type.Kind() == reflect.Slice && property.Items != nil {
			property.Extensions = mergeRules(field)
		}
		object.Properties[name] = property
	}
}

// mergeRules returns the extensions that define how server-side apply and strategic merge patches merge a list.
func mergeRules(list reflect.StructField) spec.Extensions {
	key, strategy := list.Tag.Get("patchMergeKey"), list.Tag.Get("patchStrategy")
	switch {
	case key != "":
		return spec.Extensions{
			"x-kubernetes-list-type":       "map",
			"x-kubernetes-list-map-keys":   []any{key},
			"x-kubernetes-patch-merge-key": key,
			"x-kubernetes-patch-strategy":  strategy,
		}
	case strings.Contains(strategy, "merge"):
		return spec.Extensions{"x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": strategy}
	}
	return spec.Extensions{"x-kubernetes-list-type": "atomic"}
}

// schema describes the type of a field.
func (d describer) schema(t reflect.Type, uses *[]string) spec.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return d.schema(t.Elem(), uses)
	case reflect.Struct:
		name := d.describe(t)
		*uses = append(*uses, name)
		return spec.Schema{SchemaProps: spec.SchemaProps{Ref: d.ref(name)}}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return *spec.StrFmtProperty("byte")
		}
		items := d.schema(t.Elem(), uses)
		return *spec.ArrayProperty(&items)
	case reflect.Map:
		values := d.schema(t.Elem(), uses)
		return *spec.MapProperty(&values)
	case reflect.Bool:
		return *spec.BoolProperty()
	case reflect.Int32:
		return *spec.Int32Property()
	case reflect.Int, reflect.Int64:
		return *spec.Int64Property()
	case reflect.Float64:
		return *spec.Float64Property()
	}
	return *spec.StringProperty()
}
