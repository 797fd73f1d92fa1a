package controller

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	kubefake "k8s.io/client-go/kubernetes/fake"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

// TestControllersOfOneName runs controllers while another one of their name runs.
func TestControllersOfOneName(t *testing.T) {
	for name, test := range map[string]struct {
		options func(shared *informer.Factory, metrics Metrics) []Option
		clashes bool
	}{
		"one factory": {func(shared *informer.Factory, _ Metrics) []Option {
			return []Option{WithFactory(shared)}
		}, true},
		"one receiver of metrics": {func(_ *informer.Factory, metrics Metrics) []Option {
			return []Option{WithMetrics(metrics)}
		}, true},
		"another receiver and factory": {func(*informer.Factory, Metrics) []Option {
			return []Option{WithMetrics(&tally{})}
		}, false},
		"no metrics, another factory": {func(*informer.Factory, Metrics) []Option { return nil }, false},
		"metrics that cannot be compared": {func(*informer.Factory, Metrics) []Option {
			return []Option{WithMetrics(uncomparable{})}
		}, false},
		"another name": {func(shared *informer.Factory, metrics Metrics) []Option {
			return []Option{WithFactory(shared), WithName("second"), WithMetrics(metrics)}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared, metrics := informer.NewFactory(), &tally{}
				first := newRig(t, &steps{}, []Option{WithFactory(shared), WithMetrics(metrics)}, held("web")).run(t)
				second := newRig(t, &steps{}, test.options(shared, metrics)).run(t)
				if test.clashes {
					assert.EqualError(t, <-second.done, "controller workloads.fleet.example.com: a controller of this name runs already "+
						"on the same factory or with the same metrics: use WithName for one of them")
				} else {
					assert.NoError(t, second.end())
				}
				assert.True(t, first.controller.HasSynced(), "the first is not affected")
				require.NoError(t, first.end())
			})
		})
	}
}

// uncomparable is a receiver of metrics.
type uncomparable struct {
	NoMetrics
	_ []string
}

// TestControllerNameIsFreeAgain runs controllers of one name one after the other, and some not at all.
func TestControllerNameIsFreeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		factory := informer.NewFactory()
		for range 3 {
			newRig(t, &steps{}, []Option{WithFactory(factory)})
			r := newRig(t, &steps{}, []Option{WithFactory(factory)}).run(t)
			require.True(t, r.controller.HasSynced())
			require.NoError(t, r.end())
		}
	})
}

// TestNewConcurrently constructs controllers over one factory, for the race detector.
func TestNewConcurrently(t *testing.T) {
	client, kube, factory := fake.NewSimpleClientset(), kubefake.NewSimpleClientset(), informer.NewFactory()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c, err := newWorkloadController(client, kube, &steps{}, WithName(strconv.Itoa(i)), WithFactory(factory))
			if assert.NoError(t, err) {
				_, err = c.deployments.By(held("web"))
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
}
