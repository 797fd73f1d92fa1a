// Package conformance compares informer-gen-lite with upstream: the generators of k8s.io/code-generator, the clients in
// k8s.io/client-go, and client-go's own tests. It contains only tests; see README.md for how to run them.
package conformance
