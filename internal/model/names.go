package model

import "github.com/informer-gen-lite/informer-gen-lite/internal/goname"

// Identifiers of the templates, which names derived from the user's input must not equal.
var (
	// inImporters are the identifiers of templates that import API packages, typed clients or informers.
	inImporters = goname.Templates("clientset/*", "listers/*", "informers/*", "controller/kind.*", "applyconfiguration/utils.*")
	// inClients are the identifiers of templates for the client of one kind.
	inClients = goname.Templates("clientset/typed_kind.*", "clientset/typed_fake_kind.*")
	// inTypedPackage are the identifiers of templates for the package of a typed client. Handwritten expansions name the
	// structs in there, so no more than necessary is avoided.
	inTypedPackage = goname.Templates("clientset/typed_kind.*", "clientset/typed_group.*")
)

func lowerFirst(s string) string { return goname.LowerFirst(s) }

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string { return goname.UpperFirst(s) }

// PackageName makes the name of a Go package from a folder's name: lower case, letters, digits and underscores only.
func PackageName(folder string) string { return goname.Package(folder) }
