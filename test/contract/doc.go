// Package contract describes how a clientset behaves, as a table of probes: each makes a few requests and records the
// answers as text. The answers of a real API server are kept in testdata; fake clientsets are compared with them.
package contract
