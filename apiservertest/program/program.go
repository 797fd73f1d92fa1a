// Package program is for programs that serve in place of this module's own server: a complete kube-apiserver, say. Tests
// name one in the environment, see Env, and apiservertest starts it wherever it would have started a server.
//
// The main function of such a program is Serve. Tests themselves need nothing of this package.
package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
)

const (
	// Env is the environment variable with the absolute path of a program that runs servers in place of this module.
	Env = "E2E_SERVER"
	// optionsEnv is the environment variable with the Options of a child's server as JSON.
	optionsEnv = "E2E_APISERVER_OPTIONS"
	// Token is the bearer token of the server's administrator, a member of system:masters.
	Token = "e2e-admin"
)

// Options describe the server that a program runs: the part of apiservertest.Options that another process can be told.
// Programs ignore options that they have no use for.
type Options struct {
	Dir              string
	Port             int
	Etcd             []string
	Compaction       time.Duration
	NoWatchCache     bool
	RBAC             bool
	AnyNamespace     bool
	ReadyDeployments bool
	NoControllers    bool
}

// Announcement is how to reach a server. A child writes it as a line of JSON once it is ready.
type Announcement struct {
	Host string
	CA   []byte
	Port int
	Etcd []string
}

// Instance is a server that runs in this process.
type Instance interface {
	// Ready returns how to reach it.
	Ready() Announcement
	// Done is closed when it has ended, for whatever reason.
	Done() <-chan struct{}
	// Stop ends it as SIGTERM does. A second call does nothing.
	Stop() error
}

// Serve starts a server with the options that the parent has set, announces it, and serves until SIGTERM or until the
// parent is gone.
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

// IsChild reports whether this process was started to call Serve.
func IsChild() bool { return os.Getenv(optionsEnv) != "" }

// Environ returns the environment of a child with these options.
func Environ(options Options) ([]string, error) {
	content, err := json.Marshal(options)
	return append(os.Environ(), optionsEnv+"="+string(content)), err
}

// CertName is the base name of the certificate and key files in CertificateDir.
const CertName = "apiserver"

// CertificateDir returns where a server keeps its certificate and key, in its own directory.
func CertificateDir(dir string) string { return filepath.Join(dir, "pki") }

// AuditLog returns the file in the directory of a server that has a line of JSON per request, an Event of
// audit.k8s.io/v1.
func AuditLog(dir string) string { return filepath.Join(dir, "audit.log") }

// ClientConfig returns the configuration of the administrator's client, without any limit on its rate.
func ClientConfig(host string, ca []byte) *rest.Config {
	return &rest.Config{
		Host:            host,
		BearerToken:     Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca},
		QPS:             -1,
	}
}
