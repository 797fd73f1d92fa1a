// Package conformance holds informer-gen-lite against the real thing: the generators of k8s.io/code-generator, the
// clients that k8s.io/client-go ships, and client-go's own tests. Everything is in the tests; README.md says how to
// run them.
package conformance
