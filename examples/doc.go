// Package examples has annotated API types (apis), the clients that informer-gen-lite generates for them (generated), and tests
// of these clients (tests).
//
// A few files below generated are handwritten: the *_expansion.go files, which add methods to a client or a lister, and
// scheme/register_custom.go, which adds types of another API to the scheme. The generator keeps them. Conversely, the packages
// below apis have generated files: the deep copies of all types, and the registration of the types of review/v1 and
// fleet/v1alpha1. The other packages have handwritten registrations in different styles.
//
// The folder kubebuilder is a separate module: a project in the layout of kubebuilder v4, with +genclient and kubebuilder's
// markers. Its generated code was written by informer-gen-lite without flags.
package examples

//go:generate go run -C .. ./cmd/informer-gen-lite generate --config examples/.informer-gen.yaml
