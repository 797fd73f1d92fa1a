#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, util/managedfields, by the fake clientset of k8s.io/client-go v0.37.2, which merges as servers do
#
# Guess:   an empty map in an applied object owns no keys, so other field managers may add theirs.
# Seen:    the manager of data: {} owns the map itself, and a second manager that applies a key has a conflict. If the key is there before,
#          both are accepted. Which of two controllers starts first decides.
# So:      leave a map that is empty out of what you apply: never write {} for "nothing of mine".
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

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

// apply applies the data of two managers one after the other, and returns the second answer.
func apply(first, second string) string {
	client := fake.NewClientset().CoreV1().ConfigMaps("home")
	for _, manager := range []string{first, second} {
		data := map[string]string{"empty": `{}`, "full": `{"color":"red"}`}[manager]
		text := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"lamp"},"data":` + data + `}`
		_, err := client.Patch(context.Background(), "lamp", types.ApplyPatchType, []byte(text), metav1.PatchOptions{FieldManager: manager})
		if err != nil {
			return err.Error()
		}
	}
	return "accepted"
}

func main() {
	fmt.Println("a key, then {}:", apply("full", "empty"))
	fmt.Println("{}, then a key:", apply("empty", "full"))
}
GO
go get k8s.io/client-go@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run . 2>/dev/null)
echo "$seen"
[ "$seen" = 'a key, then {}: accepted
{}, then a key: Apply failed with 1 conflict: conflict with "empty": .data' ]
