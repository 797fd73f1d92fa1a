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

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
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
			code, stdout, stderr := run(t, dir, append([]string{"scaffold", "Robot", "Yard", "fleet.example.com/v1.Cache"}, flags...)...)
			require.Equal(t, exitDone, code, stderr)
			assert.Contains(t, stdout, "written  internal/controller/robot/reconciler.go\n")
			assert.Contains(t, stdout, "\n\tinformer-gen-lite generate\n\t"+editLine(t)+" && go get -t ./...\n\tgo test ./internal/controller/robot\n")
			code, _, stderr = run(t, dir, append([]string{"generate"}, flags...)...)
			require.Equal(t, exitDone, code, stderr)
			checker := newTypeChecker(model.NewestTarget)
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
	code, stdout, stderr := run(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `written  .informer-gen.yaml  (crd-output-dir, rbac-output-dir, manifests-deployments)
kept     internal/controller/robot/reconciler.go
written  internal/controller/robot/reconciler_test.go
written  internal/controller/robot/servertest/go.mod
written  internal/controller/robot/servertest/robot_test.go
written  cmd/robot-controller/main.go
written  cmd/robot-controller/leader.go
written  cmd/robot-controller/server.go
written  config/rbac/robot-controller.yaml
written  config/deploy/robot-controller.yaml
written  config/monitoring/robot-controller/servicemonitor.yaml
written  config/monitoring/robot-controller/kustomization.yaml
written  config/kustomization.yaml

Next:

	informer-gen-lite generate
	`+editLine(t)+` && go get -t ./...
	go test ./internal/controller/robot
	(cd internal/controller/robot/servertest && go mod tidy && go test ./...)
	kubectl apply -k config
	go run ./cmd/robot-controller
`, stdout)
	before := filesBelow(t, dir)
	assert.Equal(t, "package robot // of mine\n", before[own])
	assert.Equal(t, "# of mine\npackages: [./api/...]\ncrd-output-dir: config/crd\nrbac-output-dir: config/rbac\nmanifests-deployments: [robot-controller]\n",
		before[configured])
	code, stdout, stderr = run(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, stdout, "written  ")
	assert.Equal(t, before, filesBelow(t, dir))
	code, _, stderr = run(t, dir, "scaffold", "Robot", "Yard")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, ".informer-gen.yaml: warning: verify --manifests does not check all controllers\n\tadd yard-controller to manifests-deployments\n")
}

// editLine returns the command that makes a module use the library of this clone.
func editLine(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../runtime")
	require.NoError(t, err)
	return "go mod edit -require=" + module.Library + "@v0.0.0 -replace=" + module.Library + "=" + module.Quote(dir)
}

func scaffoldedModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeModule(t, dir, "example.com/scaffold")
	types, err := os.ReadFile("../../testdata/scaffold/types.go")
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "api/v1/types.go"), string(types))
	return dir
}

// TestScaffoldedKustomization compares the kustomization with the files that it names, and adds a kind to a kept one.
func TestScaffoldedKustomization(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	code, _, stderr := run(t, dir, "scaffold", "Robot", "Cache")
	require.Equal(t, exitDone, code, stderr)
	code, _, stderr = run(t, dir)
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
		"rbac/role.yaml", "rbac/robot-controller.yaml", "deploy/robot-controller.yaml", "rbac/cache-controller.yaml", "deploy/cache-controller.yaml",
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

	code, _, stderr = run(t, dir, "scaffold", "Yard")
	require.Equal(t, exitDone, code)
	for _, name := range []string{"rbac/yard-controller.yaml", "deploy/yard-controller.yaml"} {
		assert.Contains(t, stderr, "config/kustomization.yaml: warning: the kustomization lacks "+name+"\n\tadd it to resources\n")
	}
	assert.NotContains(t, stderr, "robot")
}

// TestScaffoldedRoles compares the rules of the ClusterRole with the calls in the code.
func TestScaffoldedRoles(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	code, _, stderr := run(t, dir, "scaffold", "Robot", "Yard", "Cache")
	require.Equal(t, exitDone, code, stderr)
	code, _, stderr = run(t, dir, "--only", "rbac")
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
