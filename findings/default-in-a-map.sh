#!/usr/bin/env bash
# k8s.io/code-generator v0.37.2, cmd/defaulter-gen; sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   +default has one meaning. A field that a server fills in is filled in by the generated function, too.
# Seen:    in the values of a list, both set it. In the values of a map, the definition has the default, and the generated function passes the
#          map over without a word. Tests with the function, and objects that never were on a server, lack the default.
# So:      set defaults of a map's values in a function SetDefaults_… of your own.
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
	k8s.io/code-generator v0.37.2
	sigs.k8s.io/controller-tools v0.23.0
)

tool (
	k8s.io/code-generator/cmd/defaulter-gen
	sigs.k8s.io/controller-tools/cmd/controller-gen
)
GO
cat >api/doc.go <<'GO'
// Package api has a kind with parts in a list and in a map.
// +k8s:defaulter-gen=TypeMeta
// +groupName=fleet.example.com
// +versionName=v1
package api
GO
cat >api/types.go <<'GO'
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	List []Arm          `json:"list,omitempty"`
	Map  map[string]Arm `json:"map,omitempty"`
}

func (r *Robot) DeepCopyObject() runtime.Object { return &Robot{TypeMeta: r.TypeMeta} } // what is generated copies all of it

type Arm struct {
	// +default=2
	Fingers int32 `json:"fingers,omitempty"`
}
GO
cat >main.go <<'GO'
package main

import (
	"fmt"

	"example.com/finding/api"
)

func main() {
	robot := &api.Robot{List: []api.Arm{{}}, Map: map[string]api.Arm{"left": {}}}
	api.SetObjectDefaults_Robot(robot)
	fmt.Println("fingers in the list:", robot.List[0].Fingers, "in the map:", robot.Map["left"].Fingers)
}
GO
: >header.txt
go mod tidy >log 2>&1 || { cat log; exit 1; }
go tool controller-gen crd paths=./api output:crd:dir=out
go tool defaulter-gen --go-header-file header.txt --output-file zz_generated.defaults.go ./api
seen="defaults in the definition: $(grep -c 'default: 2' out/fleet.example.com_robots.yaml)
$(go run .)"
echo "$seen"
[ "$seen" = 'defaults in the definition: 2
fingers in the list: 2 in the map: 0' ]
