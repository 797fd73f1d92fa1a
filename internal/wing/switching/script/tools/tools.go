// Package tools has the flags of code-generator's programs and functions, and the tools next to them.
package tools

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
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

// Definitions are the scripts of code-generator, which define functions for other scripts.
var Definitions = []string{"kube_codegen.sh", "generate-groups.sh", "generate-internal-groups.sh"}

// Unwrap drops the prefix of a tool's command line, such as go run, go tool or env.
func Unwrap(args []shell.Argument) []shell.Argument {
	for len(args) > 1 {
		name := path.Base(args[0].Text)
		if name != "go" && strings.HasPrefix(strings.TrimLeft(name, "$({"), "GO") && (args[1].Text == "run" || args[1].Text == "tool") {
			name = "go" // a variable with the go command
		}
		switch name {
		case "go":
			rest := skipFlags(args[1:])
			if len(rest) == 0 || rest[0].Text != "run" && rest[0].Text != "tool" {
				return args
			}
			args = skipFlags(rest[1:])
		case "bash", "sh", "exec", "command", "time", "env", "sudo", "nice", "nohup", "timeout", "xargs":
			args = skipFlags(args[1:])
		default:
			return args
		}
	}
	return args
}

// flagsWithValue are the flags of wrappers whose value is a separate word.
var flagsWithValue = []string{"-C", "-modfile", "-mod", "-exec", "-tags", "-u"}

// skipFlags drops the flags and the environment of a wrapper.
func skipFlags(args []shell.Argument) []shell.Argument {
	for len(args) > 0 && wrapperFlag().MatchString(args[0].Text) {
		if slices.Contains(flagsWithValue, args[0].Text) && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	return args
}

// IsTool reports whether a name is a known program or function.
func (t Translated) IsTool(name string) bool {
	_, other := Others[name]
	return other || slices.Contains(t, name) || slices.Contains(Definitions, name) ||
		strings.HasPrefix(name, "kube::codegen::gen_")
}

var (
	variableBefore = lazy.Regexp(`^(\$\{\w+\}|\$\w+)+`)
	// versionAfter matches a version or a suffix for a system, as in client-gen-v0.37.2 and client-gen${EXE}.
	versionAfter = lazy.Regexp(`([-_]?(\$\{\w+\}|\$\w+|v?\d[\w.+-]*))+$`)
	// wrapperFlag matches flags, variables that are set for the following command, and numbers such as a timeout.
	wrapperFlag = lazy.Regexp(`^(-|[A-Za-z_]\w*=|\d+[smhd]?$)`)
)

// Name returns the name of a program without its directory and version. The directory may be unknown, and even the whole path
// if a variable is named after the program, as in "$CLIENT_GEN".
func (t Translated) Name(arg shell.Argument) string {
	name := strings.Trim(arg.Text, `"'`)
	name, _, _ = strings.Cut(name[strings.LastIndex(name, "/")+1:], "@")
	name = strings.TrimRight(name, `"'`)
	if rest := versionAfter().ReplaceAllString(name, ""); t.IsTool(rest) {
		return rest
	}
	if !strings.HasPrefix(name, "$") {
		return strings.TrimSuffix(name, ".exe")
	}
	if rest := variableBefore().ReplaceAllString(name, ""); t.IsTool(rest) {
		return rest
	}
	letters := strings.NewReplacer("$", "", "{", "", "}", "", "(", "", ")", "", "_", "", "-", "")
	variable := strings.ToLower(letters.Replace(name))
	for _, suffix := range []string{"binary", "bin", "cmd", "tool", "path"} {
		variable = strings.TrimSuffix(variable, suffix)
	}
	for _, tool := range append(slices.Sorted(maps.Keys(Others)), t...) {
		if variable == letters.Replace(tool) {
			return tool
		}
	}
	return name
}
