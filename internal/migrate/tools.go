package migrate

import "strings"

// toolFlags are the flags of a tool: those with a value, those without, and the short forms.
type toolFlags struct {
	values, bools []string
	short         map[string]string
}

var genClientFlags = toolFlags{
	values: strings.Fields(`one-input-api output-dir output-pkg boilerplate clientset-name versioned-name applyconfig-name
		applyconfig-externals applyconfig-openapi-schema listers-name informers-name plural-exceptions lint-rules
		input-pkg-root output-pkg-root output-base extra-peer-dir`),
	bools: strings.Fields(`with-applyconfig with-watch prefers-protobuf`),
}

// generatorFlags are the flags of single generators, and of generate-groups.sh, which passes them on.
var generatorFlags = toolFlags{
	values: strings.Fields(`input input-base input-dirs clientset-name clientset-api-path clientset-path output-dir output-pkg
		output-package output-base output-file output-file-base go-header-file plural-exceptions apply-configuration-package
		included-types-overrides versioned-clientset-package internal-clientset-package listers-package lint-rules
		external-applyconfigurations openapi-schema build-tag trim-path-prefix bounding-dirs v vmodule`),
	bools: strings.Fields(`clientset-only fake-clientset prefers-protobuf single-directory verify-only logtostderr alsologtostderr`),
	short: map[string]string{
		"n": "clientset-name", "i": "input-dirs", "p": "output-package", "o": "output-base", "h": "go-header-file",
		"O": "output-file-base",
	},
}

// noEffect is the reason for flags that need no counterpart.
const noEffect = "it has no effect on the output"

// untranslated are the flags without a counterpart, with the reason.
var untranslated = map[string]string{
	"lint-rules":                 "informer-gen-lite always checks",
	"applyconfig-openapi-schema": "the schema of apply configurations is derived from the types",
	"openapi-schema":             "the schema of apply configurations is derived from the types",
	"clientset-api-path":         "clients use /api for the core group and /apis for all others",
	"fake-clientset":             "the fake clientset is always generated",
	"included-types-overrides":   "+genclient decides which types have a client",
	"internal-clientset-package": "there are no clients for internal versions",
	"verify-only":                "run informer-gen-lite verify instead",
	"bounding-dirs":              noEffect,
	"trim-path-prefix":           noEffect,
	"v":                          noEffect,
	"vmodule":                    noEffect,
	"logtostderr":                noEffect,
	"alsologtostderr":            noEffect,
	"build-tag":                  "use build-tags if the API files need it",
}

// otherTools are the tools whose output informer-gen-lite does not generate, with a description of that output.
var otherTools = map[string]string{
	"kube::codegen::gen_openapi": "OpenAPI definitions",
	"defaulter-gen":              "defaults", "conversion-gen": "conversions",
	"openapi-gen": "OpenAPI definitions", "validation-gen": "validation",
	"controller-gen": "CRDs, roles and webhooks", "go-to-protobuf": "protobuf", "injection-gen": "injection",
	"prerelease-lifecycle-gen": "lifecycle methods",
}

// translate returns the piece of configuration for the call of a tool, or nil.
func (c *toolCall) translate() *piece {
	flags := generatorFlags
	if strings.HasPrefix(c.name, "kube::codegen::") {
		flags = genClientFlags
	}
	c.parse(flags)
	p := c.piece()
	switch c.name {
	case "kube::codegen::gen_client":
		c.genClient(p)
	case "kube::codegen::gen_helpers":
		c.genHelpers(p)
	case "kube::codegen::gen_register":
		p.add("register", c.marked(groupMarker()))
	case "generate-groups.sh", "generate-internal-groups.sh":
		c.generateGroups(p)
	default:
		c.generator(p)
	}
	if len(p.parts) == 0 {
		return nil
	}
	p.problem = c.outputProblem()
	return p
}
