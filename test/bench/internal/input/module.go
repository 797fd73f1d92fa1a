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

	"golang.org/x/mod/modfile"
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
	if err := copyModule(dir, from, api); err != nil {
		return err
	}
	if err := newModule(dir, from, api); err != nil {
		return err
	}
	if _, err := goCommand(dir, "mod", "edit", "-droprequire="+api); err != nil {
		return err
	}
	return Clean(dir, []string{"zz_generated.deepcopy.go"})
}

// Shipped creates a module in dir that is a writable copy of a module of Kubernetes, in a version. Its go.mod requires the modules in the
// version libraries that it replaces by folders of its repository, which the copy lacks. from is a directory to run the go command in.
func Shipped(dir, from, modulePath, version, libraries string) error {
	if err := Released(dir, from, modulePath+"@"+version); err != nil {
		return err
	}
	name := filepath.Join(dir, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(name, content, nil)
	if err != nil {
		return err
	}
	edit := []string{"mod", "edit"}
	for _, replaced := range mod.Replace {
		if replaced.New.Version == "" {
			edit = append(edit, "-replace="+replaced.Old.Path+"="+replaced.Old.Path+"@"+libraries)
		}
	}
	if len(edit) == 2 {
		return nil
	}
	if _, err := goCommand(dir, edit...); err != nil {
		return err
	}
	_, err = goCommand(dir, "list", "-mod=mod", "-deps", "-e", "./...") // completes go.sum
	return err
}

// Released creates a module in dir that is a writable copy of a released module, which is followed by its version. from is a directory to
// run the go command in.
func Released(dir, from, module string) error {
	if err := copyModule(dir, from, module); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, "vendor")) // its packages are not in the module
}

// copyModule copies a module to dir. from is a directory to run the go command in; its go.mod has the version, unless the path is followed
// by one.
func copyModule(dir, from, module string) error {
	source, err := goCommand(from, "mod", "download", "-json", module)
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
	return makeWritable(dir)
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

// FilesNamed returns the sorted files in a module that have one of these names: generated files in API packages.
func FilesNamed(dir string, files []string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && slices.Contains(files, path.Base(name)) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// Clean removes the files in a module that have one of these names.
func Clean(dir string, files []string) error {
	names, err := FilesNamed(dir, files)
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

// Packages returns the packages that match a pattern and have a marker in a gofmt'ed file. What follows = in the marker does not matter.
func Packages(dir, pattern, marker string) ([]string, error) {
	const format = `{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}}{{"\t"}}{{$p.Dir}}/{{.}}{{"\n"}}{{end}}`
	files, err := goCommand(dir, "list", "-find", "-f", format, pattern)
	if err != nil {
		return nil, err
	}
	marked := regexp.MustCompile(`(?m)^// ?\+` + regexp.QuoteMeta(marker) + "(=|$)")
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
		if marked.Match(content) {
			packages = append(packages, importPath)
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no +%s in %s", marker, pattern)
	}
	return packages, nil
}
