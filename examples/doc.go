// Package examples has annotated API types (apis), the clients that informer-gen-lite generates for them (generated), and tests
// of these clients (tests).
//
// A few files below generated are handwritten: the *_expansion.go files, which add methods to a client or a lister, and
// scheme/register_custom.go, which adds types of another API to the scheme. The generator keeps them. Conversely, the packages
// below apis have generated files: the deep copies of all types, and the registration of the types of review/v1 and
// fleet/v1alpha1. The other packages have handwritten registrations in different styles.
//
// The examples are a module of their own that requires the run-time library
// github.com/informer-gen-lite/informer-gen-lite/runtime; replace directives in go.mod take it from this repository. The command
// in pods uses the library alone, for a kind of client-go. The folder foreign has clients for the kinds of an operator without a Go
// module, and a controller that uses them.
//
// The folders kubebuilder and reference are further modules: a project in the layout of kubebuilder v4, with +genclient and
// kubebuilder's markers, whose code was generated without flags, and a custom generator.
package examples

//go:generate go run -C .. ./cmd/informer-gen-lite generate --config examples/.informer-gen.yaml
//go:generate go run -C .. ./cmd/informer-gen-lite generate --config examples/site/.informer-gen.yaml
//go:generate go run -C .. ./cmd/informer-gen-lite generate --config examples/foreign/.informer-gen.yaml
