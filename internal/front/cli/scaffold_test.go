package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

// TestScaffold type-checks unmodified scaffolded code with its tests. test/build vets it and runs the tests.
func TestScaffold(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{
		"with apply configurations": nil, "without apply configurations": {"--skip=applyconfiguration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := scaffoldedModule(t)
			code, stdout, stderr := execute(t, dir, append([]string{"scaffold", "Robot", "Yard", "fleet.example.com/v1.Cache"}, flags...)...)
			require.Equal(t, exitDone, code, stderr)
			assert.Contains(t, stdout, "written  internal/controller/robot/reconciler.go\n")
			assert.Contains(t, stdout, "\n\tinformer-gen-lite generate\n\t"+editLine(t)+" && go get -t ./...\n\tgo test ./internal/controller/robot\n")
			code, _, stderr = execute(t, dir, append([]string{"generate"}, flags...)...)
			require.Equal(t, exitDone, code, stderr)
			checker := newTypeChecker(model.DefaultTarget)
			checker.add("example.com/scaffold", dir)
			checker.check(t)
		})
	}
}

func TestScaffoldWritesOnce(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	const own, configured = "internal/controller/robot/reconciler.go", ".informer-gen.yaml"
	writeFile(t, filepath.Join(dir, own), "package robot // of mine\n")
	writeFile(t, filepath.Join(dir, configured), "# of mine\npackages: [./api/...]")
	code, stdout, stderr := execute(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `written  .informer-gen.yaml  (crd-output-dir, rbac-output-dir, rbac-role-name, manifests-deployments)
kept     internal/controller/robot/reconciler.go
written  internal/controller/robot/add.go
written  internal/controller/robot/reconciler_test.go
written  internal/controller/robot/servertest/go.mod
written  internal/controller/robot/servertest/robot_test.go
written  cmd/scaffold-operator/main.go
written  config/rbac/scaffold-operator.yaml
written  config/deploy/scaffold-operator.yaml
written  config/monitoring/scaffold-operator/servicemonitor.yaml
written  config/monitoring/scaffold-operator/kustomization.yaml
written  config/kustomization.yaml

Next:

	informer-gen-lite generate
	`+editLine(t)+` && go get -t ./...
	go test ./internal/controller/robot
	(cd internal/controller/robot/servertest && go mod tidy && go test ./...)
	kubectl apply -k config
	go run ./cmd/scaffold-operator
`, stdout)
	before := filesBelow(t, dir)
	assert.Equal(t, "package robot // of mine\n", before[own])
	assert.Equal(t, "# of mine\npackages: [./api/...]\ncrd-output-dir: config/crd\nrbac-output-dir: config/rbac\nrbac-role-name: scaffold-operator\nmanifests-deployments: [scaffold-operator]\n",
		before[configured])
	code, stdout, stderr = execute(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, stdout, "written  ")
	assert.Equal(t, before, filesBelow(t, dir))
	code, _, stderr = execute(t, dir, "scaffold", "Robot", "Yard")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, "cmd/scaffold-operator/main.go: warning: the command does not run the controller of package yard\n\t"+
		"import its package, and add yard.Add(m) to the others\n")
}

// editLine returns the command that makes a module use the library of this clone.
func editLine(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../runtime")
	require.NoError(t, err)
	return "go mod edit -require=" + module.Library + "@v0.0.0 -replace=" + module.Library + "=" + module.Quote(dir) +
		" -require=" + module.LibraryMetrics + "@v0.0.0 -replace=" + module.LibraryMetrics + "=" + module.Quote(filepath.Join(dir, "metrics"))
}

func scaffoldedModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeModule(t, dir, "example.com/scaffold")
	types, err := os.ReadFile("../../../testdata/scaffold/types.go")
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "api/v1/types.go"), string(types))
	return dir
}

// TestScaffoldedKustomization compares the kustomization with the files that it names, and adds a kind to a kept one.
func TestScaffoldedKustomization(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	code, _, stderr := execute(t, dir, "scaffold", "Robot", "Cache")
	require.Equal(t, exitDone, code, stderr)
	code, _, stderr = execute(t, dir)
	require.Equal(t, exitDone, code, stderr)
	content, err := os.ReadFile(filepath.Join(dir, "config/kustomization.yaml"))
	require.NoError(t, err)
	var kustomization struct {
		Resources []string
		Images    []struct{ Name string }
	}
	require.NoError(t, yaml.Unmarshal(content, &kustomization))
	assert.Equal(t, []string{
		"crd/fleet.example.com_robots.yaml", "crd/fleet.example.com_knobs.yaml", "crd/fleet.example.com_yards.yaml",
		"crd/fleet.example.com_caches.yaml",
		"rbac/role.yaml", "rbac/scaffold-operator.yaml", "deploy/scaffold-operator.yaml",
	}, kustomization.Resources)
	for _, name := range kustomization.Resources {
		assert.FileExists(t, filepath.Join(dir, "config", filepath.FromSlash(name)))
	}
	for _, image := range kustomization.Images {
		deployment := strings.TrimPrefix(image.Name, "example.invalid/")
		content, err := os.ReadFile(filepath.Join(dir, "config/deploy", deployment+".yaml"))
		require.NoError(t, err)
		assert.Contains(t, string(content), image.Name+":unset")
	}

	code, _, stderr = execute(t, dir, "scaffold", "Yard")
	require.Equal(t, exitDone, code)
	assert.NotContains(t, stderr, "the kustomization lacks", "the definition is there, because robots refer to yards")
	edited := strings.ReplaceAll(string(content), "- crd/fleet.example.com_yards.yaml\n", "")
	writeFile(t, filepath.Join(dir, "config/kustomization.yaml"), edited)
	_, _, stderr = execute(t, dir, "scaffold", "Yard")
	assert.Contains(t, stderr, "config/kustomization.yaml: warning: the kustomization lacks crd/fleet.example.com_yards.yaml\n\tadd it to resources\n")
	assert.NotContains(t, stderr, "robot")
}

func TestScaffoldWithoutFakes(t *testing.T) {
	dir := scaffoldedModule(t)
	code, _, stderr := execute(t, dir, "scaffold", "--skip=fake", "Robot")
	assert.Equal(t, exitProblem, code)
	assert.Regexp(t, `^\S+types.go:\d+:6: the tests of kind Robot need fakes\n\tgenerate the clientset with its fakes, without fake in skip\n$`, stderr)
	code, stdout, stderr := execute(t, dir, "generate", "--skip=fake")
	assert.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "\ntests of controllers need fakes\n")
}

// TestScaffoldOfTwoOutputs names the manifests of each output, and none of outputs without a scaffolded kind.
func TestScaffoldOfTwoOutputs(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	types, err := os.ReadFile(filepath.Join(dir, "api/v1/types.go"))
	require.NoError(t, err)
	other := strings.NewReplacer("Robot", "Tug", "fleet.", "other.", "Yard", "Dock")
	writeFile(t, filepath.Join(dir, "other/v1/types.go"), other.Replace(string(types)))
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), `outputs:
- {packages: [./api/...], output-dir: pkg/a, crd-output-dir: config/a, rbac-output-dir: config/ra}
- {packages: [./other/...], output-dir: pkg/b, crd-output-dir: config/b, rbac-output-dir: config/rb}
`)
	for _, kinds := range [][]string{{"Yard"}, {"Yard", "Tug"}} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "config")))
		code, _, stderr := execute(t, dir, append([]string{"scaffold"}, kinds...)...)
		require.Equal(t, exitDone, code, stderr)
		content, err := os.ReadFile(filepath.Join(dir, "config/kustomization.yaml"))
		require.NoError(t, err)
		assert.Contains(t, string(content), "- a/fleet.example.com_yards.yaml\n")
		assert.Contains(t, string(content), "- ra/role.yaml\n")
		for _, name := range []string{"- b/other.example.com_tugs.yaml\n", "- rb/role.yaml\n"} {
			assert.Equal(t, len(kinds) == 2, strings.Contains(string(content), name), name)
		}
	}
}

// TestScaffoldWithRoles has a configuration that generates a role for each kind. The command is bound to all of them, and has a role for
// its own lease.
func TestScaffoldWithRoles(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "rbac-output-dir: config/rbac\n")
	code, stdout, stderr := execute(t, dir, "scaffold", "Robot", "Yard")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "written  .informer-gen.yaml  (crd-output-dir, manifests-deployments)\n")
	content, err := os.ReadFile(filepath.Join(dir, "config/rbac/scaffold-operator.yaml"))
	require.NoError(t, err)
	bound := map[string]string{}
	for document := range strings.SplitSeq(string(content), "---\n") {
		var b rbacv1.RoleBinding
		require.NoError(t, yaml.Unmarshal([]byte(document), &b))
		if b.RoleRef.Name != "" {
			bound[b.Kind+" "+b.Namespace+"/"+b.Name] = b.RoleRef.Kind + " " + b.RoleRef.Name
		}
	}
	assert.Equal(t, map[string]string{
		"ClusterRoleBinding /scaffold-operator-robot-controller":                "ClusterRole robot-controller",
		"ClusterRoleBinding /scaffold-operator-yard-controller":                 "ClusterRole yard-controller",
		"RoleBinding scaffold-system/scaffold-operator-robot-controller-leases": "ClusterRole robot-controller-leases",
		"RoleBinding scaffold-system/scaffold-operator-yard-controller-leases":  "ClusterRole yard-controller-leases",
		"RoleBinding scaffold-system/scaffold-operator-leases":                  "Role scaffold-operator-leases",
	}, bound)
	assert.Contains(t, string(content), "resourceNames: [scaffold-operator]")
}

// TestScaffoldedRoles compares the rules of the ClusterRole with the calls in the code.
func TestScaffoldedRoles(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	code, _, stderr := execute(t, dir, "scaffold", "Robot", "Yard", "Cache")
	require.Equal(t, exitDone, code, stderr)
	configured, err := os.ReadFile(filepath.Join(dir, ".informer-gen.yaml"))
	require.NoError(t, err)
	assert.Contains(t, string(configured), "rbac-role-name: scaffold-operator\n")
	// One role for each kind says more here.
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), strings.ReplaceAll(string(configured), "rbac-role-name: scaffold-operator\n", ""))
	code, _, stderr = execute(t, dir, "--only", "rbac")
	require.Equal(t, exitDone, code, stderr)
	content, err := os.ReadFile(filepath.Join(dir, "config/rbac/role.yaml"))
	require.NoError(t, err)
	for kind, want := range map[string]map[string]string{
		"robot": {
			"fleet.example.com/robots": "get list patch watch", "fleet.example.com/robots/status": "update",
			"fleet.example.com/robots/finalizers": "update", "apps/deployments": "create delete get list patch watch",
			"/configmaps": "create delete get list patch watch", "fleet.example.com/knobs": "create get list watch",
			"/secrets": "get list watch", "fleet.example.com/yards": "list watch", "events.k8s.io/events": "create patch",
		},
		"yard": {
			"fleet.example.com/yards": "get list watch", "fleet.example.com/yards/finalizers": "update",
			"rbac.authorization.k8s.io/clusterroles": "create delete get list patch watch",
			"apps/deployments":                       "create delete get list patch watch", "events.k8s.io/events": "create patch",
		},
		"cache": {
			"fleet.example.com/caches": "get list watch", "fleet.example.com/caches/status": "update",
			"fleet.example.com/caches/finalizers": "update", "fleet.example.com/knobs": "create get list watch",
			"/configmaps": "list watch", "events.k8s.io/events": "create patch",
		},
	} {
		got := map[string]string{}
		for document := range strings.SplitSeq(string(content), "---\n") {
			var role rbacv1.ClusterRole
			require.NoError(t, yaml.UnmarshalStrict([]byte(document), &role))
			if role.Kind != "ClusterRole" || role.Name != kind+"-controller" {
				continue
			}
			for _, rule := range role.Rules {
				for _, group := range rule.APIGroups {
					for _, resource := range rule.Resources {
						got[group+"/"+resource] = strings.Join(rule.Verbs, " ")
					}
				}
			}
		}
		assert.Equal(t, want, got, kind)
	}
}
