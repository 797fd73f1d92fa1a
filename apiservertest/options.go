package apiservertest

import (
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// Options configure a server. The zero value is ready to use.
type Options struct {
	// CRDPaths are files and directories with CustomResourceDefinitions to install, see ReadCRDs.
	CRDPaths []string
	// CRDs are further CustomResourceDefinitions to install.
	CRDs []*apiextensionsv1.CustomResourceDefinition

	// RBAC turns on authorization by roles and bindings. The administrator of Config may still do everything; the users
	// of As may do what they are allowed. By default, everyone may do everything.
	RBAC bool
	// AnyNamespace lets objects be created in namespaces that do not exist. By default that is an error, as in a cluster.
	AnyNamespace bool
	// ReadyDeployments reports all replicas of Deployments as available. There are no ReplicaSets and no Pods. By default
	// nothing acts on Deployments.
	ReadyDeployments bool
	// NoControllers turns off garbage collection and the deletion of what is in a namespace. By default, both work.
	NoControllers bool

	// Wrap puts a handler around the API. It sees every request of a client together with its request.RequestInfo, after
	// authentication and authorization. It is behind Server.Faults. StartProcess cannot have one.
	Wrap func(http.Handler) http.Handler

	// Dir keeps certificates, the audit log and data. A server that is started with the directory and the port of one that
	// was stopped or killed is that server again, also for its clients. The default is a temporary directory, which is
	// removed in the end.
	Dir string
	// Port is the port on 127.0.0.1. The default is a free one.
	Port int
	// Etcd has the client URLs of a running etcd: that of another server, see Server.Etcd. The default starts one. Servers
	// on one etcd show the same objects; only the first one runs controllers.
	Etcd []string
	// Compaction is the interval at which history is dropped. The default is five minutes, as in a cluster.
	Compaction time.Duration
	// NoWatchCache serves all requests from etcd. The watch cache keeps history for longer than etcd, which hides for a
	// while that a resource version has expired.
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
	}
}
