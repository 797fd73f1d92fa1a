#!/usr/bin/env bash
# Go 1.27.3, go fix; sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   go fix changes how code is written, not what it does. omitempty on a struct has no effect in JSON, so it may go.
# Seen:    it goes, and controller-gen takes a field without omitempty for required. In the definition, metadata, spec and status are required.
#          Packages that have a marker of kubebuilder are left alone.
# So:      run go fix -omitzero=false, or put +optional above the fields before. Look at the definitions after go fix.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOTOOLCHAIN=go1.27.3
mkdir api
cat >go.mod <<'GO'
module example.com/finding

go 1.27

require (
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/controller-tools v0.23.0
)

tool sigs.k8s.io/controller-tools/cmd/controller-gen
GO
cat >api/types.go <<'GO'
// Package api has a kind as most projects have it.
// +groupName=fleet.example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RobotSpec   `json:"spec,omitempty"`
	Status RobotStatus `json:"status,omitempty"`
}

type RobotSpec struct {
	Arms int32 `json:"arms,omitempty"`
}

type RobotStatus struct {
	Ready int32 `json:"ready,omitempty"`
}
GO
go mod tidy >log 2>&1 || { cat log; exit 1; }
# required prints the required fields of the definition.
required() {
	go tool controller-gen crd paths=./api output:crd:dir=out
	grep -A 3 'required:' out/fleet.example.com_robots.yaml | tr -d ' \n' || echo none
}
seen="before: $(required)"
go fix -omitzero=false ./api
seen+=", with -omitzero=false: $(required)"
cp -r api kept
go fix ./api >log 2>&1
seen+=", after go fix: $(required)"
rm -r api && cp -r kept api
sed -i 's|^type RobotSpec |// +kubebuilder:validation:MinProperties=0\n&|' api/types.go
go fix ./api >log 2>&1
seen+=", with a marker of kubebuilder: $(required)"
rm -r api && mv kept api
sed -i 's|^\tSpec |\t// +optional\n\tSpec |; s|^\tStatus |\t// +optional\n\tStatus |; s|^\tmetav1.ObjectMeta|\t// +optional\n\tmetav1.ObjectMeta|' api/types.go
go fix ./api >log 2>&1
seen+=", with +optional: $(required)"
echo "$seen"
[ "$seen" = 'before: none, with -omitzero=false: none, after go fix: required:-metadata-spec-status, with a marker of kubebuilder: none, with +optional: none' ]
