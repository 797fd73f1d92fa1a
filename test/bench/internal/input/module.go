// Package input makes the modules that the generators read.
package input

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ModulePath is the path of the modules.
const ModulePath = "bench.example"

// NewModule makes an empty module in dir. It gets the requirements of the module in from, checksums included, so that
// the generators find all they need without asking the network.
func NewModule(dir, from string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	_, err := goCommand(dir, "mod", "edit", "-module="+ModulePath)
	return err
}

// goCommand runs the go command in a directory and returns what it prints.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

// wantsClient finds the tag of types that want a client, as it stands in files that gofmt has seen.
var wantsClient = regexp.MustCompile(`(?m)^// ?\+genclient$`)

// ClientPackages returns the packages that match the pattern and hold a type that wants a client.
func ClientPackages(dir, pattern string) ([]string, error) {
	const format = `{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}}{{"\t"}}{{$p.Dir}}/{{.}}{{"\n"}}{{end}}`
	files, err := goCommand(dir, "list", "-find", "-f", format, pattern)
	if err != nil {
		return nil, err
	}
	var packages []string
	for line := range strings.Lines(files) {
		importPath, file, tabbed := strings.Cut(strings.TrimSpace(line), "\t")
		if !tabbed || slices.Contains(packages, importPath) {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if wantsClient.Match(content) {
			packages = append(packages, importPath)
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no +genclient in %s", pattern)
	}
	return packages, nil
}
