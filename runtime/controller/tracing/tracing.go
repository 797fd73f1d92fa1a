// Package tracing adds OpenTelemetry spans to controller.
package tracing

import (
	"context"
	"reflect"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
)

// WithTracerProvider creates a span for every reconcile, in the reconciler's context. It replaces controller.WithTracer.
// Each span starts a new trace, even if the context of Run has a span, whose trace would never end. Conflicts, and failures in
// namespaces that are being deleted, are not recorded as errors.
func WithTracerProvider(provider trace.TracerProvider) controller.Option {
	tracer := provider.Tracer(reflect.TypeFor[controller.Attempt]().PkgPath())
	start := func(ctx context.Context, attempt controller.Attempt) (context.Context, func(controller.Outcome, error)) {
		ctx, span := tracer.Start( //nolint:spancheck // the function that is returned ends it
			ctx, "reconcile", trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindInternal),
			trace.WithAttributes(attributesOf(attempt)...))
		return ctx, func(outcome controller.Outcome, err error) { //nolint:spancheck // it ends the span
			span.SetAttributes(attribute.String("reconcile.outcome", string(outcome)))
			if outcome == controller.OutcomeError || outcome == controller.OutcomeGaveUp || outcome == controller.OutcomeCanceled {
				span.RecordError(err)
				span.SetStatus(codes.Error, err.Error())
			}
			span.End()
		}
	}
	return controller.WithTracer(start)
}

func attributesOf(attempt controller.Attempt) []attribute.KeyValue {
	attributes := []attribute.KeyValue{
		attribute.String("controller", attempt.Controller),
		attribute.String("reconcile.id", attempt.ID),
		attribute.String("k8s.object.name", attempt.Object.Name),
	}
	if attempt.Object.Namespace != "" {
		attributes = append(attributes, attribute.String("k8s.namespace.name", attempt.Object.Namespace))
	}
	return attributes
}
