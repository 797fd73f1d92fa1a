// Package tools has the flags of code-generator's programs and functions, and the tools next to them.
package tools

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
)

// Translated are the programs whose calls are translated.
type Translated []string

// Of returns the programs that products replace.
func Of(products product.Table) Translated {
	translated := Translated{controllergen.Name}
	for program := range products.Programs() {
		translated = append(translated, program+"-gen")
	}
	slices.Sort(translated)
	return translated
}

// Flags are the flags of a tool: those with a value, those without, and the short forms.
type Flags struct {
	Values, Bools []string
	Short         map[string]string
}

// GenClient are the flags of kube::codegen::gen_client.
var GenClient = Flags{
	Values: strings.Fields(`one-input-api output-dir output-pkg boilerplate clientset-name versioned-name applyconfig-name
		applyconfig-externals applyconfig-openapi-schema listers-name informers-name plural-exceptions lint-rules
		input-pkg-root output-pkg-root output-base extra-peer-dir`),
	Bools: strings.Fields(`with-applyconfig with-watch prefers-protobuf`),
}

// Generators are the flags of single generators, and of generate-groups.sh, which passes them on.
var Generators = Flags{
	Values: strings.Fields(`input input-base input-dirs clientset-name clientset-api-path clientset-path output-dir output-pkg
		output-package output-base output-file output-file-base go-header-file plural-exceptions apply-configuration-package
		included-types-overrides versioned-clientset-package internal-clientset-package listers-package lint-rules
		external-applyconfigurations openapi-schema build-tag extra-peer-dirs base-peer-dirs trim-path-prefix bounding-dirs v vmodule`),
	Bools: strings.Fields(`clientset-only fake-clientset prefers-protobuf single-directory skip-unsafe verify-only logtostderr
		alsologtostderr`),
	Short: map[string]string{
		"n": "clientset-name", "i": "input-dirs", "p": "output-package", "o": "output-base", "h": "go-header-file",
		"O": "output-file-base",
	},
}

// NoEffect is the reason for flags that need no counterpart.
const NoEffect = "it has no effect on the output"

// Untranslated are the flags without a counterpart, with the reason.
var Untranslated = map[string]string{
	"lint-rules":                 "informer-gen-lite always checks",
	"applyconfig-openapi-schema": "the schema of apply configurations is derived from the types",
	"openapi-schema":             "the schema of apply configurations is derived from the types",
	"clientset-api-path":         "clients use /api for the core group and /apis for all others",
	"included-types-overrides":   "+genclient decides which types have a client",
	"internal-clientset-package": "there are no clients for internal versions",
	"verify-only":                "run informer-gen-lite verify instead",
	"bounding-dirs":              NoEffect,
	"trim-path-prefix":           NoEffect,
	"v":                          NoEffect,
	"vmodule":                    NoEffect,
	"logtostderr":                NoEffect,
	"alsologtostderr":            NoEffect,
}

// Others are the tools whose output informer-gen-lite does not generate, with a description of that output.
var Others = map[string]string{
	"kube::codegen::gen_openapi": "OpenAPI definitions",
	"openapi-gen":                "OpenAPI definitions", "validation-gen": "validation",
	"go-to-protobuf": "protobuf", "injection-gen": "injection",
	"prerelease-lifecycle-gen": "lifecycle methods",
}
