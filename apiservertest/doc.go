// Package apiservertest runs a Kubernetes API server for Go tests, in the process of the test: the code that serves custom
// resources in a cluster (k8s.io/apiextensions-apiserver) on the storage that a cluster has (etcd). There is nothing to
// download or to install, and it is ready in about half a second.
//
// A test starts a server of its own by Start, or shares one with all tests of its package by Main and takes a namespace
// of its own:
//
//	var server *apiservertest.Server
//
//	func TestMain(m *testing.M) {
//		apiservertest.Main(m, &server, apiservertest.Options{CRDPaths: []string{"../config/crd"}})
//	}
//
//	func TestRobots(t *testing.T) {
//		client, namespace := versioned.NewForConfigOrDie(server.Config()), server.Namespace(t)
//		// …
//	}
//
// # What is real
//
// Custom resources have all that the API server does for them: validation, pruning, defaults, server-side apply,
// subresources, conversion, watches, streaming lists, selectable fields, discovery and OpenAPI v3. Admission by webhooks
// and by ValidatingAdmissionPolicies is that of k8s.io/apiserver, and so are the audit log and impersonation. Webhooks are
// named by URL, see Webhook.
//
// # What is not
//
// The usual kinds of k8s.io/api are stored and watched, and have their status, but they are neither validated nor
// defaulted, and nothing acts on them: there are no nodes, Pods do not run, Services get no address. Events of core/v1
// and of events.k8s.io/v1 are stored apart. There is no OpenAPI v2 and no MutatingAdmissionPolicy, and no subresource but
// status, and finalize of namespaces.
//
// Kubernetes' controllers and its RBAC authorizer are in k8s.io/kubernetes, which cannot be imported. These are our own:
//
//   - Garbage collection by owner references, in the background and in the foreground, and orphaning.
//   - The deletion of what is in a namespace, before the namespace goes.
//   - Options.ReadyDeployments, which reports the replicas of Deployments as available.
//   - Options.RBAC, which finds the rules of a user by roles and bindings. The rules are compared with requests by
//     k8s.io/component-helpers. Nobody is kept from granting more than they have, and of the default roles there is only
//     cluster-admin.
//
// Whoever needs the rest runs the same tests against a program that has it, see ProgramEnv.
//
// The server listens on loopback only. Its etcd does so without a password, and the administrator's token is the same in
// all servers: this is no place for secrets.
package apiservertest
