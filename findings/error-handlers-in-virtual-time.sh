#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/util/runtime, with testing/synctest of Go 1.26
#
# Guess:   an error that is passed to HandleError in a bubble of testing/synctest is logged, and costs a millisecond of virtual time.
# Seen:    the handlers keep errors apart in time, and have read the real clock when the program began. The clock of a bubble begins with the
#          year 2000, so the caller sleeps until the present: 26 years. In a test of a reflector, that is the list that is never sent again.
# So:      set utilruntime.ErrorHandlers in tests with virtual time, or a WatchErrorHandler for reflectors and informers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26
GO
cat >finding_test.go <<'GO'
package finding

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

func TestVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, name := range []string{"first", "second"} {
			began := time.Now()
			utilruntime.HandleErrorWithContext(t.Context(), errors.New("away"), "Failed")
			took := time.Since(began)
			fmt.Printf("%s error: more than a second %t, more than 25 years %t\n", name, took > time.Second, took > 25*365*24*time.Hour)
		}
	})
}
GO
go get k8s.io/apimachinery@v0.37.2 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go test -run TestVirtualTime . -v 2>/dev/null | grep 'error:')
echo "$seen"
[ "$seen" = 'first error: more than a second true, more than 25 years true
second error: more than a second false, more than 25 years false' ]
