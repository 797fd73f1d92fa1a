// Package programs builds and runs the two sides: upstream's three generators, and ours.
package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Set is a directory with the programs of both sides, and the environment that they run in.
type Set struct {
	bin string
	env []string
}

// Build compiles the programs into the directory bin, an absolute path: ours in the module of the repository, upstream's in the version that
// the module of this tool requires.
func Build(bin, repository, benchModule string) (*Set, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	s := &Set{bin, env}
	if err := s.build(repository, "./cmd/informer-gen-lite"); err != nil {
		return nil, err
	}
	return s, s.build(benchModule, "k8s.io/code-generator/cmd/client-gen",
		"k8s.io/code-generator/cmd/lister-gen", "k8s.io/code-generator/cmd/informer-gen")
}

func (s *Set) build(dir string, packages ...string) error {
	if err := os.MkdirAll(s.bin, 0o777); err != nil {
		return err
	}
	cmd := exec.Command("go", append([]string{"build", "-o", s.bin + string(filepath.Separator)}, packages...)...)
	cmd.Dir, cmd.Env = dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// environment is ours, but for a workspace around the repository, which must not reach into the modules that are read,
// and with the build cache pinned: it would move with the cache directory that our side gets for a run.
func environment() ([]string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return append(os.Environ(), "GOWORK=off", "GOCACHE="+strings.TrimSpace(string(out))), nil
}

// command prepares one of the programs to be run in a directory.
func (s *Set) command(ctx context.Context, dir, program string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, program), args...)
	cmd.Dir, cmd.Env = dir, s.env
	return cmd
}
