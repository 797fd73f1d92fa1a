package cli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crds, bases and robots are a conventional directory of definitions, the call for it, and the file of a kind in it.
const (
	crds   = "config/crd/bases/"
	bases  = "\tcontroller-gen crd paths=./api/... output:crd:dir=config/crd/bases\n"
	robots = "fleet.example.com_robots.yaml"
	calls  = "deepcopy-gen --output-file zz_generated.deepcopy.go ./api/...\nlister-gen --output-dir gen/listers --output-pkg example.com/m/gen/listers "
)

// withManifests creates a module with a script for listers, and with the definition and the role that controller-gen would write.
func withManifests(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/m")
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), bareTypes)
	writeFile(t, filepath.Join(dir, "internal", "robot.go"),
		"package internal\n\n// +kubebuilder:rbac:groups=fleet.example.com,resources=robots,verbs=get;list\n")
	writeFile(t, filepath.Join(dir, "hack", "gen.sh"), calls+"./api/v1\n")
	code, _, stderr := execute(t, dir, "./api/v1", "--only", "crd,rbac", "--output-dir", "gen", "--crd-output-dir", "config/crd/bases",
		"--rbac-output-dir", "config/rbac", "--rbac-role-name", "fleet")
	require.Equal(t, exitDone, code, stderr)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "gen")))
	return dir
}

// manifestsBelow returns the manifests of a module.
func manifestsBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := filesBelow(t, dir)
	maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasSuffix(name, ".yaml") || name == ".informer-gen.yaml" })
	return all
}

// TestMigrateSituations has calls of controller-gen whose files other commands change. Without --manifests, all stay and are named. With
// it, a call stays unless its files stay the same. Either way, clients are generated and no manifest changes.
func TestMigrateSituations(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it generates definitions in many ways")
	}
	original := withManifests(t)
	move := func(from, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(to)), 0o777))
			require.NoError(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
		}
	}
	edit := func(name, old, replacement string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			replaceIn(t, filepath.Join(dir, name), old, replacement)
		}
	}
	depots := func(t *testing.T, dir string) {
		t.Helper()
		types := strings.NewReplacer("fleet.", "depot.", "Robot", "Dock").Replace(bareTypes)
		writeFile(t, filepath.Join(dir, "api", "depot", "v1", "types.go"), types)
		writeFile(t, filepath.Join(dir, "hack", "gen.sh"),
			calls+"./api/v1 ./api/depot/v1\n")
	}
	const fleetAndDepot = "\tcontroller-gen crd paths=./api/v1 output:crd:dir=config/crd/bases\n" +
		"\tcontroller-gen crd paths=./api/depot/... output:crd:dir=config/crd/depot\n"
	const twoOutputs = "\tcontroller-gen object crd paths=./api/v1 output:crd:dir=config/crd/bases\n" +
		"\tcontroller-gen object crd paths=./api/v2 output:crd:dir=config/crd/v2\n"
	for name, test := range map[string]struct {
		recipe string
		change func(t *testing.T, dir string)
		// stays is the reason for which the call stays with --manifests; "" if it is translated.
		stays string
	}{
		"moved": {
			bases + "\tmv " + crds + robots + " deploy/robot.crd.yaml\n", move(crds+robots, "deploy/robot.crd.yaml"),
			crds + robots + " does not exist, but deploy/robot.crd.yaml does",
		},
		"moved, and another kind": {
			bases + "\thack/rename.sh\n", func(t *testing.T, dir string) {
				t.Helper()
				move(crds+robots, "deploy/machine.yaml")(t, dir)
				replaceIn(t, filepath.Join(dir, "deploy", "machine.yaml"), "name: robots.fleet", "name: machines.fleet")
				replaceIn(t, filepath.Join(dir, "deploy", "machine.yaml"), "plural: robots", "plural: machines")
			},
			crds + robots + " does not exist, but deploy/machine.yaml does",
		},
		"moved into a template": {
			bases + "\thack/chart.sh\n", func(t *testing.T, dir string) {
				t.Helper()
				move(crds+robots, "chart/templates/robots.tpl")(t, dir)
				replaceIn(t, filepath.Join(dir, "chart", "templates", "robots.tpl"), "---\n", "{{- if .Values.crds }}\n")
			},
			crds + robots + " does not exist, but chart/templates/robots.tpl does",
		},
		"edited": {
			bases + "\tsed -i s/kind:/kind:/ " + crds + robots + "\n", edit(crds+robots, "    kind: Robot\n", "    kind: robot\n"),
			crds + robots + " differs from what would be generated",
		},
		"groups in directories of their own": {
			fleetAndDepot, func(t *testing.T, dir string) {
				t.Helper()
				depots(t, dir)
				require.NoError(t, os.RemoveAll(filepath.Join(dir, "config", "crd")))
			},
			"the output with clients for its packages would have CustomResourceDefinitions of ./api/depot/v1, too",
		},
		"groups in a directory that a script divides": {
			bases + "\thack/divide.sh\n", func(t *testing.T, dir string) {
				t.Helper()
				depots(t, dir)
				move(crds+robots, "charts/fleet/crds/"+robots)(t, dir)
			},
			crds + robots + " does not exist, but charts/fleet/crds/" + robots + " does",
		},
		"standard output": {
			"\tcontroller-gen crd paths=./api/... output:crd:stdout >deploy/crds.yaml\n", move(crds+robots, "deploy/crds.yaml"),
			"crd writes to standard output",
		},
		"temporary directory in the repository": {
			"\tcontroller-gen crd paths=./api/... output:crd:dir=tmp\n\tcp tmp/* chart/crds\n\trm -r tmp\n", move(crds+robots, "chart/crds/"+robots),
			"tmp/" + robots + " does not exist, but chart/crds/" + robots + " does",
		},
		"temporary directory": {
			"\tT=$$(mktemp -d); controller-gen crd paths=./api/... output:crd:dir=$$T; cp $$T/* chart/crds\n", move(crds+robots, "chart/crds/"+robots),
			"crd writes to a temporary directory",
		},
		"not a generator of the repository": {
			"\techo\n", func(t *testing.T, dir string) {
				t.Helper()
				writeFile(t, filepath.Join(dir, "test", "e2e.sh"), "controller-gen crd paths=./api/... output:stdout | kubectl apply -f -\n")
			},
			"crd writes to standard output",
		},
		"a conversion is added": {
			bases + "\thack/conversion.sh\n", edit(crds+robots, "spec:\n", "spec:\n  conversion:\n    strategy: Webhook\n"),
			crds + robots + " differs from what would be generated",
		},
		"a license is added": {
			"\tcontroller-gen rbac:roleName=fleet paths=./internal/... output:rbac:dir=config/rbac\n\thack/license.sh\n",
			edit("config/rbac/role.yaml", "---\n", "# Copyright The Fleet Authors.\n\n---\n"), "",
		},
		"two outputs in one directory": {
			twoOutputs,
			func(t *testing.T, dir string) {
				t.Helper()
				writeFile(t, filepath.Join(dir, "api", "v2", "types.go"), strings.NewReplacer("package v1", "package v2", "Robot", "Drone").Replace(bareTypes))
				require.NoError(t, os.Remove(filepath.Join(dir, "hack", "gen.sh")))
			}, "",
		},
		"types without a schema": {
			bases, edit("api/v1/types.go", "Conditions []", "Speed float64 `json:\"speed\"`\n\tConditions []"),
			"generating fails: api/v1/types.go:16:8: found float, ",
		},
		"unchanged but for the version": {bases, edit(crds+robots, "version: v", "version: v0.1"), ""},
		"line endings":                  {bases, edit(crds+robots, "---\n", "---\r\n"), ""},
		"without the version":           {bases, edit(crds+robots, "  annotations:\n    controller-gen.kubebuilder.io/version: ", "    #"), "generating fails: " + crds + robots + ": a handwritten file"},
		"comment within":                {bases, edit(crds+robots, "spec:\n", "spec:\n  # edited\n"), crds + robots + " differs"},
		"not compiling": {bases, func(t *testing.T, dir string) {
			t.Helper()
			writeFile(t, filepath.Join(dir, "api", "v1", "more.go"), "package v1\n\nvar x = \n")
		}, "generating fails: api/v1/more.go:3:10: "},
		"module that is missing": {bases, edit("api/v1/types.go", "k8s.io/apimachinery/pkg/apis/meta/v1", "example.org/none/meta/v1"), "generating fails: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "m")
			require.NoError(t, os.CopyFS(dir, os.DirFS(original)))
			writeFile(t, filepath.Join(dir, "Makefile"), "manifests:\n"+test.recipe)
			test.change(t, dir)
			before := manifestsBelow(t, dir)
			code, plain, stderr := execute(t, dir, "migrate")
			require.Equal(t, exitDone, code, stderr)
			assert.Regexp(t, `(?m)^(Makefile|test/e2e.sh):\d:\d+: warning: (1 call of controller-gen stays; migrate --manifests translates it|`+
				`2 calls of controller-gen stay; migrate --manifests translates them)$`, stderr)
			assert.Contains(t, stderr, ": keep controller-gen ")
			assert.NotContains(t, plain, "crd")
			assert.NotContains(t, plain, "rbac")

			code, stdout, stderr := execute(t, dir, "migrate", "--manifests")
			require.Equal(t, exitDone, code, stderr)
			if test.stays == "" {
				assert.NotContains(t, stderr, "keep controller-gen")
				assert.Regexp(t, "(crd|rbac)-output-dir: ", stdout)
			} else {
				assert.Contains(t, stderr, ": warning: this call of controller-gen stays: "+test.stays)
				assert.Contains(t, stderr, "\tkeep controller-gen ")
				assert.Equal(t, plain, stdout)
			}
			if name == "not compiling" || name == "module that is missing" {
				return
			}
			writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), stdout)
			code, _, stderr = execute(t, dir, "generate", "--adopt")
			require.Equal(t, exitDone, code, stderr)
			if test.recipe != twoOutputs {
				assert.FileExists(t, filepath.Join(dir, "gen", "listers", "api", "v1", "robot.go"))
			}
			after := manifestsBelow(t, dir)
			for name, content := range before {
				assert.Equal(t, regexp.MustCompile(`version: v.*|\r`).ReplaceAllString(content, ""),
					regexp.MustCompile(`version: v.*|\r`).ReplaceAllString(after[name], ""), name)
			}
			if test.stays != "" {
				assert.Len(t, after, len(before), "nothing is added")
			}
		})
	}
}

// TestMigrateNewManifests translates a call for manifests if the repository has none of these kinds.
func TestMigrateNewManifests(t *testing.T) {
	t.Parallel()
	dir := withManifests(t)
	writeFile(t, filepath.Join(dir, "Makefile"), "manifests:\n\tcontroller-gen crd rbac:roleName=fleet paths=./... output:crd:dir=config/crd/bases\n")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "config")))
	writeFile(t, filepath.Join(dir, "deploy", "other.yaml"), "kind: CustomResourceDefinition\nmetadata:\n  name: tugs.fleet.example.com\n")
	code, stdout, stderr := execute(t, dir, "migrate", "--manifests")
	require.Equal(t, exitDone, code, stderr)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "crd-output-dir: config/crd/bases\nrbac-output-dir: config/rbac\n")

	writeFile(t, filepath.Join(dir, "deploy", "role.yml"), "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n")
	_, stdout, stderr = execute(t, dir, "migrate", "--manifests")
	assert.Contains(t, stderr, "stays: config/rbac/role.yaml does not exist, but deploy/role.yml does\n")
	assert.NotContains(t, stdout, "crd", "all of a call, or nothing")
}

// TestMigrateUnknown names values that are unknown.
func TestMigrateUnknown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	writeFile(t, filepath.Join(dir, "gen.sh"), "lister-gen $APIS --output-dir $OUT\n")
	code, stdout, stderr := execute(t, dir, "migrate")
	assert.Equal(t, exitProblem, code)
	assert.Equal(t, "packages:\n  - '? gen.sh:1: $APIS is not set in the script'\n"+
		"output-dir: '? gen.sh:1: --output-dir of lister-gen: $OUT is not set in the script'\nonly:\n  - listers\n", stdout)
	assert.Equal(t, "gen.sh:1:1: unknown output-dir: --output-dir of lister-gen: $OUT is not set in the script\n\twrite the value in place of ?\n"+
		"gen.sh:1:1: unknown packages: $APIS is not set in the script\n\twrite the value in place of ?\n", stderr)
}
