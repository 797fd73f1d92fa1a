package tools

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

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
	variableBefore = shell.Lazy(`^(\$\{\w+\}|\$\w+)+`)
	// versionAfter matches a version or a suffix for a system, as in client-gen-v0.37.2 and client-gen${EXE}.
	versionAfter = shell.Lazy(`([-_]?(\$\{\w+\}|\$\w+|v?\d[\w.+-]*))+$`)
	// wrapperFlag matches flags, variables that are set for the following command, and numbers such as a timeout.
	wrapperFlag = shell.Lazy(`^(-|[A-Za-z_]\w*=|\d+[smhd]?$)`)
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
