// Package interrupt ends runs early if the program, or a command that it started, is interrupted.
//
// Ctrl-C and timeout send their signal to both processes, in no particular order. Without this package, a run could report the
// death of the go command as an error in the user's packages.
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// key is the context key of the function that cancels the context.
type key struct{}

// Context returns the context of a run. It is done when parent is, when a command of the run is interrupted, or when cancel is called.
func Context(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, cancel = context.WithCancel(parent)
	return context.WithValue(ctx, key{}, cancel), cancel
}

// Command converts the error of a command of the run. If the command was interrupted, or ended because ctx is done, it returns
// the context's error: the incomplete output of an interrupted command says nothing about the input.
func Command(ctx context.Context, err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status, ok := exit.Sys().(syscall.WaitStatus)
		if ok && status.Signaled() && (status.Signal() == syscall.SIGINT || status.Signal() == syscall.SIGTERM) {
			if cancel, ok := ctx.Value(key{}).(context.CancelFunc); ok {
				cancel()
			}
			return fmt.Errorf("%w: %w", context.Canceled, err)
		}
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Do returns the result of f, or the error of the context as soon as it is done. Then f continues to run, so it must not write.
func Do[T any](ctx context.Context, f func() (T, error)) (T, error) { return Begin(ctx, f)() }

// Begin starts f and returns a function that waits for its result, or for the context to be done. Then f continues to run, so it must not
// write. The function can be called by several goroutines.
func Begin[T any](ctx context.Context, f func() (T, error)) (wait func() (T, error)) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = f()
	}()
	return func() (T, error) {
		select {
		case <-done:
			return value, err
		case <-ctx.Done():
			return *new(T), ctx.Err()
		}
	}
}
