#!/usr/bin/env bash
# k8s.io/code-generator v0.37.2, cmd/applyconfiguration-gen, with Go 1.27.3
#
# Guess:   what a generator writes follows from its version and from go.mod. In a module that says go 1.26, its output builds with Go 1.26.
# Seen:    since Go 1.27, json.RawMessage is an alias of jsontext.Value. The generator writes the latter if the go command is of Go 1.27,
#          and Go 1.26 has no such package.
# So:      generate with the Go release that builds the module: set GOTOOLCHAIN in the script that generates.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir api applied
cat >go.mod <<'GO'
module example.com/finding

go 1.26.0

require (
	k8s.io/apimachinery v0.37.2
	k8s.io/client-go v0.37.2
	k8s.io/code-generator v0.37.2
)

tool k8s.io/code-generator/cmd/applyconfiguration-gen
GO
cat >api/doc.go <<'GO'
// Package api has a kind with a field for any JSON.
// +groupName=fleet.example.com
package api
GO
cat >api/types.go <<'GO'
package api

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	_ "k8s.io/client-go/applyconfigurations/meta/v1"
)

var SchemeGroupVersion = schema.GroupVersion{Group: "fleet.example.com", Version: "api"}

// +genclient
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Extra json.RawMessage `json:"extra,omitempty"`
}
GO
: >header.txt
go mod tidy >log 2>&1 || { cat log; exit 1; }
seen=
for toolchain in go1.26.8 go1.27.3; do
	export GOTOOLCHAIN=$toolchain
	go tool applyconfiguration-gen --go-header-file header.txt --output-dir applied --output-pkg example.com/finding/applied ./api >log 2>&1
	field=$(grep -rhoE 'Extra +\*[a-zA-Z.]+' applied | tr -s ' ')
	built=yes
	GOTOOLCHAIN=go1.26.8 go build ./applied/... >log 2>&1 || built=no
	seen+="$toolchain: $field, builds with Go 1.26: $built"$'\n'
done
echo -n "$seen"
[ "$seen" = 'go1.26.8: Extra *json.RawMessage, builds with Go 1.26: yes
go1.27.3: Extra *jsontext.Value, builds with Go 1.26: no
' ]
