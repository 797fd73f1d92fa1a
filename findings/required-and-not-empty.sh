#!/usr/bin/env bash
# sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   +k8s:required, the marker of declarative validation, says in a definition what +required says: the field has to be there.
# Seen:    it also says that the value is not empty: texts get minLength 1, lists minItems 1, maps minProperties 1. Numbers and
#          booleans get nothing, so 0 and false stay valid.
# So:      use +required where an empty value is valid, or has been so far: a value that is stored already may become invalid.
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
cat >types.txt <<'GO'
// Package api has a kind whose fields are required.
// +groupName=fleet.example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// MARKER
	Name string `json:"name"`
	// MARKER
	Arms []string `json:"arms"`
	// MARKER
	Marks map[string]string `json:"marks"`
	// MARKER
	Legs int32 `json:"legs"`
}
GO
cp types.txt api/types.go
go mod tidy >log 2>&1 || { cat log; exit 1; }
seen=
for marker in +required +k8s:required; do
	sed "s|MARKER|$marker|" types.txt >api/types.go
	go tool controller-gen crd paths=./api output:crd:dir=out
	limits=$(grep -oE 'min[A-Za-z]+: [0-9]+' out/fleet.example.com_robots.yaml | sort | paste -sd ,) || limits=none
	seen+="$marker: $limits"$'\n'
done
echo -n "$seen"
[ "$seen" = '+required: none
+k8s:required: minItems: 1,minLength: 1,minProperties: 1
' ]
