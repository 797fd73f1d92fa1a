// Package crdfake makes strict fake clientsets follow CustomResourceDefinitions: defaults, pruning, validation with CEL rules,
// subresources, selectable fields, and served and stored versions. It uses the API server's own libraries.
//
//	client := fake.NewStrictClientset()
//	crds, err := crdfake.Load("config/crd")
//	...
//	err = crdfake.Use(client, crds...)
//
// It is a separate module, so that generated code does not depend on those libraries.
package crdfake

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/testing"
)

// Client is a fake clientset.
type Client interface {
	Tracker() testing.ObjectTracker
}

// tracker is the object tracker of a strict clientset. It uses no named types because every clientset has its own package.
type tracker interface {
	SetSchema(kind schema.GroupVersionKind, to interface {
		Prune(object map[string]any) (unknown []string)
		Default(object map[string]any)
		Validate(object, old map[string]any, subresource string) field.ErrorList
		Version() (served, storage bool)
		Subresources() (status, scale bool)
		ScalePaths() (specReplicas, statusReplicas, selector string)
		Names() (singular string, shortNames, categories []string)
		SelectableFields() []string
	}) error
	Kinds() []schema.GroupVersionKind
}

// Use makes a strict clientset apply CustomResourceDefinitions. Existing objects are defaulted and pruned, but not validated.
// Versions that a definition does not serve are not found from then on. Use returns an error if the clientset is not strict, if a server
// refuses a definition, or if the clientset has no client for any of its versions. The error for a definition that a server refuses is
// the server's, apart from printer columns: these are only logged.
func Use(client Client, crds ...*apiextensionsv1.CustomResourceDefinition) error {
	t, ok := client.Tracker().(tracker)
	if !ok {
		return errors.New("the clientset is not strict: create it with fake.NewStrictClientset")
	}
	for _, crd := range crds {
		if err := use(t, crd); err != nil {
			return err
		}
	}
	return nil
}

func use(t tracker, crd *apiextensionsv1.CustomResourceDefinition) error {
	crd, err := accept(crd)
	if err != nil {
		return err
	}
	kind := schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
	known := slices.DeleteFunc(t.Kinds(), func(k schema.GroupVersionKind) bool { return k.GroupKind() != kind })
	if len(known) == 0 {
		return fmt.Errorf("CustomResourceDefinition %s: the clientset has no client for %s", crd.Name, kind)
	}
	schemas := map[string]*version{}
	for i := range crd.Spec.Versions {
		v, err := newVersion(crd, &crd.Spec.Versions[i])
		if err != nil {
			return fmt.Errorf("CustomResourceDefinition %s: version %s: %w", crd.Name, crd.Spec.Versions[i].Name, err)
		}
		schemas[v.definition.Name] = v
	}
	converter, err := newConverter(crd)
	if err != nil {
		return fmt.Errorf("CustomResourceDefinition %s: %w", crd.Name, err)
	}
	for _, v := range schemas {
		v.converter = converter
	}
	for _, k := range known {
		v, ok := schemas[k.Version]
		if !ok {
			v = &version{definition: &apiextensionsv1.CustomResourceDefinitionVersion{Name: k.Version}}
		}
		if err := t.SetSchema(k, v); err != nil {
			return err
		}
	}
	return nil
}

// Load reads CustomResourceDefinitions from YAML or JSON files, and from the files in directories. It skips other objects.
func Load(paths ...string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	var crds []*apiextensionsv1.CustomResourceDefinition
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			if ext := filepath.Ext(name); name != path && ext != ".yaml" && ext != ".yml" && ext != ".json" {
				return nil
			}
			found, err := read(name)
			crds = append(crds, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(crds) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinition in %q", paths)
	}
	return crds, nil
}

// read returns the CustomResourceDefinitions of a file.
func read(name string) (crds []*apiextensionsv1.CustomResourceDefinition, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
	for {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := decoder.Decode(crd); errors.Is(err, io.EOF) {
			return crds, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if crd.Kind == "CustomResourceDefinition" && crd.APIVersion == apiextensionsv1.SchemeGroupVersion.String() {
			apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
			crds = append(crds, crd)
		}
	}
}
