// Package contract describes the behavior of a clientset as a table of probes. Each probe sends a few requests and records the
// answers as text. testdata has the answers of a real API server, with which fake clientsets are compared.
package contract
