#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/api/resource
#
# Guess:   printing an object reads it: two equal objects are equal after one of them was printed.
# Seen:    Quantity.String keeps its text in the quantity, if that was decoded from another form such as 1000m. reflect.DeepEqual then sees
#          a difference, and whoever prints a quantity of an informer's cache writes to the cache.
# So:      compare with equality.Semantic.DeepEqual, and print copies of quantities that others may read at the same time.
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
	"encoding/json"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Robot is a part of an object.
type Robot struct {
	Power resource.Quantity
}

// decode returns a robot as clients decode it.
func decode() *Robot {
	robot := &Robot{}
	if err := json.Unmarshal([]byte(`{"Power":"1000m"}`), robot); err != nil {
		panic(err)
	}
	return robot
}

func main() {
	a, b := decode(), decode()
	fmt.Println("equal:", reflect.DeepEqual(a, b))
	fmt.Println("printed:", a.Power.String())
	fmt.Println("equal:", reflect.DeepEqual(a, b))
	fmt.Println("equal in meaning:", equality.Semantic.DeepEqual(a, b))
}
GO
go get k8s.io/apimachinery@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run .)
echo "$seen"
[ "$seen" = 'equal: true
printed: 1
equal: false
equal in meaning: true' ]
