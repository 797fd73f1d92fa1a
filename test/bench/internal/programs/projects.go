package programs

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
)

// The programs for projects that use controller-gen. phases has the steps of controller-gen one by one.
const (
	controllerGen  = "controller-gen"
	phases         = "phases"
	versionOfTools = "-ldflags=-X=sigs.k8s.io/controller-tools/pkg/version.version="
)

// Generator is one of controller-gen's generators.
type Generator string

// The generators: deep copies are written into API packages, manifests to the output directory.
const (
	Definitions Generator = "crd"
	DeepCopies  Generator = "object"
	Roles       Generator = "rbac"
)

// Project is something that controller-gen and our program both write.
type Project struct {
	// Module is the directory of the module that the programs run in.
	Module string
	// Pattern matches the packages.
	Pattern   string
	Generator Generator
	// ClientGo is the version of client-go that our program generates for; empty for the version in the module.
	ClientGo string
}

// BuildControllerGen compiles controller-gen, as the module in dir requires it, and the program for its steps, in the module in
// dirOfPhases. Definitions name version, the version of controller-gen.
func (s *Set) BuildControllerGen(ctx context.Context, version, dir, dirOfPhases string) error {
	_, err := s.build(ctx, dir, versionOfTools+version, "sigs.k8s.io/controller-tools/cmd/"+controllerGen)
	if err == nil {
		_, err = s.build(ctx, dirOfPhases, versionOfTools+version, "./internal/"+phases)
	}
	return err
}

// Lenient returns a set with the same programs, in which go commands complete go.mod and go.sum: released modules need not be tidy.
func (s *Set) Lenient() *Set { return &Set{s.bin, append(slices.Clone(s.env), "GOFLAGS=-mod=mod")} }

// ControllerGen runs controller-gen for a project. It writes manifests to the directory out.
func (s *Set) ControllerGen(ctx context.Context, p Project, out string) (measure.Sample, error) {
	return measure.Run(s.command(ctx, p.Module, controllerGen, p.controllerGen(out)))
}

// OursInstead runs our program in place of controller-gen.
func (s *Set) OursInstead(ctx context.Context, p Project, out string) (measure.Sample, error) {
	return measure.Run(s.command(ctx, p.Module, ourProgram, p.ours(out)))
}

// Steps writes the definitions of a project as controller-gen does, and returns what the steps cost.
func (s *Set) Steps(ctx context.Context, p Project, out string) (steps measure.Steps, err error) {
	cmd := s.command(ctx, p.Module, phases, []string{p.Pattern, out})
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(said, &steps)
	}
	return steps, err
}

func (p Project) controllerGen(out string) []string {
	args := map[Generator][]string{
		Definitions: {"crd:allowDangerousTypes=true", "output:crd:dir=" + filepath.ToSlash(out)},
		DeepCopies:  {"object"},
		Roles:       {"rbac:roleName=manager-role", "output:rbac:dir=" + filepath.ToSlash(out)},
	}
	return append(args[p.Generator], "paths="+p.Pattern)
}

func (p Project) ours(out string) []string {
	args := map[Generator][]string{
		Definitions: {"--only", "crd", "--crd-output-dir", out, "--crd-options", "allowDangerousTypes=true"},
		DeepCopies:  {"--only", "deepcopy"},
		Roles:       {"--only", "rbac", "--rbac-output-dir", out, "--rbac-role-name", "manager-role", "--rbac-paths", p.Pattern},
	}[p.Generator]
	if p.ClientGo != "" {
		args = append(args, "--client-go", p.ClientGo)
	}
	return append(args, p.Pattern)
}
