package consistency_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	corev1listers "k8s.io/client-go/listers/core/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/kubetest"
)

// delayed is a watch whose events come late.
type delayed struct {
	watch.Interface

	results chan watch.Event
	stopped chan struct{}
}

// delay delays the events of all watches of a clientset.
func delay(kube *kubefake.Clientset, by time.Duration) {
	chain := slices.Clone(kube.WatchReactionChain)
	kube.PrependWatchReactor("*", func(action clienttesting.Action) (handled bool, opened watch.Interface, err error) {
		for _, reactor := range chain {
			if !reactor.Handles(action) {
				continue
			}
			if handled, opened, err = reactor.React(action); handled {
				break
			}
		}
		if err != nil || !handled {
			return handled, opened, err
		}
		late := &delayed{opened, make(chan watch.Event), make(chan struct{})}
		go late.run(by)
		return true, late, nil
	})
}

func (d *delayed) run(by time.Duration) {
	type due struct {
		event watch.Event
		at    time.Time
	}
	events := make(chan due, 1000)
	go func() {
		defer close(events)
		for event := range d.Interface.ResultChan() {
			events <- due{event, time.Now().Add(by)}
		}
	}()
	defer close(d.results)
	for next := range events {
		time.Sleep(time.Until(next.at))
		select {
		case d.results <- next.event:
		case <-d.stopped:
		}
	}
}

// ResultChan implements watch.Interface.
func (d *delayed) ResultChan() <-chan watch.Event { return d.results }

// Stop implements watch.Interface.
func (d *delayed) Stop() {
	close(d.stopped)
	d.Interface.Stop()
}

// watchAll caches the secrets of all namespaces.
func (c *tokens) watchAll(ctx context.Context, namespaces []string) (stop func(), err error) {
	factory := informers.NewSharedInformerFactory(c.kube, 0)
	secrets := factory.Core().V1().Secrets()
	stopWatching, err := consistency.WatchShared[*corev1.Secret](
		c.tracker, secrets.Informer(), consistency.Selection{Resource: secretResource})
	for _, namespace := range namespaces {
		c.secrets[namespace] = secrets.Lister().Secrets(namespace)
	}
	factory.StartWithContext(ctx)
	factory.WaitForCacheSyncWithContext(ctx)
	return func() { stopWatching(); factory.Shutdown() }, err
}

// TestClientGo runs the controller of the example while watches lag by two seconds: 100 reconciles in each of three namespaces are
// requested until the first event arrives, and after that.
func TestClientGo(t *testing.T) {
	namespaces := []string{"bank", "blog", "shop"}
	for name, test := range map[string]struct {
		options     []consistency.Option
		oneInformer bool
		once        bool
	}{
		"an informer for each namespace":                  {nil, false, true},
		"an informer for all":                             {nil, true, true},
		"an informer for each namespace, without waiting": {[]consistency.Option{consistency.WithTimeout(0)}, false, false},
		"an informer for all, without waiting":            {[]consistency.Option{consistency.WithTimeout(0)}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				kube := kubetest.NewClientset()
				delay(kube, 2*time.Second)
				c := &tokens{
					kube: kube, tracker: consistency.NewTracker(test.options...), queue: workqueue.NewTyped[cache.ObjectName](),
					secrets: map[string]corev1listers.SecretNamespaceLister{},
				}
				defer c.tracker.Stop()
				var stops []func()
				if test.oneInformer {
					stop, err := c.watchAll(ctx, namespaces)
					require.NoError(t, err)
					stops = append(stops, stop)
				}
				for n := 0; n < len(namespaces) && !test.oneInformer; n++ {
					stop, err := c.watch(ctx, namespaces[n])
					require.NoError(t, err)
					stops = append(stops, stop)
				}
				var workers sync.WaitGroup
				for range 2 {
					workers.Go(func() {
						for c.processNext(ctx) { // until the queue is shut down
						}
					})
				}
				for n := range 100 {
					for i, namespace := range namespaces {
						if n >= 10*i { // each begins before the event about the one before
							c.queue.Add(cache.NewObjectName(namespace, "token"))
						}
					}
					time.Sleep(100 * time.Millisecond)
				}
				c.queue.ShutDown()
				workers.Wait()
				for _, namespace := range namespaces {
					made, err := kube.CoreV1().Secrets(namespace).List(ctx, metav1.ListOptions{})
					require.NoError(t, err)
					if test.once {
						assert.Len(t, made.Items, 1, namespace)
					} else {
						assert.Greater(t, len(made.Items), 1, fmt.Sprint(namespace, ": the lag makes no difference"))
					}
				}
				cancel()
				for _, stop := range stops {
					stop()
				}
			})
		})
	}
}
