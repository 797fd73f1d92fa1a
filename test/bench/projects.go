package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/input"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/measure"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/report"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// conformance is the directory of the module that requires controller-gen.
const conformance = "../conformance"

// project is a public module that uses controller-gen.
type project struct {
	// module has a version, and types matches the packages with kinds.
	module, types string
	// clientGo is a version that our program supports, if the version in the module is too old.
	clientGo string
	// roles matches the packages with markers for roles. Deep copies and roles are compared for the projects that have it.
	roles string
}

var projects = []project{
	{module: "sigs.k8s.io/cluster-api/api@v1.14.2", types: "./..."},
	{module: "github.com/external-secrets/external-secrets@v0.16.2", types: "./apis/...", clientGo: "v0.33"},
	// The modules with most definitions among the modules whose definitions the conformance tests compare.
	{module: "github.com/chaos-mesh/chaos-mesh/api@v0.0.0-20260906172039-d70b66ad97ac", types: "./..."},
	{module: "sigs.k8s.io/gateway-api@v1.6.3", types: "./..."},
	{module: "sigs.k8s.io/kwok@v0.8.0", types: "./pkg/apis/v1alpha1", roles: "./pkg/apis/v1alpha1"},
	{module: "sigs.k8s.io/kueue@v0.17.0", types: "./apis/..."},
	{module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring@v0.95.2", types: "./..."},
	{module: "github.com/kedacore/keda/v2@v2.21.0", types: "./apis/...", roles: "./controllers/..."},
	{module: "github.com/kubernetes-csi/external-snapshotter/client/v8@v8.7.0", types: "./apis/..."},
	{module: "github.com/fluxcd/source-controller/api@v1.9.6", types: "./..."},
}

// definitions compares manifests and deep copies with controller-gen's.
func (b *bench) definitions(ctx context.Context) error {
	selected := slices.DeleteFunc(slices.Clone(projects), func(p project) bool { return !strings.Contains(p.module, b.module) })
	if len(selected) == 0 {
		return fmt.Errorf("-module: no module of h contains %q", b.module)
	}
	version, err := versionOf(ctx, conformance, "sigs.k8s.io/controller-tools")
	if err != nil {
		return err
	}
	b.results.Facts.ControllerGen = version
	if err := b.programs.BuildControllerGen(ctx, version, conformance, "."); err != nil {
		return err
	}
	for i, p := range selected {
		dir := filepath.Join(b.scratch, fmt.Sprintf("project%d", i))
		if err := input.Released(dir, requirements, p.module); err != nil {
			return err
		}
		path, _, _ := strings.Cut(p.module, "@")
		for _, task := range p.tasks(dir) {
			if err := b.instead(ctx, path, task); err != nil {
				return err
			}
		}
	}
	return nil
}

// tasks returns what is compared for a project in a directory.
func (p project) tasks(dir string) []programs.Project {
	tasks := []programs.Project{{Module: dir, Pattern: p.types, Generator: programs.Definitions, ClientGo: p.clientGo}}
	if p.roles != "" {
		tasks = append(tasks,
			programs.Project{Module: dir, Pattern: p.types, Generator: programs.DeepCopies, ClientGo: p.clientGo},
			programs.Project{Module: dir, Pattern: p.roles, Generator: programs.Roles, ClientGo: p.clientGo})
	}
	return tasks
}

// described names what a generator writes.
var described = map[programs.Generator]string{
	programs.Definitions: "definitions", programs.DeepCopies: "deep copies", programs.Roles: "roles",
}

// instead compares controller-gen with our program in its place, and measures the steps for definitions.
func (b *bench) instead(ctx context.Context, module string, p programs.Project) error {
	set, result := b.programs.Lenient(), report.Project{Name: module + ", " + described[p.Generator]}
	var theirs map[string]string
	keep := func(files map[string]string) error {
		theirs = files
		return nil
	}
	compare := func(files map[string]string) error { return sameContent(theirs, files) }
	samples, err := harness.InTurn(b.Session, result.Name,
		side{Name: "controller-gen", Run: checked(b, p, keep, func(out string) (measure.Sample, error) {
			return set.ControllerGen(ctx, p, out)
		})},
		side{Name: "ours", Run: checked(b, p, compare, func(out string) (measure.Sample, error) { return set.OursInstead(ctx, p, out) })})
	if err != nil {
		return err
	}
	result.ControllerGen, result.Ours = samples[0], samples[1]
	if p.Generator == programs.Definitions {
		steps, err := harness.InTurn(b.Session, result.Name, harness.Side[measure.Steps]{
			Name: "steps", Run: checked(b, p, compare, func(out string) (measure.Steps, error) { return set.Steps(ctx, p, out) }),
		})
		if err != nil {
			return err
		}
		result.Steps = steps[0]
	}
	b.results.Projects = append(b.results.Projects, result)
	return nil
}

// checked returns a function that runs a program for a project, without deep copies of an earlier run, and passes what it wrote to check.
func checked[S any](b *bench, p programs.Project, check func(map[string]string) error, run func(out string) (S, error)) func() (S, error) {
	return func() (sample S, err error) {
		out, err := os.MkdirTemp(b.scratch, "run")
		if err == nil && p.Generator == programs.DeepCopies {
			err = input.Clean(p.Module, deepCopies)
		}
		if err == nil {
			sample, err = run(out)
		}
		if err != nil {
			return sample, err
		}
		files, err := written(p, out)
		if err == nil {
			err = check(files)
		}
		return sample, err
	}
}

var deepCopies = []string{"zz_generated.deepcopy.go"}

// written returns the content of the manifests that a run has written, by name. Deep copies have none, because their comments differ.
func written(p programs.Project, out string) (map[string]string, error) {
	files := map[string]string{}
	if p.Generator == programs.DeepCopies {
		names, err := input.FilesNamed(p.Module, deepCopies)
		for _, name := range names {
			files[name] = ""
		}
		return files, err
	}
	entries, err := os.ReadDir(out)
	for _, entry := range entries {
		content, failed := os.ReadFile(filepath.Join(out, entry.Name()))
		files[entry.Name()] = string(content)
		err = errors.Join(err, failed)
	}
	return files, err
}

// sameContent returns an error unless both sides wrote the same files.
func sameContent(theirs, ours map[string]string) error {
	if err := sameFiles(slices.Sorted(maps.Keys(theirs)), slices.Sorted(maps.Keys(ours))); err != nil {
		return err
	}
	for name, content := range theirs {
		if ours[name] != content {
			return fmt.Errorf("the sides write different content into %s", name)
		}
	}
	if len(theirs) == 0 {
		return errors.New("neither side writes a file")
	}
	return nil
}
