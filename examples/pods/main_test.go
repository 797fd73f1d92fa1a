package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeapply "k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// terminal records the lines that are printed. While it is broken, printing fails.
type terminal struct {
	lock   sync.Mutex
	broken bool
	tries  int
	lines  []string
}

func (s *terminal) print(line string) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.tries++; s.broken {
		return errors.New("broken pipe")
	}
	s.lines = append(s.lines, line)
	return nil
}

// setBroken breaks or repairs the terminal.
func (s *terminal) setBroken(broken bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.broken, s.tries = broken, 0
}

// take returns the number of tries since setBroken, and the sorted lines since the last call, once the controller is idle.
func (s *terminal) take() (tries int, lines []string) {
	synctest.Wait()
	s.lock.Lock()
	defer s.lock.Unlock()
	lines, s.lines = slices.Sorted(slices.Values(s.lines)), nil
	return s.tries, lines
}

func pod(name string, phase corev1.PodPhase) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Status: corev1.PodStatus{Phase: phase}}
}

// start runs the controller on client-go's fake clientset, which behaves like an API server, until the test ends.
func start(t *testing.T, objects ...*corev1.Pod) (*kubefake.Clientset, *terminal) {
	t.Helper()
	kube, server, screen := kubefake.NewClientset(), strictfake.NewServer(), &terminal{}
	require.NoError(t, server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	for _, object := range objects {
		require.NoError(t, server.Add(object))
	}
	pods, err := newController(kube, screen.print)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- pods.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-done)
	})
	return kube, screen
}

func TestPodsAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube, screen := start(t, pod("web-0", corev1.PodRunning), pod("web-1", corev1.PodPending))
		_, lines := screen.take()
		assert.Equal(t, []string{"pod shop/web-0 is Running", "pod shop/web-1 is Pending"}, lines)

		pods := kube.CoreV1().Pods("shop")
		failed, err := pods.Get(t.Context(), "web-1", metav1.GetOptions{})
		require.NoError(t, err)
		failed.Status.Phase = corev1.PodFailed
		_, err = pods.UpdateStatus(t.Context(), failed, metav1.UpdateOptions{})
		require.NoError(t, err)
		_, lines = screen.take()
		assert.Equal(t, []string{"pod shop/web-1 is Failed"}, lines)

		require.NoError(t, pods.Delete(t.Context(), "web-0", metav1.DeleteOptions{}))
		_, lines = screen.take()
		assert.Equal(t, []string{"pod shop/web-0 has vanished"}, lines)
	})
}

func TestRetriesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kube, screen := start(t)
		screen.setBroken(true)
		_, err := kube.CoreV1().Pods("shop").Create(t.Context(), pod("web-0", corev1.PodRunning), metav1.CreateOptions{})
		require.NoError(t, err)
		time.Sleep(time.Minute) // in the bubble: longer than all retries
		tries, lines := screen.take()
		assert.Equal(t, 6, tries, "one and five retries")
		assert.Empty(t, lines)

		screen.setBroken(false)
		require.NoError(t, kube.CoreV1().Pods("shop").Delete(t.Context(), "web-0", metav1.DeleteOptions{}))
		_, lines = screen.take()
		assert.Equal(t, []string{"pod shop/web-0 has vanished"}, lines, "the next event is another chance")
	})
}
