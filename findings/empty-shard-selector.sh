#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/sharding
#
# Guess:   a selector without a range selects nothing: a replica without shards has nothing to do.
# Seen:    NewSelector() is Everything(), and its text is empty, which a server takes for no selector. The replica gets all objects.
# So:      do not send a request for no shard at all.
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

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"
)

func main() {
	var mine []sharding.ShardRangeRequirement // none yet
	none := sharding.NewSelector(mine...)
	matches, err := none.Matches(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{UID: "a-uid"}})
	fmt.Printf("matches %v %v, is empty %v, text %q\n", matches, err, none.Empty(), none.String())
}
GO
go get k8s.io/apimachinery@v0.37.2 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go run .)
echo "$seen"
[ "$seen" = 'matches true <nil>, is empty true, text ""' ]
