// Package input creates the modules that the generators read.
package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ModulePath is the path of the modules.
const ModulePath = "bench.example"

// NewModule creates an empty module in dir. It gets the requirements and checksums of the module in from, so that the generators
// need no network.
func NewModule(dir, from string) error { return newModule(dir, from, ModulePath) }

// Kubernetes creates a module in dir that is a writable copy of k8s.io/api, in the version that the module in from requires. It
// has the same requirements as in NewModule.
func Kubernetes(dir, from string) error {
	const api = "k8s.io/api"
	source, err := goCommand(from, "mod", "download", "-json", api)
	if err != nil {
		return err
	}
	var download struct{ Dir string }
	if err := json.Unmarshal([]byte(source), &download); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(download.Dir)); err != nil {
		return err
	}
	if err := makeWritable(dir); err != nil {
		return err
	}
	if err := newModule(dir, from, api); err != nil {
		return err
	}
	if _, err := goCommand(dir, "mod", "edit", "-droprequire="+api); err != nil {
		return err
	}
	return Clean(dir)
}

// AddField adds a field to one type of k8s.io/api, with a new name each time.
func AddField(dir string) error {
	name := filepath.Join(dir, "batch", "v1", "types.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const before = "type JobSpec struct {\n"
	if !strings.Contains(string(text), before) {
		return fmt.Errorf("%s declares no JobSpec", name)
	}
	number := strings.Count(string(text), "\tBench")
	field := fmt.Sprintf("\t// Bench%d is measured.\n\tBench%d *int32 `json:\"bench%d,omitempty\"`\n", number, number, number)
	return os.WriteFile(name, []byte(strings.Replace(string(text), before, before+field, 1)), 0o666)
}

// makeWritable makes a copied tree writable for its owner. The module cache is read-only.
func makeWritable(dir string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(name, 0o777)
		}
		return os.Chmod(name, 0o666)
	})
}

// besideTypes are the files that generators write into API packages.
var besideTypes = []string{"zz_generated.deepcopy.go", "zz_generated.register.go"}

// Beside returns the sorted generated files in the API packages of a module.
func Beside(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && slices.Contains(besideTypes, path.Base(name)) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// Clean removes the generated files in the API packages of a module.
func Clean(dir string) error {
	names, err := Beside(dir)
	for _, name := range names {
		err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return err
}

func newModule(dir, from, modulePath string) error {
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
	_, err := goCommand(dir, "mod", "edit", "-module="+modulePath)
	return err
}

// goCommand runs the go command in a directory and returns its output.
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

// wantsClient finds the marker of types with clients in gofmt'ed files.
var wantsClient = regexp.MustCompile(`(?m)^// ?\+genclient$`)

// ClientPackages returns the packages that match the pattern and have a type with a client.
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
