#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2, pkg/sharding
#
# Guess:   eight equal ranges of the hash of object.metadata.namespace get about 13 of 100 namespaces each, as ranges of UIDs do.
# Seen:    namespaces with numbers at the end are all in one of the ranges: the last characters of a text hardly reach the highest bits of
#          FNV-1a, and ranges are made of these.
# So:      shard by object.metadata.uid.
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
	"k8s.io/apimachinery/pkg/types"
)

func main() {
	for _, key := range []string{"object.metadata.namespace", "object.metadata.uid"} {
		var counts []int
		for n := range uint64(8) {
			end := fmt.Sprintf("0x%016x", (n+1)<<61)
			if n == 7 {
				end = "0x10000000000000000"
			}
			shard := sharding.NewSelector(sharding.ShardRangeRequirement{Key: key, Start: fmt.Sprintf("0x%016x", n<<61), End: end})
			count := 0
			for tenant := range 100 {
				object := &metav1.PartialObjectMetadata{}
				object.Namespace = fmt.Sprintf("tenant-%03d", tenant)
				// Fixed, but spread over all characters, as the UIDs of a server are.
				object.UID = types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(tenant+1)*2654435761, uint64(tenant+1)*0x9e3779b97f4a7c15>>16))
				if in, err := shard.Matches(object); err == nil && in {
					count++
				}
			}
			counts = append(counts, count)
		}
		fmt.Println(key, counts)
	}
}
GO
go get k8s.io/apimachinery@v0.37.2 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go run .)
echo "$seen"
grep -Eq 'namespace \[(0 )*100( 0)*\]' <<<"$seen"
! grep -Eq 'uid .*[[ ]0[] ]' <<<"$seen"
