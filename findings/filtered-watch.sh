#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/watch
#
# Guess:   Stop ends a watch of watch.Filter, with everything that it has started, as the comment of Stop says ("eventually").
# Seen:    the goroutine of the filter waits for a receiver of the event that it holds. If nobody receives after Stop, it stays for good.
# So:      receive from the channel of a filtered watch until it is closed, or filter in a goroutine that also waits for the end.
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
	"fmt"
	"runtime"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// left returns how many goroutines are left of ten filtered watches that were stopped.
func left(receive bool) int {
	before := runtime.NumGoroutine()
	for range 10 {
		events := watch.NewFakeWithChanSize(1, false)
		filtered := watch.Filter(events, func(e watch.Event) (watch.Event, bool) { return e, true })
		events.Add(&metav1.Status{})
		time.Sleep(10 * time.Millisecond) // the filter takes the event
		filtered.Stop()
		if receive {
			for range filtered.ResultChan() {
			}
		}
	}
	time.Sleep(time.Second)
	return runtime.NumGoroutine() - before
}

func main() {
	fmt.Println("received to the end:", left(true))
	fmt.Println("stopped only:", left(false))
}
GO
go get k8s.io/apimachinery@v0.37.2 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go run .)
echo "$seen"
[ "$seen" = $'received to the end: 0\nstopped only: 10' ]
