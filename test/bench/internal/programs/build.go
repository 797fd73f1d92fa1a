// Package programs builds and runs the two sides: upstream's generators, and ours.
package programs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// ourProgram and upstreamPrograms are the programs to build.
const ourProgram = "informer-gen-lite"

var upstreamPrograms = []string{"deepcopy-gen", "register-gen", "applyconfiguration-gen", "client-gen", "lister-gen", "informer-gen"}

// Set is a directory with the programs of both sides, and the environment that they run in.
type Set struct {
	bin string
	env []string
}

// New returns a set without programs, in the directory bin, an absolute path. A workspace around the repository must not affect the
// input modules.
func New(bin string) *Set { return &Set{bin, append(os.Environ(), "GOWORK=off")} }

// Cold returns a set in another directory, with an empty build cache if the directory is empty.
func (s *Set) Cold(dir string) *Set {
	return &Set{filepath.Join(dir, "bin"), append(slices.Clone(s.env), "GOCACHE="+filepath.Join(dir, "gocache"))}
}

// BuildOurs compiles our program in the module of the repository.
func (s *Set) BuildOurs(ctx context.Context, repository string) (measure.Sample, error) {
	return s.build(ctx, repository, "./cmd/"+ourProgram)
}

// BuildUpstream compiles upstream's programs in the version that the module in dir requires, without those for defaults and conversions.
func (s *Set) BuildUpstream(ctx context.Context, dir string) (measure.Sample, error) {
	return s.buildUpstream(ctx, dir, upstreamPrograms)
}

// BuildHelpers compiles upstream's programs for defaults and conversions in the version that the module in dir requires.
func (s *Set) BuildHelpers(ctx context.Context, dir string) error {
	_, err := s.buildUpstream(ctx, dir, helperPrograms)
	return err
}

func (s *Set) buildUpstream(ctx context.Context, dir string, programs []string) (measure.Sample, error) {
	packages := make([]string, len(programs))
	for i, program := range programs {
		packages[i] = "k8s.io/code-generator/cmd/" + program
	}
	return s.build(ctx, dir, packages...)
}

func (s *Set) build(ctx context.Context, dir string, packages ...string) (measure.Sample, error) {
	if err := os.MkdirAll(s.bin, 0o777); err != nil {
		return measure.Sample{}, err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", s.bin + string(filepath.Separator)}, packages...)...)
	cmd.Dir, cmd.Env = dir, s.env
	return measure.Run(cmd)
}

// command returns a command that runs one of the programs in a directory.
func (s *Set) command(ctx context.Context, dir, program string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, program), args...)
	cmd.Dir, cmd.Env = dir, s.env
	return cmd
}
