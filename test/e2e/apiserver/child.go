package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// ProgramEnv names, in the environment, a program to run servers with in place of the code of this package: its absolute
// path. The program has Serve for its main function. Start then runs it as a child, and Options.Wrap goes into a proxy in
// front of it, which clients cannot tell from the server.
const ProgramEnv = "E2E_SERVER"

// optionsEnv holds, in the environment of a child, the Options of its server as JSON.
const optionsEnv = "E2E_APISERVER_OPTIONS"

// Announcement is how to reach a server. A child writes it as a line of JSON once it is ready.
type Announcement struct {
	Host string
	CA   []byte
	Port int
	Etcd []string
}

// Instance is a server that runs in this process.
type Instance interface {
	// Ready is how to reach it.
	Ready() Announcement
	// Done is closed when it has ended, for whatever reason.
	Done() <-chan struct{}
	// Stop ends it as SIGTERM does. A second call does nothing.
	Stop() error
}

// childProgram is the program that children run.
func childProgram() (string, error) {
	if program := os.Getenv(ProgramEnv); program != "" {
		return program, nil
	}
	return os.Executable()
}

// IsChild reports whether this process was started by StartProcess, and so has to call RunChild and nothing else.
func IsChild() bool { return os.Getenv(optionsEnv) != "" }

// RunChild is the child's side of StartProcess: it serves until SIGTERM, or until its parent is gone.
func RunChild() error {
	return Serve(func(ctx context.Context, options Options) (Instance, error) { return startLocal(ctx, options) })
}

// Serve is RunChild for a server of another kind.
func Serve(start func(context.Context, Options) (Instance, error)) error {
	var options Options
	if err := json.Unmarshal([]byte(os.Getenv(optionsEnv)), &options); err != nil {
		return fmt.Errorf("$%s: %w", optionsEnv, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // nothing is ever written, so that it ends when the parent does
		stop()
	}()
	instance, err := start(ctx, options)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(instance.Ready()); err != nil {
		return errors.Join(err, instance.Stop())
	}
	select {
	case <-ctx.Done():
	case <-instance.Done():
	}
	return instance.Stop()
}
