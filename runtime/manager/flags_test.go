package manager

import (
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// settingsOf returns the settings of a command with options and flags.
func settingsOf(t *testing.T, own []Option, args ...string) *settings {
	t.Helper()
	f, err := parseFlags("operator", args, io.Discard, nil)
	require.NoError(t, err)
	f.leaseNamespace = "of-the-pod"
	defaults, given := f.options(false)
	return newSettings(slices.Concat(defaults, own, given))
}

// TestFlagsOfElection: a flag overrides what it names, and nothing else.
func TestFlagsOfElection(t *testing.T) {
	own := []Option{WithLeaderElection(LeaderElection{Namespace: "ours", LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second})}
	s := settingsOf(t, own, "--leader-elect-retry-period=3s")
	assert.Equal(t, &LeaderElection{"ours", time.Minute, 40 * time.Second, 3 * time.Second}, s.election)
	s = settingsOf(t, own, "--leader-elect")
	assert.Equal(t, &LeaderElection{"ours", time.Minute, 40 * time.Second, 2 * time.Second}, s.election)
	s = settingsOf(t, nil, "--leader-elect-lease-duration=20s")
	assert.Equal(t, &LeaderElection{"of-the-pod", 20 * time.Second, 10 * time.Second, 2 * time.Second}, s.election)
	assert.Nil(t, settingsOf(t, own, "--leader-elect=false", "--leader-elect-retry-period=3s").election)
}

// TestFlagsOfShards: the flag overrides the option, and 0 ends it.
func TestFlagsOfShards(t *testing.T) {
	own := []Option{WithShards(Shards{})}
	assert.Nil(t, settingsOf(t, nil).shards)
	assert.Equal(t, &Shards{Slots: 16}, settingsOf(t, own).shards)
	assert.Equal(t, &Shards{Slots: 3}, settingsOf(t, own, "--shards=3").shards)
	assert.Nil(t, settingsOf(t, own, "--shards=0").shards)
	s := settingsOf(t, own, "--leader-elect=false")
	require.NoError(t, s.check())
	assert.Nil(t, newReplicas(&Manager{settings: s}), "one process has everything")
}
