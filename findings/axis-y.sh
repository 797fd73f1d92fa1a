#!/usr/bin/env bash
# sigs.k8s.io/yaml v1.6.0, sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   "on" and "off" are booleans in YAML files, as everybody knows, but y and n, the names of axes or of countries, are texts.
# Seen:    y and n are booleans, too, as in YAML 1.1, although YAML 1.2 has only true and false. controller-gen quotes the values in the
#          definition, so nothing looks wrong until a user writes one: the server says that the value must be a string.
# So:      choose words for values of an enum that YAML 1.1 leaves alone, and quote others in all examples.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir api
cat >go.mod <<'GO'
module example.com/finding

go 1.26.0

require (
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/controller-tools v0.23.0
	sigs.k8s.io/yaml v1.6.0
)

tool sigs.k8s.io/controller-tools/cmd/controller-gen
GO
cat >api/types.go <<'GO'
// Package api has a kind with an axis.
// +groupName=fleet.example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Enum=x;y;n
	Axis string `json:"axis"`
}
GO
cat >main.go <<'GO'
package main

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

func main() {
	for _, text := range []string{"x", "y", "n", `"y"`, "on"} {
		converted, err := yaml.YAMLToJSON([]byte("axis: " + text))
		fmt.Println(text, string(converted), err)
	}
}
GO
go mod tidy >log 2>&1 || { cat log; exit 1; }
go tool controller-gen crd paths=./api output:crd:dir=out
definition=$(grep -A 3 'enum:' out/fleet.example.com_robots.yaml | tr -d ' \n')
echo "$definition"
seen=$(go run .)
echo "$seen"
[ "$definition" = 'enum:-x-"y"-"n"' ]
[ "$seen" = 'x {"axis":"x"} <nil>
y {"axis":true} <nil>
n {"axis":false} <nil>
"y" {"axis":"y"} <nil>
on {"axis":true} <nil>' ]
