#!/usr/bin/env bash
# Go 1.27.3, encoding/json/v2, k8s.io/api v0.37.2
#
# Guess:   encoding/json/v2 differs from encoding/json in corners, such as the case of names. API types are encoded alike: their tags say it all.
# Seen:    omitempty means another thing. In v2, numbers and booleans are never empty, so what is sent for a Deployment or a Pod has zeros and
#          false in each field that was left out. Lists that are nil are [] instead of null.
#          Arrays of bytes are texts in base64, and a time.Duration or a string with json:",string" is an error.
# So:      encode API types with encoding/json or apimachinery only. Whoever applies what v2 writes also owns the zeros.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOTOOLCHAIN=go1.27.3
cat >go.mod <<'GO'
module example.com/finding

go 1.27
GO
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func see(name string, object any) {
	older, _ := json.Marshal(object)
	newer, err := jsonv2.Marshal(object)
	if err != nil {
		newer = []byte("an error")
	}
	fmt.Printf("%s: %s is %s\n", name, older, newer)
}

func main() {
	see("status", appsv1.DeploymentStatus{ReadyReplicas: 2})
	see("pod", corev1.PodSpec{})
	see("series", corev1.EventSeries{})
	see("array", struct{ Hash [2]byte }{})
	see("duration", struct{ Wait time.Duration }{})
	see("string", struct {
		Name string `json:",string"`
	}{})
}
GO
go get k8s.io/api@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
go version
seen=$(go run .)
echo "$seen"
[ "$seen" = 'status: {"readyReplicas":2} is {"observedGeneration":0,"replicas":0,"updatedReplicas":0,"readyReplicas":2,"availableReplicas":0,"unavailableReplicas":0}
pod: {"containers":null} is {"containers":[],"hostNetwork":false,"hostPID":false,"hostIPC":false}
series: {"lastObservedTime":null} is {"count":0}
array: {"Hash":[0,0]} is {"Hash":"AAA="}
duration: {"Wait":0} is an error
string: {"Name":"\"\""} is an error' ]
