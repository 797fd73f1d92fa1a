package crdfake

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/spec3"
)

// newConverter returns the types of all versions of a definition for server-side apply. Servers build them from the same documents.
func newConverter(crd *apiextensionsv1.CustomResourceDefinition) (managedfields.TypeConverter, error) {
	var documents []*spec3.OpenAPI
	for _, version := range crd.Spec.Versions {
		document, err := builder.BuildOpenAPIV3(crd, version.Name, builder.Options{})
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", version.Name, err)
		}
		documents = append(documents, document)
	}
	merged, err := builder.MergeSpecsV3(documents...)
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(merged.Components.Schemas, false)
}
