package apiservertest

import (
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// Options configures a server. The zero value is ready to use.
type Options struct {
	// CRDPaths are files and directories with CustomResourceDefinitions to install, see ReadCRDs.
	CRDPaths []string
	// CRDs are further CustomResourceDefinitions to install.
	CRDs []*apiextensionsv1.CustomResourceDefinition

	// RBAC enables authorization by roles and bindings. The administrator of Config may still do everything; users of
	// As need a role. By default, everyone may do everything.
	RBAC bool
	// AnyNamespace allows objects in namespaces that do not exist. By default, creating them is an error, as in a
	// cluster.
	AnyNamespace bool
	// ReadyDeployments reports all replicas of Deployments as available, without ReplicaSets and Pods. By default,
	// nothing acts on Deployments.
	ReadyDeployments bool
	// NoControllers disables garbage collection and namespace deletion.
	NoControllers bool
	// FeatureGates switches features of the API server on or off, such as ShardedListAndWatch. All others have their defaults.
	// Gates belong to a process: a server of StartServer cannot start while one with other gates runs, but one of StartProcess can.
	FeatureGates map[string]bool

	// Wrap wraps the API handler. The wrapper sees every client request with its request.RequestInfo, after
	// authentication and authorization, except for requests that Server.Faults handles. StartProcess does not support
	// it.
	Wrap func(http.Handler) http.Handler

	// Dir is the directory for certificates, the audit log and data. A server started with the directory and port of a
	// stopped or killed server takes its place, and clients reconnect. The default is a temporary directory, which Stop
	// removes.
	Dir string
	// Port is the port on 127.0.0.1. The default is a free port.
	Port int
	// Etcd has the client URLs of a running etcd, such as Server.Etcd of another server. The default starts one.
	// Servers with the same etcd serve the same objects; only the first one runs controllers.
	Etcd []string
	// Compaction is the interval at which history is dropped. The default is five minutes, as in a cluster.
	Compaction time.Duration
	// NoWatchCache serves all requests from etcd. The watch cache keeps history longer than etcd, so expired resource
	// versions work for a while.
	NoWatchCache bool
}

// forProgram returns the options that can be passed to another process.
func (o Options) forProgram() program.Options {
	return program.Options{
		Dir:              o.Dir,
		Port:             o.Port,
		Etcd:             o.Etcd,
		Compaction:       o.Compaction,
		NoWatchCache:     o.NoWatchCache,
		RBAC:             o.RBAC,
		AnyNamespace:     o.AnyNamespace,
		ReadyDeployments: o.ReadyDeployments,
		NoControllers:    o.NoControllers,
		FeatureGates:     o.FeatureGates,
	}
}
