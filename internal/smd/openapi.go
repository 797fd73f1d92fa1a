package smd

import (
	"encoding/json"
	"fmt"
	"path"

	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
)

// FromOpenAPI is like Schema, but uses an OpenAPI v2 document in JSON, as published by API servers, instead of the types. The
// document must define all roots.
func FromOpenAPI(document []byte, roots []*gotype.Decl) (string, error) {
	var swagger spec.Swagger
	if err := json.Unmarshal(document, &swagger); err != nil {
		return "", fmt.Errorf("not an OpenAPI document in JSON: %w", err)
	}
	reached := map[string]*spec.Schema{}
	for _, root := range roots {
		if err := collect(Name(root), swagger.Definitions, reached); err != nil {
			return "", err
		}
	}
	result, err := schemaconv.ToSchemaFromOpenAPI(reached, false)
	if err != nil {
		return "", err
	}
	return text(result), nil
}

// collect adds a definition and the definitions that it refers to.
func collect(name string, definitions spec.Definitions, reached map[string]*spec.Schema) error {
	if reached[name] != nil {
		return nil
	}
	definition, ok := definitions[name]
	if !ok {
		return fmt.Errorf("no definition of %s", name)
	}
	reached[name] = &definition
	return collectFrom(name, &definition, 0, definitions, reached)
}

// maxDepth is the maximum nesting of schemas in a definition. Nested levels are indented, so the text grows with the square of
// the depth.
const maxDepth = 200

// collectFrom adds the definitions that a part of the named definition refers to.
func collectFrom(name string, s *spec.Schema, depth int, definitions spec.Definitions, reached map[string]*spec.Schema) error {
	if depth > maxDepth {
		return fmt.Errorf("the definition of %s is nested more than %d levels deep", name, maxDepth)
	}
	if ref := s.Ref.String(); ref != "" {
		if err := collect(path.Base(ref), definitions, reached); err != nil {
			return err
		}
	}
	parts := append([]spec.Schema{}, s.AllOf...)
	for _, property := range s.Properties {
		parts = append(parts, property)
	}
	if s.Items != nil && s.Items.Schema != nil {
		parts = append(parts, *s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		parts = append(parts, *s.AdditionalProperties.Schema)
	}
	for i := range parts {
		if err := collectFrom(name, &parts[i], depth+1, definitions, reached); err != nil {
			return err
		}
	}
	return nil
}
