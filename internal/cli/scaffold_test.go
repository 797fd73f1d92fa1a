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
	const own, definition = "internal/controller/robot/reconciler.go", "config/crd/fleet.example.com_robots.yaml"
	writeFile(t, filepath.Join(dir, own), "package robot // of mine\n")
	writeFile(t, filepath.Join(dir, definition), "kind: Something\n")
	code, stdout, stderr := run(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `kept     internal/controller/robot/reconciler.go
written  internal/controller/robot/reconciler_test.go
written  internal/controller/robot/servertest/go.mod
written  internal/controller/robot/servertest/robot_test.go
written  cmd/robot-controller/main.go
written  cmd/robot-controller/leader.go
written  cmd/robot-controller/server.go
written  config/rbac/robot-controller.yaml
written  config/deploy/robot-controller.yaml
written  config/crd/fleet.example.com_knobs.yaml
kept     config/crd/fleet.example.com_robots.yaml  (differs from the current scaffold)

Next:

	informer-gen-lite generate
	`+editLine(t)+` && go get -t ./...
	go test ./internal/controller/robot
	(cd internal/controller/robot/servertest && go mod tidy && go test ./...)
	kubectl apply -R -f config
	go run ./cmd/robot-controller
`, stdout)
	before := filesBelow(t, dir)
	assert.Equal(t, "package robot // of mine\n", before[own])
	assert.Equal(t, "kind: Something\n", before[definition])
	code, stdout, stderr = run(t, dir, "scaffold", "Robot")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, stdout, "written  ")
	assert.Equal(t, before, filesBelow(t, dir))
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

// TestScaffoldedRoles compares the rules of the ClusterRole with the calls in the code.
func TestScaffoldedRoles(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	code, _, stderr := run(t, dir, "scaffold", "Robot", "Yard", "Cache")
	require.Equal(t, exitDone, code, stderr)
	for kind, want := range map[string]map[string]string{
		"robot": {
			"fleet.example.com/robots": "list watch get patch", "fleet.example.com/robots/status": "update",
			"fleet.example.com/robots/finalizers": "update", "apps/deployments": "list watch get create patch delete",
			"/configmaps": "list watch get create patch delete", "fleet.example.com/knobs": "list watch get create",
			"events.k8s.io/events": "create patch",
		},
		"yard": {
			"fleet.example.com/yards": "list watch", "fleet.example.com/yards/finalizers": "update",
			"rbac.authorization.k8s.io/clusterroles": "list watch get create patch delete",
			"apps/deployments":                       "list watch get create patch delete", "events.k8s.io/events": "create patch",
		},
		"cache": {
			"fleet.example.com/caches": "list watch", "fleet.example.com/caches/status": "update",
			"fleet.example.com/caches/finalizers": "update", "fleet.example.com/knobs": "list watch get create",
			"events.k8s.io/events": "create patch",
		},
	} {
		content, err := os.ReadFile(filepath.Join(dir, "config/rbac", kind+"-controller.yaml"))
		require.NoError(t, err)
		var role rbacv1.ClusterRole
		for document := range strings.SplitSeq(string(content), "\n---\n") {
			if strings.Contains(document, "\nkind: ClusterRole\n") {
				require.NoError(t, yaml.UnmarshalStrict([]byte(document), &role))
			}
		}
		got := map[string]string{}
		for _, rule := range role.Rules {
			require.Len(t, rule.APIGroups, 1)
			require.Len(t, rule.Resources, 1)
			got[rule.APIGroups[0]+"/"+rule.Resources[0]] = strings.Join(rule.Verbs, " ")
		}
		assert.Equal(t, want, got, kind)
	}
}
