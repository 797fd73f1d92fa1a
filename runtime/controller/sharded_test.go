package controller

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// lazy reconciles nothing.
type lazy struct{}

// Reconcile implements Reconciler.
func (lazy) Reconcile(context.Context, *corev1.Pod) (Result, error) { return Result{}, nil }

// ReconcileDeleted implements Reconciler.
func (lazy) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// TestWatchChannelOfReplicas refuses a channel whose events may reach a replica that does not have their objects, with shards in use or not.
func TestWatchChannelOfReplicas(t *testing.T) {
	kube := kubefake.NewClientset()
	pods := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
	names := func(string) []cache.ObjectName { return nil }
	for _, test := range []struct {
		of      []Option
		options []ChannelOption
		want    string
	}{
		{},
		{of: []Option{Sharded()}, options: []ChannelOption{EveryReplica()}},
		{of: []Option{Sharded()}, want: "controller pods: WatchChannel needs EveryReplica with Sharded: an event reaches the object only if " +
			"the replica that has it receives the event"},
	} {
		c, err := New(pods, lazy{}, test.of...)
		require.NoError(t, err)
		if err = WatchChannel(c, make(chan string), names, test.options...); test.want != "" {
			assert.EqualError(t, err, test.want)
			continue
		}
		assert.NoError(t, err)
	}
}
