// Package definitions compares the definitions of kinds in a cluster with the fields that generated code knows.
//
// An API server removes fields that the definition lacks from written objects, without an error. That happens after an upgrade of a
// program without its definitions: Helm, for example, never upgrades them.
package definitions
