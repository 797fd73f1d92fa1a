#!/usr/bin/env bash
# k8s.io/apiextensions-apiserver v0.37.2
#
# Guess:   when a version of a definition is no longer served, /openapi/v3 no longer has its document, as discovery no longer has its resources.
# Seen:    the document of the version stays, and says what it said last, until the definition is deleted or the server restarts.
# So:      ask discovery, not /openapi/v3, whether a version is served.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26
GO
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapiv3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/handler3"
)

func version(name string, field string) apiextensionsv1.CustomResourceDefinitionVersion {
	return apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Storage: name == "v1",
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{field: {Type: "string"}},
		}},
	}
}

func main() {
	definition := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "lamps.home.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "home.example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "lamps", Singular: "lamp", Kind: "Lamp", ListKind: "LampList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", "color"), version("v1beta1", "hue")},
		},
		Status: apiextensionsv1.CustomResourceDefinitionStatus{Conditions: []apiextensionsv1.CustomResourceDefinitionCondition{
			{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue},
		}},
	}
	definition.Status.AcceptedNames = definition.Spec.Names
	ctx := context.Background()
	client := fake.NewSimpleClientset(definition)
	factory := externalversions.NewSharedInformerFactory(client, 0)
	service := handler3.NewOpenAPIService()
	controller := openapiv3.NewController(factory.Apiextensions().V1().CustomResourceDefinitions())
	factory.Start(ctx.Done())
	go controller.Run(service, ctx.Done())

	index := func() []string {
		answer := httptest.NewRecorder()
		service.HandleDiscovery(answer, httptest.NewRequest(http.MethodGet, "/openapi/v3", nil))
		var body struct{ Paths map[string]any }
		_ = json.Unmarshal(answer.Body.Bytes(), &body)
		return slices.Sorted(maps.Keys(body.Paths))
	}
	// wait returns the paths once they are as wanted, or those of 20 seconds later.
	wait := func(wanted ...string) []string {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && !slices.Equal(index(), wanted); {
			time.Sleep(100 * time.Millisecond)
		}
		return index()
	}
	const v1, v1beta1 = "apis/home.example.com/v1", "apis/home.example.com/v1beta1"
	fmt.Println("both served:", wait(v1, v1beta1))
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	definition.Spec.Versions[1].Served = false
	if _, err := definitions.Update(ctx, definition, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
	fmt.Println("v1beta1 no longer served:", wait(v1))
	if err := definitions.Delete(ctx, definition.Name, metav1.DeleteOptions{}); err != nil {
		panic(err)
	}
	fmt.Println("deleted:", wait())
}
GO
go get k8s.io/apiextensions-apiserver@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run .)
echo "$seen"
[ "$seen" = "both served: [apis/home.example.com/v1 apis/home.example.com/v1beta1]
v1beta1 no longer served: [apis/home.example.com/v1 apis/home.example.com/v1beta1]
deleted: []" ]
