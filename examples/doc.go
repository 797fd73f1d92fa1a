// Package examples holds annotated API types (apis), the clients that informer-gen-lite writes for them (generated),
// and tests that put these clients to work (tests).
//
// A few files under generated are handwritten, next to the generated ones: the *_expansion.go files, which add
// methods to a client or a lister, and scheme/register_custom.go, which adds types of another API to the scheme. The
// generator sees them and leaves them alone. And the packages under apis hold files that are generated: the deep copies of
// all types, and what registers the types of review/v1 and of fleet/v1alpha1. The others do that by hand, each in its own
// way.
//
// The folder kubebuilder is a module of its own: a project in the layout that kubebuilder v4 makes, with kubebuilder's
// markers and +genclient. Everything generated in it was written by informer-gen-lite without a flag.
package examples

//go:generate go run github.com/informer-gen-lite/informer-gen-lite/cmd/informer-gen-lite generate --config .informer-gen.yaml
