package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// TestTargets runs the cases in modules that build with older releases of client-go, and type-checks the output with that release
// and with later ones: the clients of a library are compiled with the client-go of the importing module.
func TestTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("make build-tests runs it")
	}
	t.Parallel()
	for _, target := range model.Targets() {
		if target == model.DefaultTarget || !runs(target) {
			continue // TestCases covers the newest
		}
		t.Run(target.String(), func(t *testing.T) {
			cases := slices.DeleteFunc(loadCasesFor(t, target, "*"), func(c *testCase) bool { return c.fails() || c.needs(target) })
			t.Run("run", func(t *testing.T) {
				for _, c := range cases {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						c.prepare(t)
						code, _, stderr := execute(t, c.dir, c.args()...)
						require.Equal(t, exitDone, code, stderr)
					})
				}
			})
			checkWithLater(t, target, append(cases, generatedExamples(t, target)))
		})
	}
}

// generatedExamples generates everything for the types of the examples, in a module of the same path.
func generatedExamples(t *testing.T, target model.Target) *testCase {
	t.Helper()
	c := &testCase{name: "examples", dir: t.TempDir(), archive: &txtar.Archive{Comment: []byte("args: --only " + strings.Join(generators.All.Names(), ",") +
		" --external-applyconfigurations k8s.io/api/core/v1.EnvVar:k8s.io/client-go/applyconfigurations/core/v1\n")}}
	writeModuleFor(t, target, c.dir, "github.com/informer-gen-lite/informer-gen-lite")
	apis := filepath.Join(c.dir, "examples/apis")
	require.NoError(t, os.CopyFS(apis, os.DirFS("../../../examples/apis")))
	if !target.Runtime() {
		dropRuntimeMarkers(t, apis)
	}
	code, stdout, stderr := c.execute(t)
	require.Equal(t, exitDone, code, string(stderr))
	require.Contains(t, string(stdout), "3 groups, 4 versions, 16 kinds")
	return c
}

// dropRuntimeMarkers removes the markers that need the run-time library from the Go files below a directory.
func dropRuntimeMarkers(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range []string{marker.Controller, marker.Ref, marker.Index, marker.Lister, marker.RBAC} {
			text = bytes.ReplaceAll(text, []byte("// +"+m), []byte("// "))
		}
		return os.WriteFile(name, text, 0o666)
	}))
}

// checkWithLater type-checks the output for a release of client-go with that release and with later ones: the newest, or all.
func checkWithLater(t *testing.T, target model.Target, cases []*testCase) {
	t.Helper()
	for _, with := range model.Targets() {
		if with.Minor < target.Minor || with != target && with != model.DefaultTarget && !runs(with) {
			continue
		}
		t.Run("compile with "+with.String(), func(t *testing.T) {
			t.Parallel()
			checker := newTypeChecker(with)
			added := 0
			for _, c := range cases {
				if !c.appliesBefore34(t, target, with) {
					c.addTo(t, checker)
					added++
				}
			}
			require.Greater(t, added, len(cases)/2)
			checker.check(t)
		})
	}
}

// appliesBefore34 reports whether a case has apply configurations generated for v0.33 and is compiled with a later release: their
// exported API refers to types that v0.34 lacks, such as the TypeConverter of client-go's package testing.
func (c *testCase) appliesBefore34(t *testing.T, target, with model.Target) bool {
	t.Helper()
	if target == with || target.SchemeTypeConverter() {
		return false
	}
	for _, file := range c.state(t) {
		if strings.Contains(file.content, "sigs.k8s.io/structured-merge-diff/v4") && strings.Contains(file.content, "\npackage internal\n") {
			return true
		}
	}
	return false
}

// needs reports whether a case requires a later release of client-go than a target.
func (c *testCase) needs(target model.Target) bool {
	oldest := c.says("needs")
	return len(oldest) == 1 && oldest[0] > target.String() // all have two digits
}

// runs reports whether tests use a release that is not the newest. The default is only the oldest; make targets uses all.
func runs(target model.Target) bool {
	return target == model.OldestTarget || os.Getenv("INFORMER_GEN_LITE_ALL_TARGETS") != ""
}

// TestTemplatesForTargets uses every template for releases of client-go and type-checks the result with them. test/build compiles the
// output for some, and runs its tests.
func TestTemplatesForTargets(t *testing.T) {
	t.Parallel()
	for _, target := range model.Targets() {
		if target != model.DefaultTarget && !runs(target) {
			continue
		}
		t.Run(target.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeModuleFor(t, target, dir, "example.com/sample")
			types := "// +k8s:defaulter-gen=TypeMeta\n// +k8s:conversion-gen=false\n" + packageOfKinds("robots.example.com", "v1", []string{"Robot", "RobotPart"})
			if !target.Runtime() {
				types = strings.ReplaceAll(types, "// +"+marker.Controller, "// ")
			}
			writeFile(t, filepath.Join(dir, "apis/robots/v1/types.go"), types)
			values := option.Default()
			all, err := pipeline.AllOptions([]config.Output{{Values: values, Dir: dir}}, complete)
			require.NoError(t, err)
			api, err := pipeline.Resolve(t.Context(), all[0])
			require.NoError(t, err)
			require.Equal(t, target, api.Layout.Target)
			assert.Equal(t, allTemplates(t, target), usedTemplates(api))

			for _, kind := range api.Resolved.API.WithControllers() {
				scaffolded, err := generators.Scaffold(kind, &api.Layout, sampleDestination, nil)
				require.NoError(t, err)
				for _, file := range scaffolded {
					writeFile(t, filepath.Join(dir, filepath.FromSlash(file.Path)), string(file.Content))
				}
			}
			together, err := generators.ScaffoldTogether(controlledIn(api), sampleDestination)
			require.NoError(t, err)
			for _, file := range together {
				if target.Runtime() {
					writeFile(t, filepath.Join(dir, filepath.FromSlash(file.Path)), string(file.Content))
				}
			}
			code, _, stderr := execute(t, dir, "generate")
			require.Equal(t, exitDone, code, stderr)
			checker := newTypeChecker(target)
			checker.add("example.com/sample", dir)
			checker.check(t)
		})
	}
}

// sampleDestination is the module of TestTemplatesForTargets.
var sampleDestination = scaffold.Destination{ImportPath: "example.com/sample", Module: "example.com/sample", Operator: "sample-operator"}

// controlledIn returns the kinds with controllers.
func controlledIn(api *run.API) (kinds []scaffold.Controlled) {
	for _, kind := range api.Resolved.API.WithControllers() {
		kinds = append(kinds, scaffold.Controlled{Kind: kind, Layout: &api.Layout})
	}
	return kinds
}

// allTemplates returns the names of all templates that are used for a release of client-go.
func allTemplates(t *testing.T, target model.Target) []string {
	t.Helper()
	names, err := fs.Glob(templates.FS, "*/*.go.tmpl")
	require.NoError(t, err)
	forRuntime := []string{"clientset/fake_strict.go.tmpl", "informers/runtime.go.tmpl", "informers/fields.go.tmpl"}
	return slices.DeleteFunc(names, func(name string) bool {
		dir := path.Dir(name)
		return !target.Runtime() && (slices.Contains(forRuntime, name) || dir == "controller" || dir == "scaffold")
	})
}

// usedTemplates returns the names of the templates of Go files that the output for an API and its scaffold use.
func usedTemplates(api *run.API) []string {
	used := map[string]bool{}
	take := func(jobs []render.Job) {
		for _, job := range jobs {
			if strings.HasSuffix(job.Template, ".go.tmpl") {
				used[job.Template] = true
			}
		}
	}
	for _, g := range generators.All {
		if g.Jobs == nil {
			continue
		}
		take(g.Jobs(api.Resolved.API, &api.Layout))
	}
	for _, kind := range api.Resolved.API.WithControllers() {
		take(scaffold.Jobs(kind, &api.Layout, sampleDestination))
	}
	if kinds := controlledIn(api); len(kinds) > 0 {
		take(scaffold.JobsTogether(kinds, sampleDestination))
	}
	return slices.Sorted(maps.Keys(used))
}
