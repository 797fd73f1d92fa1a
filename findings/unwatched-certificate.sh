#!/usr/bin/env bash
# sigs.k8s.io/controller-runtime v0.25.2, pkg/certwatcher
#
# Guess:   a watcher whose context ends has given back its goroutine and its file descriptor when Start returns.
# Seen:    it has if both files were watched by then. If the context ends before, Start returns an error and the watch stays open.
# So:      a test that stops a server of webhooks right after its start, and looks for goroutines, fails from time to time.
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
	"os"
	"strings"
	"time"

	"go.uber.org/goleak"
	"k8s.io/client-go/util/cert"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

func main() {
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", nil, nil)
	if err != nil {
		panic(err)
	}
	see("watched", certificate, key, false)
	see("not yet watched", certificate, key, true)
}

func see(name string, certificate, key []byte, early bool) {
	dir, err := os.MkdirTemp("", "certificate")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	_ = os.WriteFile(dir+"/tls.crt", certificate, 0o600)
	_ = os.WriteFile(dir+"/tls.key", key, 0o600)
	watcher, err := certwatcher.New(dir+"/tls.crt", dir+"/tls.key")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if early { // as when a server ends at once, and its folder is removed
		stop()
		_ = os.RemoveAll(dir)
	}
	err = watcher.Start(ctx)
	left := goleak.Find()
	fmt.Printf("%s: error %t, left behind %t\n", name, err != nil, left != nil && strings.Contains(left.Error(), "fsnotify"))
}
GO
go get sigs.k8s.io/controller-runtime@v0.25.2 k8s.io/client-go@v0.37.2 go.uber.org/goleak@v1.3.0 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go run . 2>/dev/null)
echo "$seen"
[ "$seen" = 'watched: error false, left behind false
not yet watched: error true, left behind true' ]
