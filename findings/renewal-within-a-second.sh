#!/usr/bin/env bash
# k8s.io/client-go v0.37.2, tools/leaderelection
#
# Guess:   a candidate waits for the lease duration after each renewal that it sees. Leases have microseconds for that.
# Seen:    the elector compares times in whole seconds. A renewal within the second of the renewal before it looks like none: a lease of 2 s is
#          taken 1.4 s after it was renewed.
# So:      renew at most once in a second: a RetryPeriod of 1 s or more, as the usual 2 s.
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
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	ctx, holder, duration := context.Background(), "lamp-1", int32(2)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: "home", Name: "lamp"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &duration, AcquireTime: &metav1.MicroTime{Time: time.Now()}},
	}
	client := fake.NewClientset(lease)
	// renew renews the lease in the name of the holder, at a time.
	renew := func(at time.Time) {
		time.Sleep(time.Until(at))
		lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Now()}
		if _, err := client.CoordinationV1().Leases("home").Update(ctx, lease, metav1.UpdateOptions{}); err != nil {
			panic(err)
		}
	}
	candidate, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta: lease.ObjectMeta, Client: client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "lamp-2"},
		},
		LeaseDuration: 2 * time.Second, RenewDeadline: 1500 * time.Millisecond, RetryPeriod: 100 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	if err != nil {
		panic(err)
	}
	second := time.Now().Truncate(time.Second).Add(2 * time.Second)
	renew(second.Add(50 * time.Millisecond))
	go candidate.Run(ctx)
	renew(second.Add(850 * time.Millisecond))
	for !candidate.IsLeader() {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("taken before the lease has run out:", time.Since(lease.Spec.RenewTime.Time) < 1800*time.Millisecond)
}
GO
go get k8s.io/client-go@v0.37.2 k8s.io/api@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run . 2>/dev/null)
echo "$seen"
[ "$seen" = "taken before the lease has run out: true" ]
