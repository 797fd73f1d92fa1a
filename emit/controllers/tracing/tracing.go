// Package tracing adds OpenTelemetry spans to controllers.
package tracing

import (
	"context"
	"reflect"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	controllers "github.com/informer-gen-lite/informer-gen-lite/emit/controllers"
)

// WithTracerProvider creates a span for every reconcile, in the reconciler's context. It replaces controllers.WithTracer.
// Each span starts a new trace, even if the context of Run has a span, whose trace would never end. Conflicts, and failures in
// namespaces that are being deleted, are not recorded as errors.
func WithTracerProvider(provider trace.TracerProvider) controllers.Option {
	tracer := provider.Tracer(reflect.TypeFor[controllers.Attempt]().PkgPath())
	return controllers.WithTracer(func(ctx context.Context, attempt controllers.Attempt) (context.Context, func(controllers.Outcome, error)) {
		ctx, span := tracer.Start(ctx, "reconcile", trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindInternal),
			trace.WithAttributes(attributesOf(attempt)...))
		return ctx, func(outcome controllers.Outcome, err error) {
			span.SetAttributes(attribute.String("reconcile.outcome", string(outcome)))
			if isFailure(outcome) {
				span.RecordError(err)
				span.SetStatus(codes.Error, err.Error())
			}
			span.End()
		}
	})
}

func attributesOf(attempt controllers.Attempt) []attribute.KeyValue {
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

// isFailure reports whether the error of a reconcile belongs in its span.
func isFailure(outcome controllers.Outcome) bool {
	return outcome == controllers.OutcomeError || outcome == controllers.OutcomeGaveUp || outcome == controllers.OutcomeCancelled
}
