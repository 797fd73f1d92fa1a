#!/usr/bin/env bash
# k8s.io/client-go v0.37.2, tools/leaderelection
#
# Guess:   a leader gives up RenewDeadline after its last renewal, so before its lease runs out, because RenewDeadline must be shorter.
# Seen:    the deadline begins with the next attempt, a RetryPeriod after the last renewal. With 5 s, 4 s and 2 s, which are accepted, the
#          leader gives up after 6 s: a second after others may lead.
# So:      choose a LeaseDuration that is longer than RenewDeadline and RetryPeriod together, as the usual 15 s, 10 s and 2 s are.
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
	"encoding/json"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// lock accepts the first two writes, and fails from then on, as while an API server is away.
type lock struct {
	writes int
	last   time.Time
	record *resourcelock.LeaderElectionRecord
}

func (l *lock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	if l.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "lamp")
	}
	raw, err := json.Marshal(l.record)
	return l.record, raw, err
}

func (l *lock) write(record resourcelock.LeaderElectionRecord) error {
	if l.writes++; l.writes > 2 {
		return errors.New("the API server is away")
	}
	l.record, l.last = &record, time.Now()
	return nil
}

func (l *lock) Create(_ context.Context, r resourcelock.LeaderElectionRecord) error { return l.write(r) }
func (l *lock) Update(_ context.Context, r resourcelock.LeaderElectionRecord) error { return l.write(r) }
func (l *lock) RecordEvent(string)                                                  {}
func (l *lock) Identity() string                                                    { return "lamp-1" }
func (l *lock) Describe() string                                                    { return "lamp" }

func main() {
	l := &lock{}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: l, LeaseDuration: 5 * time.Second, RenewDeadline: 4 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	if err != nil {
		panic(err)
	}
	elector.Run(context.Background())
	fmt.Println("gives up", time.Since(l.last).Round(time.Second), "after the last renewal, of a lease of 5s")
}
GO
go get k8s.io/client-go@v0.37.2 >log 2>&1 && go mod tidy >>log 2>&1 || { cat log; exit 1; }
seen=$(go run . 2>/dev/null)
echo "$seen"
[ "$seen" = "gives up 6s after the last renewal, of a lease of 5s" ]
