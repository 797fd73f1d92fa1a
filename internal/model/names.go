package model

import "github.com/informer-gen-lite/informer-gen-lite/internal/goname"

// Identifiers of the templates. Names derived from the user's input must differ from them.
var (
	// inImporters are the identifiers of templates that import API packages, typed clients or informers, and of the emitted
	// code in the same packages.
	inImporters = goname.Templates("clientset/*", "listers/*", "informers/*", "controller/kind.*", "applyconfiguration/utils.*",
		"emit/fake/*")
	// inTypedPackage are the identifiers of templates for the package of a typed client. Handwritten expansions refer to the
	// structs in it, so their names change only if necessary.
	inTypedPackage = goname.Templates("clientset/typed_kind.*", "clientset/typed_group.*")
)
