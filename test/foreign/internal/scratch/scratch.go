// Package scratch provides the directories and commands of the tests: one folder outside the repository, and programs that run there.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// DirVariable is the environment variable for the location of the scratch folder.
const DirVariable = "INFORMER_GEN_LITE_FOREIGN_DIR"

// Dir returns the path of an element of the scratch folder, which need not exist. The folder is the same in every run, so that
// failures can be inspected and Go's caches apply.
func Dir(elem ...string) (string, error) {
	root := os.Getenv(DirVariable)
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no place for scratch files, set %s: %w", DirVariable, err)
		}
		root = filepath.Join(cache, "informer-gen-lite-foreign")
	}
	root, err := filepath.Abs(root)
	return filepath.Join(append([]string{root}, elem...)...), err
}

// Run runs a program in a directory and returns its standard output. The error of a failing program includes its output.
func Run(dir, program string, args ...string) (string, error) {
	var stdout, stderr strings.Builder
	cmd := Command(dir, program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(program), strings.Join(args, " "), err, stderr.String(), stdout.String())
	}
	return stdout.String(), nil
}

// Command returns a command in a directory that no workspace around it affects.
func Command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}

// NewModule creates an empty module and replaces an existing one. It gets the requirements and checksums of the module in from, so
// that the repository pins all dependencies.
func NewModule(dir, modulePath, from string) error {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	name := filepath.Join(from, "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(name, content, nil)
	if err != nil {
		return err
	}
	if err := mod.AddModuleStmt(modulePath); err != nil {
		return err
	}
	for _, r := range mod.Replace { // the tool, which generated code does not need
		tool := r.Old.Path // dropping clears r
		if err := errors.Join(mod.DropReplace(tool, r.Old.Version), mod.DropRequire(tool)); err != nil {
			return err
		}
	}
	mod.Cleanup()
	formatted, err := mod.Format()
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(from, "go.sum"))
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), formatted, 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
}
