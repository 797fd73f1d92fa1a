#!/usr/bin/env bash
# k8s.io/code-generator v0.37.2, cmd/conversion-gen
#
# Guess:   a field with +k8s:conversion-gen=false is not converted. Where both versions have it, each keeps its own.
# Seen:    the marker counts in the direction away from its type. On the way back, the field is copied. Since the types are alike in memory, the
#          whole struct is copied at once, and the generated code does not even name the field.
# So:      put the marker on the fields of both versions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir v1 v2
cat >go.mod <<'GO'
module example.com/finding

go 1.26.0

require (
	k8s.io/apimachinery v0.37.2
	k8s.io/code-generator v0.37.2
)

tool k8s.io/code-generator/cmd/conversion-gen
GO
cat >v2/types.go <<'GO'
// Package v2 has the newer version.
package v2

type Robot struct {
	Arms int32
	Legs int32
}
GO
cat >v1/doc.go <<'GO'
// Package v1 has the older version.
// +k8s:conversion-gen=example.com/finding/v2
package v1
GO
cat >v1/types.go <<'GO'
package v1

import "k8s.io/apimachinery/pkg/runtime"

var localSchemeBuilder runtime.SchemeBuilder

type Robot struct {
	Arms int32
	// Legs belong to this version.
	// +k8s:conversion-gen=false
	Legs int32
}
GO
cat >main.go <<'GO'
package main

import (
	"fmt"

	v1 "example.com/finding/v1"
	v2 "example.com/finding/v2"
)

func main() {
	older, newer := &v1.Robot{Legs: 4}, &v2.Robot{Legs: 2}
	_ = v1.Convert_v1_Robot_To_v2_Robot(older, newer, nil)
	fmt.Println("4 legs to v2, which has 2:", newer.Legs)
	older, newer = &v1.Robot{Legs: 4}, &v2.Robot{Legs: 2}
	_ = v1.Convert_v2_Robot_To_v1_Robot(newer, older, nil)
	fmt.Println("2 legs to v1, which has 4:", older.Legs)
}
GO
: >header.txt
go mod tidy >log 2>&1 || { cat log; exit 1; }
go tool conversion-gen --go-header-file header.txt --output-file zz_generated.conversion.go ./v1
seen=$(go run .)
echo "$seen"
[ "$seen" = '4 legs to v2, which has 2: 2
2 legs to v1, which has 4: 2' ]
