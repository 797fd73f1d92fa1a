// Package e2e tests the generated code of the examples (clientset, listers, informers) against a real API server.
package e2e
