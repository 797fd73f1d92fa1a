// Package apiserver runs a Kubernetes API server for tests: the real code that serves custom resources
// (k8s.io/apiextensions-apiserver) on the real storage (etcd), in this process or in a child of it, on loopback, ready
// in about half a second.
//
// What it has: custom resources with everything that the API server does for them (validation, pruning, defaults,
// server-side apply, subresources, conversion by webhooks that are named by URL, watches, streaming lists, discovery,
// OpenAPI), and a few built-in kinds: namespaces, config maps, events (core/v1 and events.k8s.io/v1), leases and
// deployments.
//
// What it has not: authorization (whoever has the token may do everything), admission, controllers (nothing collects
// orphans, nothing acts on a deployment), defaults and validation of the built-in kinds. Namespaces need not exist.
// Its etcd listens on loopback and asks nobody for a password: this is no place for secrets.
package apiserver

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Token is what the one user of the server shows.
const Token = "e2e-admin"

// Options say how to run a server. The zero value of each field but Dir is the usual.
type Options struct {
	// Dir keeps certificates and data. A server that is started with the directory and the port of one that was
	// stopped or killed is that server again, for its clients too.
	Dir string
	// Port is the port on 127.0.0.1; 0 takes a free one.
	Port int
	// Etcd has the client URLs of an etcd that runs already: that of another server, see Server.Etcd. Empty starts one.
	Etcd []string
	// Compaction is how often history is forgotten; 0 is every five minutes, as in a cluster.
	Compaction time.Duration
	// NoWatchCache serves all requests from etcd. The watch cache keeps history longer than etcd does, so that it hides
	// for a while that a revision is gone.
	NoWatchCache bool
	// Wrap puts a handler around the API: it sees every request together with its request.RequestInfo, and it is the
	// place for faults. It is behind authentication, unless the server is another program, see ProgramEnv. StartProcess
	// cannot have it.
	Wrap func(http.Handler) http.Handler `json:"-"`
}

// Server is a running API server. Its methods are not safe for concurrent use.
type Server struct {
	options  Options // those to start it with again
	config   *rest.Config
	etcd     []string
	instance instance
}

// instance is a server that runs, wherever it does.
type instance interface {
	Instance
	// sever breaks all connections of clients.
	sever()
}

// Start starts a server and returns once it is ready. It runs until Stop, whatever becomes of ctx. Where it runs is up
// to the environment, see ProgramEnv.
func Start(ctx context.Context, options Options) (*Server, error) {
	run := startLocal
	if os.Getenv(ProgramEnv) != "" {
		run = startProxied
	}
	instance, err := run(ctx, options)
	if err != nil {
		return nil, err
	}
	ready := instance.Ready()
	options.Port = ready.Port
	return &Server{options: options, config: ClientConfig(ready.Host, ready.CA), etcd: ready.Etcd, instance: instance}, nil
}

// Stop shuts the server down as SIGTERM does: it takes no new requests and gives those under way, watches excepted, the
// time to finish. A second call does nothing.
func (s *Server) Stop() error { return s.instance.Stop() }

// Restart stops the server and starts it again on the same port and data. After an error it stays stopped.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.Stop(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	next, err := Start(ctx, s.options)
	if err != nil {
		return err
	}
	*s = *next
	return nil
}

// Sever breaks all connections at once, those of clients that watch included, and goes on serving.
func (s *Server) Sever() { s.instance.sever() }

// Config returns the configuration of a client that may do everything, without any limit on its rate.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.config) }

// Etcd returns the client URLs of the etcd behind the server.
func (s *Server) Etcd() []string { return s.etcd }

// ClientConfig is the configuration of the one user, given the address of a server and the authority to trust.
func ClientConfig(host string, ca []byte) *rest.Config {
	return &rest.Config{
		Host:            host,
		BearerToken:     Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca},
		QPS:             -1,
	}
}

// WriteKubeconfig writes a file that kubectl can use to reach the server of config.
func WriteKubeconfig(config *rest.Config, path string) error {
	const name = "e2e"
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: "default"}
	file.CurrentContext = name
	return clientcmd.WriteToFile(*file, path)
}
