#!/usr/bin/env bash
# k8s.io/apiextensions-apiserver v0.37.2
#
# Guess:   "x in ['a']" costs a rule what "x == 'a'" costs: a comparison with each value. Of functions, the short ones are cheap.
# Seen:    in a list without maxItems, a definition with x == 'a' or startsWith is accepted. x in ['a'] is refused as too expensive. So are
#          contains and matches, which cost more the longer a text may be.
# So:      give lists maxItems and strings maxLength before they get a rule. Later, a limit is an incompatible change.
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
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
)

// accepted reports whether servers accept a definition with a rule for a list of strings.
func accepted(rule string, maxItems, maxLength *int64) bool {
	names := apiextensionsv1.JSONSchemaProps{
		Type: "array", MaxItems: maxItems, XValidations: apiextensionsv1.ValidationRules{{Rule: "self.all(x, " + rule + ")"}},
		Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string", MaxLength: maxLength}},
	}
	schema := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"names": names}}
	definition := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "home.example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "lamps", Singular: "lamp", Kind: "Lamp", ListKind: "LampList"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
		}},
	}}
	definition.Name = "lamps.home.example.com"
	apiextensionsv1.SetDefaults_CustomResourceDefinition(definition)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(definition, &internal, nil); err != nil {
		panic(err)
	}
	return len(validation.ValidateCustomResourceDefinition(context.Background(), &internal)) == 0
}

func main() {
	items, length := int64(1000), int64(63)
	for _, rule := range []string{"x == 'a'", "x.startsWith('a')", "x in ['a']", "x.contains('a')", "x.matches('^a')"} {
		fmt.Println(rule, "accepted:", accepted(rule, nil, nil), "with limits:", accepted(rule, &items, &length))
	}
}
GO
go get k8s.io/apiextensions-apiserver@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run .)
echo "$seen"
[ "$seen" = "x == 'a' accepted: true with limits: true
x.startsWith('a') accepted: true with limits: true
x in ['a'] accepted: false with limits: true
x.contains('a') accepted: false with limits: true
x.matches('^a') accepted: false with limits: true" ]
