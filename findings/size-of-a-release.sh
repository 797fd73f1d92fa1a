#!/usr/bin/env bash
# helm.sh/helm/v3 v3.22.0, with the definitions of sigs.k8s.io/gateway-api v1.6.3
#
# Guess:   a chart takes as much of a release's Secret as "gzip | base64" makes of its files, so 700 kB of definitions fit into 1 MiB.
# Seen:    files are encoded as base64 within the JSON of the release, and compressed afterwards. Text that base64 has cut into groups of
#          three bytes compresses worse: the Secret has almost twice that size.
# So:      measure definitions in a chart as Helm stores them, or keep them out of the chart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26.0

require (
	helm.sh/helm/v3 v3.22.0
	k8s.io/client-go v0.37.2
	sigs.k8s.io/gateway-api v1.6.3
)
GO
cat >main.go <<'GO'
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/storage/driver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	_ "sigs.k8s.io/gateway-api/apis/v1" // whose module ships definitions
)

func main() {
	var compressed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	var files []*chart.File
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		w.Write(text)
		files = append(files, &chart.File{Name: "crds/" + filepath.Base(name), Data: text})
	}
	w.Close()
	guess := base64.StdEncoding.EncodedLen(compressed.Len())

	secrets := fake.NewClientset().CoreV1().Secrets("default")
	err := driver.NewSecrets(secrets).Create("r.v1", &release.Release{
		Name: "r", Namespace: "default", Version: 1, Info: &release.Info{Status: release.StatusDeployed},
		Chart: &chart.Chart{Metadata: &chart.Metadata{Name: "c", Version: "1.0.0"}, Files: files},
	})
	if err != nil {
		panic(err)
	}
	stored, err := secrets.Get(context.Background(), "r.v1", metav1.GetOptions{})
	if err != nil {
		panic(err)
	}
	seen := len(stored.Data["release"])
	fmt.Printf("%d files, guessed %d bytes, seen %d: %.1f times\n", len(files), guess, seen, float64(seen)/float64(guess))
	if seen*10 < guess*15 {
		panic("it is no longer so")
	}
}
GO
go mod tidy >tidy.log 2>&1 || { cat tidy.log; exit 1; }
go list -m helm.sh/helm/v3 sigs.k8s.io/gateway-api
go run . "$(go list -m -f '{{.Dir}}' sigs.k8s.io/gateway-api)"/config/crd/experimental/*.yaml
