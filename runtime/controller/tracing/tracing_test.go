package tracing

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type reconcileFunc func(context.Context, *corev1.Pod) (controller.Result, error)

func (f reconcileFunc) Reconcile(ctx context.Context, pod *corev1.Pod) (controller.Result, error) {
	return f(ctx, pod)
}

func (reconcileFunc) ReconcileDeleted(context.Context, cache.ObjectName) error { return nil }

// runController runs a controller for a single pod, shop/web, for a minute. It must be called in a bubble.
func runController(ctx context.Context, t *testing.T, reconcile reconcileFunc, options ...controller.Option) error {
	t.Helper()
	kube := kubefake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	source := informer.Namespaced(kube, corev1.SchemeGroupVersion.WithResource("pods"), kube.CoreV1().Pods)
	c, err := controller.New(source, reconcile, options...)
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	return c.Run(ctx)
}

func newProvider(t *testing.T) (*sdktrace.TracerProvider, *tracetest.InMemoryExporter) {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter))
	t.Cleanup(func() { assert.NoError(t, provider.Shutdown(context.Background())) })
	return provider, exporter
}

// valueOf returns the value of an attribute; "" if the span does not have it.
func valueOf(attributes []attribute.KeyValue, key string) string {
	for _, a := range attributes {
		if string(a.Key) == key {
			return a.Value.AsString()
		}
	}
	return ""
}

func TestOutcomes(t *testing.T) {
	errBroken := errors.New("broken")
	tests := map[controller.Outcome]struct {
		result controller.Result
		err    error
		hang   bool
		failed string
	}{
		controller.OutcomeSuccess:  {},
		controller.OutcomeRequeue:  {result: controller.Result{RequeueAfter: time.Second}},
		controller.OutcomeConflict: {err: apierrors.NewConflict(corev1.Resource("pods"), "web", errors.New("newer"))},
		controller.OutcomeError:    {err: errBroken, failed: "broken"},
		controller.OutcomeGaveUp:   {err: controller.TerminalError(errBroken), failed: "broken"},
		controller.OutcomeCanceled: {hang: true, failed: "context canceled"},
	}
	for outcome, test := range tests {
		t.Run(string(outcome), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				provider, exporter := newProvider(t)
				calls := 0
				reconcile := func(ctx context.Context, _ *corev1.Pod) (controller.Result, error) {
					if calls++; calls > 1 {
						return controller.Result{}, nil
					}
					if test.hang {
						<-ctx.Done()
						return controller.Result{}, ctx.Err()
					}
					return test.result, test.err
				}
				err := runController(t.Context(), t, reconcile, WithTracerProvider(provider), controller.WithDrainTimeout(time.Second))
				assert.Equal(t, test.hang, err != nil, "%v", err)

				spans := exporter.GetSpans()
				require.Len(t, spans, calls)
				span := spans[0]
				assert.Equal(t, string(outcome), valueOf(span.Attributes, "reconcile.outcome"))
				assert.Equal(t, test.failed, span.Status.Description)
				if test.failed == "" {
					assert.Equal(t, codes.Unset, span.Status.Code)
					assert.Empty(t, span.Events)
					return
				}
				assert.Equal(t, codes.Error, span.Status.Code)
				require.Len(t, span.Events, 1)
				assert.Equal(t, test.failed, valueOf(span.Events[0].Attributes, "exception.message"))
			})
		})
	}
}

// TestSpan runs a reconciler that makes a span, in a context that has one.
func TestSpan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, exporter := newProvider(t)
		ctx, start := provider.Tracer("test").Start(t.Context(), "start")
		defer start.End()
		reconcile := func(ctx context.Context, _ *corev1.Pod) (controller.Result, error) {
			_, inner := provider.Tracer("test").Start(ctx, "inner")
			defer inner.End()
			time.Sleep(time.Second) // in the bubble
			return controller.Result{}, nil
		}
		require.NoError(t, runController(ctx, t, reconcile, WithTracerProvider(provider), controller.WithName("fleet")))

		spans := exporter.GetSpans()
		require.Len(t, spans, 2)
		inner, outer := spans[0], spans[1]
		assert.Equal(t, "inner", inner.Name)
		assert.Equal(t, outer.SpanContext.SpanID(), inner.Parent.SpanID())
		assert.Equal(t, "reconcile", outer.Name)
		assert.Equal(t, trace.SpanKindInternal, outer.SpanKind)
		assert.False(t, outer.Parent.IsValid())
		assert.NotEqual(t, start.SpanContext().TraceID(), outer.SpanContext.TraceID())
		assert.Equal(t, time.Second, outer.EndTime.Sub(outer.StartTime))
		assert.Equal(t, "github.com/informer-gen-lite/informer-gen-lite/runtime/controller", outer.InstrumentationScope.Name)
		id := valueOf(outer.Attributes, "reconcile.id")
		assert.NotEmpty(t, id)
		assert.ElementsMatch(t, []attribute.KeyValue{
			attribute.String("controller", "fleet"), attribute.String("reconcile.id", id), attribute.String("k8s.namespace.name", "shop"),
			attribute.String("k8s.object.name", "web"), attribute.String("reconcile.outcome", "success"),
		}, outer.Attributes)
	})
}

func TestAttributesOfClusterScoped(t *testing.T) {
	assert.Equal(t, []attribute.KeyValue{
		attribute.String("controller", "regions"), attribute.String("reconcile.id", "1"), attribute.String("k8s.object.name", "north"),
	}, attributesOf(controller.Attempt{Controller: "regions", Object: cache.ObjectName{Name: "north"}, ID: "1"}))
}
