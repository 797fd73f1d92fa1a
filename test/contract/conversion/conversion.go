// Package conversion converts the versions of workloads, which have their image in different places.
package conversion

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Convert converts a workload to the other version. Only fields in both versions are kept.
func Convert(content map[string]any, version string) (map[string]any, error) {
	image := map[string][]string{
		"fleet.example.com/v1":      {"spec", "template", "image"},
		"fleet.example.com/v1beta1": {"spec", "image"},
	}
	converted := map[string]any{"apiVersion": version, "kind": content["kind"], "metadata": content["metadata"]}
	for _, field := range []struct{ from, to []string }{
		{image[fmt.Sprint(content["apiVersion"])], image[version]},
		{[]string{"spec", "replicas"}, []string{"spec", "replicas"}},
		{[]string{"spec", "regionName"}, []string{"spec", "regionName"}},
		{[]string{"status", "readyReplicas"}, []string{"status", "readyReplicas"}},
		{[]string{"status", "conditions"}, []string{"status", "conditions"}},
	} {
		value, found, err := unstructured.NestedFieldNoCopy(content, field.from...)
		if err == nil && found {
			err = unstructured.SetNestedField(converted, value, field.to...)
		}
		if err != nil {
			return nil, err
		}
	}
	return converted, nil
}

// ConvertObject is like Convert, for typed objects. The result is unstructured.
func ConvertObject(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error) {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	content["apiVersion"], content["kind"] = object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	converted, err := Convert(content, to.GroupVersion().String())
	if err != nil {
		return nil, err
	}
	return &unstructured.Unstructured{Object: converted}, nil
}
