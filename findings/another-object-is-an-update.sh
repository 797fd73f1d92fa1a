#!/usr/bin/env bash
# k8s.io/client-go v0.37.2
#
# Guess:   an object that was deleted and created again is a deletion and an addition for handlers of an informer, also if the informer missed
#          both: it compares UIDs.
# Seen:    it is one update. The objects before and after it have different UIDs.
# So:      compare UIDs in handlers of updates, and clean up after an object with a finalizer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module example.com/finding

go 1.26.0

require (
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	k8s.io/client-go v0.37.2
)
GO
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// server has another object of the same name in each list. The first watch ends, so that the informer misses the deletion in between.
type server struct{ lists, watches int }

func (s *server) list(context.Context, metav1.ListOptions) (runtime.Object, error) {
	s.lists++
	name := strconv.Itoa(s.lists)
	return &corev1.ConfigMapList{
		ListMeta: metav1.ListMeta{ResourceVersion: name},
		Items: []corev1.ConfigMap{{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "settings", UID: types.UID(name), ResourceVersion: name,
		}}},
	}, nil
}

func (s *server) watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	s.watches++
	w := watch.NewFakeWithChanSize(1, false)
	if s.watches == 1 {
		w.Error(&metav1.Status{Status: metav1.StatusFailure, Code: 410, Reason: metav1.StatusReasonExpired})
	}
	return w, nil
}

func main() {
	s, done := &server{}, make(chan struct{})
	source := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{ListWithContextFunc: s.list, WatchFuncWithContext: s.watch}, noWatchList{})
	informer := cache.NewSharedIndexInformer(source, &corev1.ConfigMap{}, 0, nil)
	uid := func(object any) types.UID { return object.(*corev1.ConfigMap).UID }
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { fmt.Println("added", uid(object)) },
		UpdateFunc: func(before, after any) {
			fmt.Println("updated from", uid(before), "to", uid(after))
			close(done)
		},
		DeleteFunc: func(any) { fmt.Println("deleted") },
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go informer.RunWithContext(ctx)
	<-done
}

// noWatchList makes the informer list and watch in two requests.
type noWatchList struct{}

// IsWatchListSemanticsUnSupported implements the interface that reflectors ask for.
func (noWatchList) IsWatchListSemanticsUnSupported() bool { return true }
GO
go mod tidy >log 2>&1 || { cat log; exit 1; }
seen=$(go run . 2>/dev/null)
echo "$seen"
[ "$seen" = 'added 1
updated from 1 to 2' ]
