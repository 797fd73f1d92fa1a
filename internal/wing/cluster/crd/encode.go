package crd

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v2"
	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-tools/pkg/crd"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// encode returns the files that controller-gen writes for definitions, with the same texts. Its generator would convert each definition to
// the internal version and back, and write and read it as JSON twice, which takes longer than all else.
func (o Options) encode(all []described) ([]Definition, error) {
	header := ""
	if name := o.generator.HeaderFile; name != "" {
		text, err := regular.ReadFile(name)
		if err != nil {
			return nil, err
		}
		header = strings.ReplaceAll(string(text), " YEAR", " "+o.generator.Year)
	}
	versions := o.generator.CRDVersions
	if len(versions) == 0 {
		versions = []string{apiextensionsv1.SchemeGroupVersion.Version}
	}
	for _, version := range versions { // an error about any but v1
		target := schema.GroupVersion{Group: apiextensionsv1.GroupName, Version: version}
		if _, err := crd.AsVersion(apiextensionsv1.CustomResourceDefinition{}, target); err != nil {
			return nil, err
		}
	}
	files := make([]Definition, len(all)*len(versions))
	group := errgroup.Group{}
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, definition := range all {
		group.Go(func() error {
			text, size, err := o.text(definition.CustomResourceDefinition)
			for j, version := range versions {
				name := definition.Spec.Group + "_" + definition.Spec.Names.Plural
				if j > 0 {
					name += "." + version
				}
				files[i*len(versions)+j] = Definition{name + ".yaml", []byte(header + "---\n" + text), size, definition.pos}
			}
			return err
		})
	}
	return files, group.Wait()
}

// text returns a definition as YAML, and its size as JSON if it may be large.
func (o Options) text(definition apiextensionsv1.CustomResourceDefinition) (text string, size int, err error) {
	p := plainer{fields: map[reflect.Type][]jsonField{}}
	object, _ := p.plain(reflect.ValueOf(definition)).(map[string]any)
	if p.err != nil {
		return "", 0, p.err
	}
	if preserve := o.generator.DeprecatedV1beta1CompatibilityPreserveUnknownFields; preserve != nil {
		object["spec"].(map[string]any)["preserveUnknownFields"] = *preserve
	}
	written, err := yaml.Marshal(object)
	if err == nil && len(written) > largeForKubectl { // schemas are longer as YAML, because they are indented
		var encoded []byte
		encoded, err = json.Marshal(object)
		size = len(encoded)
	}
	return string(written), size, err
}

// plainer turns values into what YAML reads from their JSON, without the text in between. It keeps the first error.
type plainer struct {
	fields map[reflect.Type][]jsonField
	err    error
}

// jsonField is a field of a struct. Without a name, it is inlined.
type jsonField struct {
	index     int
	name      string
	omitEmpty bool
}

// plain returns the plain form of a value: maps of strings, slices, strings, numbers and booleans.
func (p *plainer) plain(v reflect.Value) any {
	switch v.Type() {
	case reflect.TypeFor[apiextensionsv1.JSON]():
		return p.raw(v.Interface().(apiextensionsv1.JSON).Raw)
	case reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():
		if either := v.Interface().(apiextensionsv1.JSONSchemaPropsOrBool); either.Schema == nil {
			return either.Allows
		}
		v = v.FieldByName("Schema")
	case reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():
		either := v.Interface().(apiextensionsv1.JSONSchemaPropsOrArray)
		if v = v.FieldByName("Schema"); len(either.JSONSchemas) > 0 {
			v = reflect.ValueOf(either.JSONSchemas)
		}
	case reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray]():
		either := v.Interface().(apiextensionsv1.JSONSchemaPropsOrStringArray)
		if v = v.FieldByName("Schema"); len(either.Property) > 0 {
			v = reflect.ValueOf(either.Property)
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return p.plain(v.Elem())
	case reflect.Struct:
		return p.object(v)
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = p.plain(v.Index(i))
		}
		return list
	case reflect.Map:
		object := make(map[string]any, v.Len())
		for key, value := range v.Seq2() {
			object[key.String()] = p.plain(value)
		}
		return object
	case reflect.String:
		return v.String()
	case reflect.Float64:
		return p.number(v.Float())
	}
	return v.Interface()
}

func (p *plainer) object(v reflect.Value) any {
	fields, known := p.fields[v.Type()]
	if !known {
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			fields = append(fields, jsonField{i, name, strings.Contains(options, "omitempty")})
		}
		p.fields[v.Type()] = fields
	}
	object := map[string]any{}
	for _, f := range fields {
		field := v.Field(f.index)
		if f.omitEmpty && (field.IsZero() || (field.Kind() == reflect.Slice || field.Kind() == reflect.Map) && field.Len() == 0) {
			continue // for example the status and the time of creation, which definitions do not have
		}
		switch value := p.plain(field).(type) {
		case nil:
		case map[string]any:
			if f.name == "" {
				maps.Copy(object, value)
				break
			}
			object[f.name] = value
		default:
			object[f.name] = value
		}
	}
	return object
}

// raw returns the plain form of JSON.
func (p *plainer) raw(text []byte) any {
	var value any
	if len(text) > 0 {
		p.err = cmp.Or(p.err, utiljson.Unmarshal(text, &value))
	}
	if value == nil {
		return nil
	}
	return p.plain(reflect.ValueOf(value))
}

// number returns the value that YAML reads for a number. JSON has no fraction for 5.0, and exponents only below 1e-6 and from 1e21 on.
func (p *plainer) number(f float64) (value any) {
	text, err := json.Marshal(f)
	p.err = cmp.Or(p.err, err)
	p.err = cmp.Or(p.err, yaml.Unmarshal(text, &value))
	return value
}
