package controllers

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	kubeinformers "k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	informers "github.com/informer-gen-lite/informer-gen-lite/examples/generated/informers/externalversions"
)

func newNamed(client versioned.Interface, options ...Option) (*workloadController, error) {
	return newWorkloadController(client, kubefake.NewSimpleClientset(), &steps{}, options...)
}

func TestControllersOfOneName(t *testing.T) {
	client := fake.NewSimpleClientset()
	metrics := &tally{}
	first, err := newNamed(client, WithMetrics(metrics))
	require.NoError(t, err)
	for name, test := range map[string]struct {
		client  versioned.Interface
		options []Option
		clashes bool
	}{
		"one client":                     {client, nil, true},
		"one receiver of metrics":        {fake.NewSimpleClientset(), []Option{WithMetrics(metrics)}, true},
		"another receiver and client":    {fake.NewSimpleClientset(), []Option{WithMetrics(&tally{})}, false},
		"no metrics, another client":     {fake.NewSimpleClientset(), nil, false},
		"no metrics, and a third client": {fake.NewSimpleClientset(), nil, false},
		"another name":                   {client, []Option{WithName("second"), WithMetrics(metrics)}, false},
	} {
		_, err := newNamed(test.client, test.options...)
		if test.clashes {
			assert.EqualError(t, err, "controller workloads.fleet.example.com: duplicate controller name "+
				"workloads.fleet.example.com: use WithName for one of them", name)
		} else {
			assert.NoError(t, err, name)
		}
	}
	runtime.KeepAlive(first)
}

// TestControllerNameIsFreeAgain makes controllers of one name one after the other.
func TestControllerNameIsFreeAgain(t *testing.T) {
	t.Run("after Run", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, &steps{}, nil).run(t)
			assert.ErrorContains(t, ignoreResult(newNamed(r.client)), "duplicate controller name")
			require.NoError(t, r.end())
			assert.NoError(t, ignoreResult(newNamed(r.client)))
			runtime.KeepAlive(r.controller)
		})
	})
	t.Run("never run", func(t *testing.T) {
		client := fake.NewSimpleClientset()
		for range 10 {
			require.NoError(t, ignoreResult(newNamed(client)))
		}
	})
}

// TestNewConcurrently constructs controllers over one factory, for the race detector.
func TestNewConcurrently(t *testing.T) {
	client, kube := fake.NewSimpleClientset(), kubefake.NewSimpleClientset()
	shared, sharedKube := informers.NewSharedInformerFactory(client, 0), kubeinformers.NewSharedInformerFactory(kube, 0)
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		all.Add(1)
		go func() {
			defer all.Done()
			c, err := newWorkloadController(client, kube, &steps{}, WithName(name), WithFactory(shared), WithKubeFactory(sharedKube))
			if assert.NoError(t, err) {
				_, err = c.deployments.By(held("web"))
				assert.NoError(t, err)
			}
		}()
	}
	all.Wait()
}
