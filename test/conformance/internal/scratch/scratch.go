// Package scratch provides the directories and commands of the conformance tests: one stable folder outside the repository,
// temporary modules in it, and programs that run there.
package scratch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// DirVariable is the environment variable for the location of the scratch folder.
const DirVariable = "INFORMER_GEN_LITE_CONFORMANCE_DIR"

// Dir returns the path of an element of the scratch folder, which need not exist. The folder is the same in every run, so that
// failures can be inspected and Go's caches apply.
func Dir(elem ...string) (string, error) {
	root := os.Getenv(DirVariable)
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no place for scratch files, set %s: %w", DirVariable, err)
		}
		root = filepath.Join(cache, "informer-gen-lite-conformance")
	}
	root, err := filepath.Abs(root)
	return filepath.Join(append([]string{root}, elem...)...), err
}

// Run runs a program in a directory and returns its standard output. The error of a failing program includes its output.
func Run(dir, program string, args ...string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = Environment()
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(program), summary(args), err, stderr.String(), stdout.String())
	}
	return stdout.String(), nil
}

// Environment returns the current environment without a workspace around the repository, which must not affect the scratch
// modules.
func Environment() []string {
	return append(os.Environ(), "GOWORK=off")
}

// summary shortens an argument list with hundreds of packages for messages.
func summary(args []string) string {
	const most = 12
	if len(args) <= most {
		return strings.Join(args, " ")
	}
	return fmt.Sprintf("%s … (%d arguments)", strings.Join(args[:most], " "), len(args))
}

// Package is a package as the go command lists it.
type Package struct {
	ImportPath, Dir string
	GoFiles         []string
	Module          *struct{ Path string }
}

// ListPackages runs go list in a directory, with package patterns that flags may precede. Packages with errors are listed, too.
func ListPackages(dir string, args ...string) (packages []Package, err error) {
	list, err := Run(dir, "go", append([]string{"list", "-e", "-json=ImportPath,Dir,GoFiles,Module"}, args...)...)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(strings.NewReader(list)); ; {
		var p Package
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		packages = append(packages, p)
	}
}

// Build compiles commands into a directory below bin in the scratch folder and returns that directory. The go.mod of dir
// determines the versions of the commands.
func Build(dir, name string, packages ...string) (string, error) {
	bin, err := Dir("bin", name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	_, err = Run(dir, "go", append([]string{"build", "-trimpath", "-o", bin + string(filepath.Separator)}, packages...)...)
	return bin, err
}

// NewModule creates an empty module in the scratch folder and replaces an existing one. It gets the requirements and checksums of
// another, so that all dependencies are pinned in the repository: that of a directory, or of a file NAME.mod beside NAME.sum.
func NewModule(dir, modulePath, from string) error {
	if filepath.Ext(from) != ".mod" {
		from = filepath.Join(from, "go.mod")
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	mod, err := derivedGoMod(modulePath, from)
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(strings.TrimSuffix(from, ".mod") + ".sum")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
}

// derivedGoMod returns the content of a go.mod with another module path, valid in any directory.
func derivedGoMod(modulePath, name string) ([]byte, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(name, content, nil)
	if err != nil {
		return nil, err
	}
	if err := mod.AddModuleStmt(modulePath); err != nil {
		return nil, err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		target, err := filepath.Abs(filepath.Join(filepath.Dir(name), r.New.Path))
		if err != nil {
			return nil, err
		}
		if err := mod.AddReplace(r.Old.Path, r.Old.Version, target, ""); err != nil {
			return nil, err
		}
	}
	return mod.Format()
}
