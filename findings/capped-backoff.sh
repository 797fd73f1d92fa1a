#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/util/wait
#
# Guess:   Backoff.Cap limits the pause between attempts. All Steps are made, the later ones after the capped pause.
# Seen:    ExponentialBackoff ends when the pause reaches the cap: it makes three of eight attempts. RetryOnConflict and OnError, which use it,
#          give up as early. The comment of Cap says so; its name does not.
# So:      where attempts have to go on, take the pauses of Backoff.DelayFunc, which stay at the cap.
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
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// attempts returns how often a condition is tried that never holds.
func attempts(limit time.Duration) int {
	n := 0
	_ = wait.ExponentialBackoff(wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Steps: 8, Cap: limit}, func() (bool, error) {
		n++
		return false, nil
	})
	return n
}

func main() {
	fmt.Println("attempts without a cap:", attempts(0))
	fmt.Println("attempts with a cap of 50ms:", attempts(50*time.Millisecond))
	pause := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Steps: 8, Cap: 50 * time.Millisecond}.DelayFunc()
	fmt.Println("pauses of DelayFunc:", pause(), pause(), pause(), pause(), pause())
}
GO
go get k8s.io/apimachinery@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run .)
echo "$seen"
[ "$seen" = 'attempts without a cap: 8
attempts with a cap of 50ms: 3
pauses of DelayFunc: 10ms 20ms 40ms 50ms 50ms' ]
