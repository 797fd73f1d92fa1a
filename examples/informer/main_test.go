package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
)

func TestWatch(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	kube, lines, ended := kubefake.NewClientset(), make(chan string), make(chan error)
	pods := kube.CoreV1().Pods("shop")
	pod, err := pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	go func() { ended <- watch(ctx, kube, func(line string) { lines <- line }) }()
	assert.Equal(t, "shop/web is ", <-lines)
	pod.Status.Phase = corev1.PodRunning
	_, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "shop/web is Running", <-lines)
	require.NoError(t, pods.Delete(ctx, "web", metav1.DeleteOptions{}))
	assert.Equal(t, "shop/web is gone", <-lines)
	stop()
	assert.NoError(t, <-ended)
}
