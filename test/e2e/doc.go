// Package e2e tests what is generated for the examples (clientset, listers, informers) against a real API server.
package e2e
