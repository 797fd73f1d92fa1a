#!/usr/bin/env bash
# sigs.k8s.io/controller-tools v0.23.0
#
# Guess:   the schema of a field describes its JSON: []uint8 is []byte by another name, and json:",string" turns a number into a text.
# Seen:    []uint8 is an array of integers in the schema and a text in base64 in JSON. A number with ,string is an integer in the schema and
#          a text in JSON. What typed clients send does not fit the schema.
# So:      write []byte, and give a number that has to be a text the type string.
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
// Package api has a kind with bytes and a large number.
// +groupName=fleet.example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Bytes  []byte  `json:"bytes"`
	Octets []uint8 `json:"octets"`
	Serial int64   `json:"serial,string"`
}
GO
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"example.com/finding/api"
)

func main() {
	robot, _ := json.Marshal(api.Robot{Bytes: []byte("hi"), Octets: []uint8("hi"), Serial: 7})
	fmt.Println(string(robot))
}
GO
go mod tidy >log 2>&1 || { cat log; exit 1; }
go tool controller-gen crd paths=./api output:crd:dir=out
# type_of prints the type of a field in the schema.
type_of() { sed -n "/^          $1:/,/^            type:/p" out/fleet.example.com_robots.yaml | tail -n 1 | tr -d ' '; }
seen="$(for field in bytes octets serial; do echo "$field $(type_of $field)"; done)
$(go run .)"
echo "$seen"
[ "$seen" = 'bytes type:string
octets type:array
serial type:integer
{"metadata":{},"bytes":"aGk=","octets":"aGk=","serial":"7"}' ]
