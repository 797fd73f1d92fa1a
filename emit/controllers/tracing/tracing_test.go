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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	controllers "github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// TestMain fails the package when any test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type reconcileFunc func(context.Context, *fleetv1.Workload) (controllers.Result, error)

// runController runs a controller for a single workload, shop/web, for a minute. It must be called in a bubble.
func runController(ctx context.Context, t *testing.T, reconcile reconcileFunc, options ...controllers.Option) error {
	t.Helper()
	client := fake.NewClientset(&fleetv1.Workload{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	c, err := controllers.New(controllers.Config[*fleetv1.Workload]{
		GroupKind: fleetv1.SchemeGroupVersion.WithKind("Workload").GroupKind(), Resource: fleetv1.Resource("workloads"),
		Namespaced: true, Client: client, Reconcile: reconcile,
		ReconcileDeleted: func(context.Context, cache.ObjectName) error { return nil },
	}, options)
	require.NoError(t, err)
	workloads := c.Factory().Fleet().V1().Workloads()
	c.Watch(controllers.Cache[*fleetv1.Workload]{
		Informer: workloads.Informer(),
		Get: func(name cache.ObjectName) (*fleetv1.Workload, error) {
			return workloads.Lister().Workloads(name.Namespace).Get(name.Name)
		},
		List: func(ctx context.Context, namespace string, options metav1.ListOptions) error {
			return controllers.ListError(client.FleetV1().Workloads(namespace).List(ctx, options))
		},
	})
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
	tests := map[controllers.Outcome]struct {
		result controllers.Result
		err    error
		hang   bool
		failed string
	}{
		controllers.OutcomeSuccess:   {},
		controllers.OutcomeRequeue:   {result: controllers.Result{RequeueAfter: time.Second}},
		controllers.OutcomeConflict:  {err: apierrors.NewConflict(fleetv1.Resource("workloads"), "web", errors.New("newer"))},
		controllers.OutcomeError:     {err: errBroken, failed: "broken"},
		controllers.OutcomeGaveUp:    {err: controllers.TerminalError(errBroken), failed: "broken"},
		controllers.OutcomeCancelled: {hang: true, failed: "context canceled"},
	}
	for outcome, test := range tests {
		t.Run(string(outcome), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				provider, exporter := newProvider(t)
				calls := 0
				reconcile := func(ctx context.Context, _ *fleetv1.Workload) (controllers.Result, error) {
					if calls++; calls > 1 {
						return controllers.Result{}, nil
					}
					if test.hang {
						<-ctx.Done()
						return controllers.Result{}, ctx.Err()
					}
					return test.result, test.err
				}
				err := runController(t.Context(), t, reconcile, WithTracerProvider(provider), controllers.WithDrainTimeout(time.Second))
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
		reconcile := func(ctx context.Context, _ *fleetv1.Workload) (controllers.Result, error) {
			_, inner := provider.Tracer("test").Start(ctx, "inner")
			defer inner.End()
			time.Sleep(time.Second) // in the bubble
			return controllers.Result{}, nil
		}
		require.NoError(t, runController(ctx, t, reconcile, WithTracerProvider(provider), controllers.WithName("fleet")))

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
		assert.Equal(t, "github.com/informer-gen-lite/informer-gen-lite/emit/controllers", outer.InstrumentationScope.Name)
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
	}, attributesOf(controllers.Attempt{Controller: "regions", Object: cache.ObjectName{Name: "north"}, ID: "1"}))
}
