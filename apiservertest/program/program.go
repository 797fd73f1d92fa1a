// Package program supports programs that replace this module's own server, such as a complete kube-apiserver. Tests
// name the program in the environment, see Env, and apiservertest starts it instead of its own server.
//
// The main function of such a program calls Serve. Tests do not need this package.
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
	// Env is the environment variable with the absolute path of a program that runs servers instead of this module.
	Env = "E2E_SERVER"
	// optionsEnv is the environment variable with the Options of a child's server as JSON.
	optionsEnv = "E2E_APISERVER_OPTIONS"
	// Token is the bearer token of the server's administrator, a member of system:masters.
	Token = "e2e-admin"
)

// Options is the part of apiservertest.Options that can be passed to another process. Programs ignore options that they
// do not need.
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
	FeatureGates     map[string]bool
}

// Announcement tells clients how to reach a server. A child prints it as a line of JSON when it is ready.
type Announcement struct {
	Host string
	CA   []byte
	Port int
	Etcd []string
}

// Instance is a server in this process.
type Instance interface {
	// Ready returns how to reach the server.
	Ready() Announcement
	// Done is closed when the server has ended, for any reason.
	Done() <-chan struct{}
	// Stop stops the server as SIGTERM does. A second call does nothing.
	Stop() error
}

// Serve starts a server with the options set by the parent, announces it, and serves until SIGTERM or until the parent
// exits.
func Serve(start func(context.Context, Options) (Instance, error)) error {
	var options Options
	if err := json.Unmarshal([]byte(os.Getenv(optionsEnv)), &options); err != nil {
		return fmt.Errorf("$%s: %w", optionsEnv, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // the parent writes nothing, so this returns when it exits
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

// CertificateDir returns the directory of the certificate and key, below the server's directory.
func CertificateDir(dir string) string { return filepath.Join(dir, "pki") }

// AuditLog returns the audit log in the directory of a server. Each line is an Event of audit.k8s.io/v1 in JSON.
func AuditLog(dir string) string { return filepath.Join(dir, "audit.log") }

// ClientConfig returns the configuration of an administrator's client without a rate limit.
func ClientConfig(host string, ca []byte) *rest.Config {
	return &rest.Config{
		Host:            host,
		BearerToken:     Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca},
		QPS:             -1,
	}
}
