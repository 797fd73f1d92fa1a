package crd

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v2"
	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// encode returns the files that controller-gen writes for definitions, whose texts are the same. Its generator would convert each definition
// to JSON twice and read it back twice, which takes longer than all else.
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
	files := make([]Definition, len(all)*len(versions))
	group := errgroup.Group{}
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, definition := range all {
		for j, version := range versions {
			group.Go(func() error {
				file := &files[i*len(versions)+j]
				file.File = definition.Spec.Group + "_" + definition.Spec.Names.Plural
				if j > 0 {
					file.File += "." + version
				}
				file.File += ".yaml"
				file.Pos = definition.pos
				text, size, err := o.text(definition.CustomResourceDefinition, version)
				file.Content, file.Size = []byte(header+"---\n"+text), size
				return err
			})
		}
	}
	return files, group.Wait()
}

// text returns a definition in a version of its API as YAML, and its size as JSON.
func (o Options) text(definition apiextensionsv1.CustomResourceDefinition, version string) (text string, size int, err error) {
	target := schema.GroupVersion{Group: apiextensionsv1.GroupName, Version: version}
	converted, err := crd.AsVersion(definition, target)
	if err != nil {
		return "", 0, err
	}
	encoded, err := json.Marshal(converted)
	if err != nil {
		return "", 0, err
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	var object struct {
		APIVersion string         `json:"apiVersion" yaml:"apiVersion"`
		Kind       string         `json:"kind" yaml:"kind"`
		Metadata   map[string]any `json:"metadata" yaml:"metadata"`
		Spec       map[string]any `json:"spec" yaml:"spec"`
	}
	if err := decoder.Decode(&object); err != nil {
		return "", 0, err
	}
	delete(object.Metadata, "creationTimestamp")
	if preserve := o.generator.DeprecatedV1beta1CompatibilityPreserveUnknownFields; preserve != nil {
		object.Spec["preserveUnknownFields"] = *preserve
	}
	if _, err := numbers(object.Spec); err != nil {
		return "", 0, err
	}
	written, err := yaml.Marshal(object)
	return string(written), len(encoded), err
}

// numbers replaces the numbers in a value with what YAML reads in their place, so that they are written in the same way.
func numbers(value any) (replaced any, err error) {
	switch v := value.(type) {
	case json.Number:
		err = yaml.Unmarshal([]byte(v), &value)
	case map[string]any:
		for key, element := range v {
			if v[key], err = numbers(element); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, element := range v {
			if v[i], err = numbers(element); err != nil {
				return nil, err
			}
		}
	}
	return value, err
}
