// Package apiservertest runs a Kubernetes API server for Go tests, in the test process: the code that serves custom
// resources in a cluster (k8s.io/apiextensions-apiserver) on an embedded etcd. There is nothing to download or install,
// and it is ready in about half a second.
//
// Start starts a server for one test. Main starts a server for all tests of a package, and each test takes its own
// namespace:
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
// Custom resources get everything that the API server does for them: validation, pruning, defaults, server-side apply,
// subresources, conversion, watches, streaming lists, selectable fields, discovery and OpenAPI v3. Admission webhooks,
// ValidatingAdmissionPolicies, the audit log and impersonation come from k8s.io/apiserver. Webhooks need a URL, see
// Webhook.
//
// # What is not
//
// The usual kinds of k8s.io/api are stored and watched, and have a status subresource, but they are neither validated
// nor defaulted, and nothing acts on them: there are no nodes, Pods do not run, Services get no address. The events of
// core/v1 and events.k8s.io/v1 are stored separately. There is no OpenAPI v2, no MutatingAdmissionPolicy, and no
// subresource other than status, and finalize for namespaces.
//
// Kubernetes' controllers and its RBAC authorizer are in k8s.io/kubernetes, which cannot be imported. This package has
// its own:
//
//   - Garbage collection by owner references: background, foreground and orphaning.
//   - Namespace deletion, which deletes the objects in a namespace first.
//   - Options.ReadyDeployments, which reports the replicas of Deployments as available.
//   - Options.RBAC, which looks up roles and bindings. k8s.io/component-helpers evaluates the rules. There is no
//     privilege escalation check, and cluster-admin is the only default role.
//
// If you need more, run the same tests against another program, see ProgramEnv.
//
// The server and its etcd listen on loopback only. The etcd needs no password, and the administrator's token is the
// same in all servers: store no secrets in them.
package apiservertest
