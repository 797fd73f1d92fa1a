package reconcile

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
	klog "k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
	"k8s.io/klog/v2/textlogger"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/internal/caches"
)

func loggerFor(logger klog.Logger) klog.Logger {
	return new(lazySink).addTo(logger, web, 1)
}

var web = cache.NewObjectName("shop", "web")

func TestNew(t *testing.T) {
	set := &caches.Set{}
	ctx, id := New(t.Context(), web, set, nil)
	_, other := New(t.Context(), web, set, nil)
	assert.NotEqual(t, id, other)
	assert.Regexp(t, `^[0-9a-f]{16}$`, id.String())
	type key struct{}
	inner := context.WithValue(ctx, key{}, "inner")
	a := From(inner)
	require.NotNil(t, a)
	assert.Equal(t, web, a.Item)
	assert.Same(t, set, a.Caches)
	assert.Nil(t, From(t.Context()))
}

// TestLogger logs in all ways. Each line has the item, the ID, and the file of the caller.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	parent := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&out), textlogger.Verbosity(3)))
	logger := loggerFor(parent)
	for _, log := range []func(){
		func() { logger.Info("one") },
		func() { logger.Error(errors.New("broken"), "two") },
		func() { logger.WithValues("a", "b").Info("three") },
		func() { logger.WithName("name").Info("four") },
		func() { logger.V(3).Info("five") },
		func() { nested(logger) },
	} {
		out.Reset()
		log()
		assert.Regexp(t, ` attempt_test.go:\d+\] .*object="shop/web" reconcileID="0000000000000001"`, out.String())
	}
	out.Reset()
	logger.V(4).Info("too verbose")
	assert.Empty(t, out.String())
	assert.False(t, logger.V(4).Enabled())
	assert.True(t, logger.V(3).Enabled())

	logger = loggerFor(parent.V(2))
	assert.False(t, logger.V(2).Enabled(), "the verbosity of the parent counts")
	logger = loggerFor(klog.Logger{})
	logger.Info("to nobody")
}

// nested is a helper that logs for its caller.
func nested(logger klog.Logger) { logger.WithCallDepth(1).Info("six") }

// TestLoggerWithoutCallers has a sink that cannot skip frames.
func TestLoggerWithoutCallers(t *testing.T) {
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
	loggerFor(logger).Info("Hello")
	assert.Contains(t, logger.GetSink().(ktesting.Underlier).GetBuffer().String(), `Hello object="shop/web" reconcileID="0000000000000001"`)
	assert.Equal(t, plain{}, skipFrames(plain{}, 1))
}

// plain is a sink without additional methods.
type plain struct{ klog.LogSink }

// TestSlog has log/slog write the lines.
func TestSlog(t *testing.T) {
	var out bytes.Buffer
	previous := klog.Background()
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{AddSource: true})))
	defer klog.SetLogger(previous)
	defer klog.ClearLogger()
	loggerFor(klog.Background()).Info("Hello")
	assert.Regexp(t, `source=\S*attempt_test.go:\d+ msg=Hello object=shop/web reconcileID=0000000000000001`, out.String())
}

// BenchmarkLogger compares the ways to add values to the logger of a context that nobody logs with.
func BenchmarkLogger(b *testing.B) {
	ctx := klog.NewContext(b.Context(), klog.LoggerWithValues(klog.Background(), "controller", "workloads.fleet.example.com"))
	b.Run("lazy", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = klog.NewContext(ctx, loggerFor(klog.FromContext(ctx)))
		}
	})
	b.Run("eager", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			logger := klog.FromContext(ctx)
			_ = klog.NewContext(ctx, klog.LoggerWithValues(logger, "object", web, "reconcileID", ID(1)))
		}
	})
}
