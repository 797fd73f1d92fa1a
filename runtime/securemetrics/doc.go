// Package securemetrics serves metrics over TLS, to clients that the API server allows to read them.
//
//	func main() {
//		manager.Main("fleet-operator", setup,
//			manager.WithMetrics(metrics.New()),
//			manager.WithMetricsSecurity(securemetrics.New(securemetrics.Options{})))
//	}
//
// A scraper sends the token of its service account. The API server says whose token it is (TokenReview), and whether that user may
// get the path (SubjectAccessReview), by the libraries that Kubernetes' own components use for this. Client certificates are not
// accepted.
//
// # Permissions
//
// The service account of the controller needs to create these reviews, which the role system:auth-delegator allows:
//
//	apiVersion: rbac.authorization.k8s.io/v1
//	kind: ClusterRoleBinding
//	metadata:
//	  name: robots-auth-delegator
//	roleRef:
//	  apiGroup: rbac.authorization.k8s.io
//	  kind: ClusterRole
//	  name: system:auth-delegator
//	subjects:
//	- kind: ServiceAccount
//	  namespace: robots
//	  name: robots
//
// Without it, the controller logs an error, and every scrape gets status 401. The service account of the scraper needs a
// ClusterRole with this rule; Prometheus usually has it:
//
//	rules:
//	- nonResourceURLs: ["/metrics"]
//	  verbs: ["get"]
//
// # Limits
//
// Answers are used again: for a minute if they concern a token or allow the access, for 10 seconds if they deny it. A token that was
// deleted works for that long. The reviews of one scrape take at most 10 seconds. At most 20 requests of each kind go to the API
// server per second, after a burst of 40: clients with invented tokens can delay the first scrape of another client, but not those
// whose answers are known, and they cannot flood the API server. The manager lets 64 requests wait at the same time. Other servers need a
// limit of their own.
//
// HTTP/2 is off, because its resets let a client cause work before it is authenticated (CVE-2023-44487). TLS is version 1.2 or later.
package securemetrics
