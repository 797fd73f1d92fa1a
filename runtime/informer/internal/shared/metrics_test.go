package shared

import (
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/informertest"
)

// versions is a provider of metrics that keeps the last resource version of a store.
type versions struct{ last atomic.Int64 }

func (v *versions) Set(version float64) { v.last.Store(int64(version)) }

type ignored struct{}

func (ignored) Set(float64)     {}
func (ignored) Observe(float64) {}

func (*versions) NewQueuedItemMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return ignored{}
}
func (*versions) NewProcessingLatencyMetric(cache.InformerNameAndResource) cache.HistogramMetric {
	return ignored{}
}
func (v *versions) NewStoreResourceVersionMetric(cache.InformerNameAndResource) cache.GaugeMetric {
	return v
}

// published is set for the whole process, which is possible once.
var published = &versions{}

func init() { cache.SetInformerMetricsProvider(published) }

func TestNamedInformersPublishTheirVersion(t *testing.T) {
	name, err := cache.NewInformerName("shared")
	require.NoError(t, err)
	defer name.Release()
	r := newRig(t, Config{InformerName: name}, "a/x")
	handler := r.handler()
	r.startSynced()
	r.create("a/y")
	handler.take(r, "initial a/x", "add a/y")
	version, err := strconv.ParseInt(r.server.Version(), 10, 64)
	require.NoError(t, err)
	r.await("the version", func() bool { return published.last.Load() == version })
	assert.False(t, name.WithResource(informertest.Resource).Reserved(), "the informer has taken it")
}
