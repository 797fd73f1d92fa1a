package faults

import (
	"context"
	"fmt"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	klog "k8s.io/klog/v2"
)

// Recover stores a panic in err, calls count, and calls apimachinery's panic handlers. The first handler logs the panic. Recover must be
// deferred.
func Recover(ctx context.Context, count func(), err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("panic: %v", reason)
		count()
		for _, handle := range utilruntime.PanicHandlers {
			handle(ctx, reason)
		}
	}
}

// Guarded returns a function that calls f and returns the zero value if f panics, which Recover reports. Functions for events need that:
// one object that they do not expect would end the process, and again after each restart.
func Guarded[T, R any](controller string, count func(), f func(T) R) func(T) R {
	ctx := klog.NewContext(context.Background(), klog.LoggerWithValues(klog.Background(), "controller", controller))
	return func(argument T) (result R) {
		defer Recover(ctx, count, new(error)) // Recover reports it
		return f(argument)
	}
}
