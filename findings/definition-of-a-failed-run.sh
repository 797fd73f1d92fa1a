#!/usr/bin/env bash
# sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   a run of controller-gen that ends with an error leaves no definition behind, as a compiler leaves no program.
# Seen:    it exits with 1 and writes the definition without the field that it complains about. Applied to a cluster, the definition makes
#          servers prune the field.
# So:      do not apply what is in the directory without looking at the exit code, as "controller-gen crd; kubectl apply" does.
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
)

tool sigs.k8s.io/controller-tools/cmd/controller-gen
GO
cat >api/types.go <<'GO'
// Package api has a kind with a field that has no name in JSON.
// +groupName=fleet.example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Arms int32 `json:"arms"`
	Legs int32
}
GO
go mod tidy >tidy.log 2>&1 || { cat tidy.log; exit 1; }
go tool controller-gen --version
code=0
go tool controller-gen crd paths=./api output:crd:dir=out >said.log 2>&1 || code=$?
head -n 1 said.log
echo "exit code $code"
ls out
[ "$code" = 1 ]
grep -q ' arms:' out/fleet.example.com_robots.yaml
! grep -qi ' legs:' out/fleet.example.com_robots.yaml
