package programs

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// GOPATH is the value that go env GOPATH prints.
const GOPATH = "/go"

// Scripts are followed as they run on Linux, where CI runs them.
const (
	// OSType is the value of the variable OSTYPE.
	OSType = "linux-gnu"
	// OS and Arch are the values of GOOS and GOARCH.
	OS   = "linux"
	Arch = "amd64"

	system  = "Linux"
	machine = "x86_64"
)

// goEnv is what go env prints, except for GOMOD.
var goEnv = map[string]string{
	"GOPATH": GOPATH, "GOBIN": "", "GOOS": OS, "GOHOSTOS": OS, "GOARCH": Arch, "GOHOSTARCH": Arch, "GOEXE": "",
}

// hostNames removes the names of the system and its architecture.
var hostNames = strings.NewReplacer(OSType, "", "gnu/linux", "", OS, "", machine, "", Arch, "")

// IsHost reports whether a text consists of names of the system and of its architecture, such as Linux and linux/amd64.
func IsHost(text string) bool {
	rest := hostNames.Replace(strings.ToLower(text))
	return rest != strings.ToLower(text) && strings.Trim(rest, "-_/ ") == ""
}

// gnu are the programs of GNU, which other systems install with a g before the name.
var gnu = strings.Fields(`awk base64 basename cp cut date dirname egrep find getopt grep head install ln ls make mktemp mv readlink
	realpath rm sed sort stat tail tar timeout tr uniq wc xargs`)

// Installed reports whether the system has a program, if that is known. Programs that are not known count as installed.
func Installed(program string) (installed, known bool) {
	others := []string{"bash", "cat", "echo", "git", "go", "sh", "uname"}
	switch name := filepath.Base(program); {
	case slices.Contains(gnu, name) || slices.Contains(others, name):
		return true, true
	case linuxName(name) != name || slices.Contains([]string{"brew", "sw_vers", "cygpath"}, name):
		return false, true
	}
	return true, false
}

// linuxName returns the name that a program has on Linux.
func linuxName(name string) string {
	if rest, ok := strings.CutPrefix(name, "g"); ok && slices.Contains(gnu, rest) && name != "gawk" {
		return rest
	}
	return name
}

// uname prints the parts that its flags select.
func uname(c call) (string, bool) {
	var parts []string
	for _, part := range []struct{ flags, text string }{{"s", system}, {"mp", machine}, {"o", "GNU/Linux"}} {
		if strings.ContainsFunc(part.flags, func(flag rune) bool { return c.has(string(flag)) }) {
			parts = append(parts, part.text)
		}
	}
	if len(c.flags) == 0 {
		parts = []string{system}
	}
	return strings.Join(parts, " ") + "\n", !c.has("a") && !c.has("r") && !c.has("i")
}

// goCommand supports go list, go env and go tool -n.
func goCommand(c call) (string, bool) {
	dir, args := c.dir, c.args
	if len(args) > 1 && args[0] == "-C" {
		dir, args = c.absolute(args[1]), args[2:]
	}
	if len(args) == 0 {
		return "", false
	}
	switch last := args[len(args)-1]; args[0] {
	case "env":
		return goEnvironment(dir, args[1:])
	case "list":
		return goList(call{repo: c.repo, dir: dir, args: args[1:]})
	case "tool": // its name stands for its path
		return last + "\n", slices.Contains(args, "-n") && last != "-n"
	}
	return "", false
}

func goEnvironment(dir string, names []string) (string, bool) {
	var values []string
	for _, name := range names {
		value, ok := goEnv[name]
		if name == "GOMOD" {
			owner, err := module.Owner(dir)
			value, ok = filepath.Join(owner.Dir, "go.mod"), err == nil
		}
		if !ok {
			return "", false
		}
		values = append(values, value)
	}
	return joined(values), len(values) > 0
}
