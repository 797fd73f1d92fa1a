package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
)

func TestSettingsCheck(t *testing.T) {
	shared, nothing := WithFactory(informer.NewFactory()), WithFactory(nil)
	options := WithInformers(informer.WithNamespaces("shop"))
	both := `WithInformers and WithFactory: WithNamespaces("shop") cannot be added to a factory: pass it to NewFactory`
	for _, test := range []struct {
		want    string
		options []Option
	}{
		{"", nil},
		{"", []Option{nothing, options}},
		{"", []Option{shared, WithResync(time.Minute)}},
		{"", []Option{shared, WithInformers(informer.WithManagedFields("us"))}},
		{"invalid number of workers 0: must be at least 1", []Option{WithWorkers(0)}},
		{"invalid number of retries -1: must be at least 0, which means forever", []Option{WithMaxRetries(-1)}},
		{"negative duration -1s", []Option{WithResync(-time.Second)}},
		{"negative duration -2s", []Option{WithItemTimeout(-2 * time.Second)}},
		{"negative duration -3s", []Option{WithSyncTimeout(-3 * time.Second)}},
		{"negative duration -4s", []Option{WithDrainTimeout(-4 * time.Second)}},
		{"negative duration -5s", []Option{WithConsistencyTimeout(-5 * time.Second)}},
		{both, []Option{shared, options}},
		{both, []Option{options, shared}},
		{"invalid number of workers 0: must be at least 1\nnegative duration -1s", []Option{WithResync(-time.Second), WithWorkers(0)}},
	} {
		err := newSettings("name", test.options).check()
		if test.want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, test.want)
		}
	}
}

// TestFactories has options for several purposes, of which the factory takes its own.
func TestFactories(t *testing.T) {
	shared, source := informer.NewFactory(), workloadSource(fake.NewClientset())
	c, err := New(source, &steps{}, WithWorkers(1), WithFactory(shared))
	require.NoError(t, err)
	assert.Same(t, shared, c.Factory())
	c, err = New(source, &steps{}, WithInformers(informer.WithNamespaces("shop")), WithInformers(informer.WithManagedFields()))
	require.NoError(t, err)
	assert.Equal(t, []string{"shop"}, c.Informer().Namespaces())

	_, err = New(source, &steps{}, WithInformers(informer.WithNamespaces()))
	assert.ErrorContains(t, err, "controller workloads.fleet.example.com: WithNamespaces()", "errors of the factory are those of New")
}
