package strictfake_test

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// located is a schema of regions. Their location has a default and cannot change.
type located struct{}

var _ strictfake.Schema = located{}

func location(object map[string]any) string {
	text, _, _ := unstructured.NestedString(object, "spec", "location")
	return text
}

// Prune implements strictfake.Schema.
func (located) Prune(map[string]any) (unknown []string) { return nil }

// Default implements strictfake.Schema.
func (located) Default(object map[string]any) {
	if location(object) == "" {
		must(unstructured.SetNestedField(object, "unknown", "spec", "location"))
	}
}

// Validate implements strictfake.Schema.
func (located) Validate(object, old map[string]any, _ string) field.ErrorList {
	if old != nil && location(object) != location(old) {
		return field.ErrorList{field.Forbidden(field.NewPath("spec", "location"), "a region cannot move")}
	}
	return nil
}

// Version implements strictfake.Schema.
func (located) Version() (served, storage bool) { return true, true }

// Subresources implements strictfake.Schema.
func (located) Subresources() (status, scale bool) { return true, false }

// ScalePaths implements strictfake.Schema.
func (located) ScalePaths() (specReplicas, statusReplicas, selector string) { return "", "", "" }

// Names implements strictfake.Schema.
func (located) Names() (singular string, shortNames, categories []string) {
	return "region", []string{"rg"}, nil
}

// SelectableFields implements strictfake.Schema.
func (located) SelectableFields() []string { return []string{"spec.location"} }

// A schema adds defaults and validation. Package crdfake makes one of a CustomResourceDefinition.
func ExampleServer_SetSchema() {
	ctx := context.Background()
	server := strictfake.NewServer()
	regions := serveFleet(server).FleetV1().Regions()
	must(server.SetSchema(fleetv1.SchemeGroupVersion.WithKind("Region"), located{}))

	region, err := regions.Create(ctx, &fleetv1.Region{ObjectMeta: metav1.ObjectMeta{Name: "north"}}, metav1.CreateOptions{})
	must(err)
	fmt.Println(region.Spec.Location)
	region.Spec.Location = "elsewhere"
	_, err = regions.Update(ctx, region, metav1.UpdateOptions{})
	fmt.Println(err)

	fmt.Println(server.SetSchema(schema.GroupVersionKind{Kind: "Pod", Version: "v1"}, located{}))
	fmt.Println(len(server.Kinds()))
	// Output:
	// unknown
	// Region.fleet.example.com "north" is invalid: spec.location: Forbidden: a region cannot move
	// the clientset has no client for /v1, Kind=Pod
	// 5
}
