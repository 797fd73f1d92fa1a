package apiservertest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/apiserver"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// ProgramEnv is the environment variable with the absolute path of a program that runs servers instead of this module,
// such as a complete kube-apiserver. See package program for its contract. Server.Faults and Options.Wrap then run in a
// proxy in front of it.
const ProgramEnv = program.Env

// Server is a running API server. Its methods are safe for concurrent use, except for Restart and Stop.
type Server struct {
	// Faults makes client requests fail, by rules. The server's own requests are not affected.
	Faults *faults.Injector

	options  program.Options // for Restart
	wrap     func(http.Handler) http.Handler
	config   *rest.Config
	instance instance
	cleanup  func() error // removes a temporary directory
	stopped  bool
}

// instance is a running server, in this process or in a child.
type instance interface {
	program.Instance
	// Sever breaks all connections of clients.
	Sever()
}

// StartServer starts a server and returns once it is ready and its custom resources are served. The server runs until
// Stop, even if ctx ends. Tests usually call Start or Main instead.
func StartServer(ctx context.Context, options Options) (*Server, error) {
	crds, err := options.readCRDs()
	if err != nil {
		return nil, err
	}
	s := &Server{Faults: faults.New(1), options: options.forProgram(), cleanup: func() error { return nil }}
	s.wrap = s.Faults.Wrap
	if options.Wrap != nil {
		s.wrap = func(api http.Handler) http.Handler { return s.Faults.Wrap(options.Wrap(api)) }
	}
	if options.Dir == "" {
		dir, err := os.MkdirTemp("", "apiservertest-")
		if err != nil {
			return nil, err
		}
		s.options.Dir, s.cleanup = dir, func() error { return os.RemoveAll(dir) }
	}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.cleanup())
	}
	ready := s.instance.Ready()
	s.options.Port, s.config = ready.Port, program.ClientConfig(ready.Host, ready.CA)
	err = WriteKubeconfig(s.config, s.Kubeconfig())
	if err == nil {
		err = InstallCRDs(ctx, s.config, crds...)
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// start starts an instance.
func (s *Server) start(ctx context.Context) (err error) {
	if os.Getenv(ProgramEnv) != "" {
		s.instance, err = startProxied(ctx, s.options, s.wrap)
	} else {
		s.instance, err = apiserver.Start(ctx, s.options, s.wrap)
	}
	s.stopped = err != nil
	return err
}

// Stop shuts the server down as SIGTERM does: it accepts no new requests and lets those in flight finish, except for
// watches. A second call does nothing.
func (s *Server) Stop() error { return errors.Join(s.stop(), s.cleanup()) }

func (s *Server) stop() error {
	if s.stopped {
		return nil
	}
	s.stopped = true
	return s.instance.Stop()
}

// Restart stops the server and starts it again on the same port and data. After an error, it stays stopped.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.stop(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return s.start(ctx)
}

// Backup copies the data of the server to a directory, which must be empty or not exist. The server is restarted for that.
func (s *Server) Backup(ctx context.Context, to string) error {
	if err := s.stop(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return errors.Join(os.CopyFS(to, os.DirFS(s.options.Dir)), s.start(ctx))
}

// Restore replaces the data of the server by that of a [Server.Backup], and starts the server again on the same port: what was written
// since then is lost, and resource versions are lower than before. After an error, the server stays stopped.
func (s *Server) Restore(ctx context.Context, from string) error {
	if err := s.stop(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := os.RemoveAll(s.options.Dir); err != nil {
		return err
	}
	if err := os.CopyFS(s.options.Dir, os.DirFS(from)); err != nil {
		return err
	}
	return s.start(ctx)
}

// Sever breaks all connections at once, including watches. The server keeps running.
func (s *Server) Sever() { s.instance.Sever() }

// Config returns the configuration of a client that may do everything, without a rate limit. It stays valid across
// restarts.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.config) }

// As returns the configuration of a client that acts as another user, such as "alice" or
// "system:serviceaccount:default:robot". Service accounts get their groups automatically. As uses impersonation, so the
// client cannot impersonate another user itself.
func (s *Server) As(user string, groups ...string) *rest.Config {
	config := s.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: groups}
	return config
}

// Kubeconfig returns the path of a kubeconfig file equivalent to Config. See WriteKubeconfig for other configurations.
func (s *Server) Kubeconfig() string { return filepath.Join(s.options.Dir, "admin.kubeconfig") }

// Etcd returns the client URLs of the etcd behind the server. They change when it restarts.
func (s *Server) Etcd() []string { return s.instance.Ready().Etcd }
