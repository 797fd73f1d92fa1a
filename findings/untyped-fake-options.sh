#!/usr/bin/env bash
# k8s.io/client-go v0.37.2, metadata/fake and dynamic/fake
#
# Guess:   reactors of fake metadata and dynamic clients get the options of a list, as reactors of typed fakes do: limit, version, shard.
# Seen:    they get the selectors for labels and fields, and nothing else.
# So:      a reactor can answer in pages, or for a version, to typed clients only.
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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
)

func main() {
	ctx, options := context.Background(), metav1.ListOptions{LabelSelector: "a=b", Limit: 7, ResourceVersion: "5"}
	resource := corev1.SchemeGroupVersion.WithResource("pods")
	scheme := metadatafake.NewTestScheme()
	_ = metav1.AddMetaToScheme(scheme)
	metadata := metadatafake.NewSimpleMetadataClient(scheme)
	dynamic := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{resource: "PodList"})
	typed := kubefake.NewClientset()
	see := func(name string) clienttesting.ReactionFunc {
		return func(action clienttesting.Action) (bool, runtime.Object, error) {
			got := action.(clienttesting.ListActionImpl)
			fmt.Printf("%s: labels %s, limit %d, version %q\n", name, got.ListRestrictions.Labels, got.ListOptions.Limit, got.ListOptions.ResourceVersion)
			return false, nil, nil
		}
	}
	typed.PrependReactor("list", "*", see("typed"))
	metadata.PrependReactor("list", "*", see("metadata"))
	dynamic.PrependReactor("list", "*", see("dynamic"))
	_, _ = typed.CoreV1().Pods("").List(ctx, options)
	_, _ = metadata.Resource(resource).List(ctx, options)
	_, _ = dynamic.Resource(resource).List(ctx, options)
}
GO
go get k8s.io/client-go@v0.37.2 k8s.io/api@v0.37.2 k8s.io/apimachinery@v0.37.2 2>/dev/null
go mod tidy 2>/dev/null
seen=$(go run .)
echo "$seen"
[ "$seen" = 'typed: labels a=b, limit 7, version "5"
metadata: labels a=b, limit 0, version ""
dynamic: labels a=b, limit 0, version ""' ]
