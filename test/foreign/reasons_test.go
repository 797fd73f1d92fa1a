package foreign

import (
	"testing"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/schemas"
)

// schemaReasons are the reasons why a schema that is generated from imported types differs from the original.
var schemaReasons = []schemas.Reason{}

// compare compares two schemas.
func compare(t *testing.T, want, have *apiextensionsv1.JSONSchemaProps) (differences []schemas.Difference, equal, total int) {
	t.Helper()
	wanted, err := schemas.Flatten(want)
	require.NoError(t, err)
	generated, err := schemas.Flatten(have)
	require.NoError(t, err)
	return schemas.Compare(wanted, generated)
}

// generatedSchema returns the schema of a version in generated definitions.
func generatedSchema(
	t *testing.T,
	generated map[string]*apiextensionsv1.CustomResourceDefinition,
	v objects.Version,
) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	name := v.Resource + "." + v.Group
	require.Contains(t, generated, name)
	for _, version := range generated[name].Spec.Versions {
		if version.Name == v.GroupVersionKind.Version {
			return version.Schema.OpenAPIV3Schema
		}
	}
	require.Fail(t, "no version", "%s %s", name, v.GroupVersionKind.Version)
	return nil
}
