package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// scaffoldedTypes are kinds of every form: with and without finalizer, status, namespace and owned objects, one whose name
// scaffolded code uses for something else, and one that cannot be applied.
const scaffoldedTypes = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +informergen:controller=owns=apps/v1.Deployment;core/v1.ConfigMap;Knob,finalizer=fleet.example.com/cleanup
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Status            RobotStatus ` + "`json:\"status,omitempty\"`" + `
}

type RobotStatus struct {
	ObservedGeneration int64              ` + "`json:\"observedGeneration,omitempty\"`" + `
	Conditions         []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Robot ` + "`json:\"items\"`" + `
}

// +genclient
// +genclient:nonNamespaced
// +informergen:controller=owns=rbac/v1.ClusterRole;apps/v1.Deployment
// +kubebuilder:resource:scope=Cluster
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Yard struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type YardList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Yard ` + "`json:\"items\"`" + `
}

// +genclient
// +informergen:controller=owns=Knob
// +kubebuilder:subresource:status
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Cache struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Status            CacheStatus ` + "`json:\"status,omitempty\"`" + `
}

type CacheStatus struct {
	Size int64 ` + "`json:\"size,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type CacheList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Cache ` + "`json:\"items\"`" + `
}

// +genclient
// +genclient:onlyVerbs=get,list,watch,create
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Knob struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type KnobList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Knob ` + "`json:\"items\"`" + `
}
`

// TestScaffold builds, vets and tests unmodified scaffolded code.
func TestScaffold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		flags    []string
		commands [][]string
	}{
		"with apply configurations": {nil, [][]string{
			{"vet", "-race", "./..."}, {"test", "-race", "./internal/controller/robot", "./internal/controller/yard"},
		}},
		"without apply configurations": {[]string{"--skip=applyconfiguration"}, [][]string{{"vet", "-race", "./..."}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := scaffoldedModule(t)
			code, stdout, stderr := run(t, dir, append([]string{"scaffold", "Robot", "Yard", "fleet.example.com/v1.Cache"}, test.flags...)...)
			require.Equal(t, exitDone, code, stderr)
			assert.Contains(t, stdout, "written  internal/controller/robot/reconciler.go\n")
			assert.Contains(t, stdout, "\n\tinformer-gen-lite generate\n\tgo get -t ./...\n\tgo test ./internal/controller/robot\n")
			code, _, stderr = run(t, dir, append([]string{"generate"}, test.flags...)...)
			require.Equal(t, exitDone, code, stderr)
			// Use the race detector, as CI does for this test itself, so that the libraries are compiled only once.
			for _, args := range test.commands {
				cmd := exec.Command("go", args...)
				cmd.Dir = dir
				output, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", cmd, output)
			}
		})
	}
}

// TestScaffoldedStatusIsRetried lets the work fail with a terminal error and the write of the status with another. The controller
// must learn of both: it drops the object otherwise, and its status stays old.
func TestScaffoldedStatusIsRetried(t *testing.T) {
	t.Parallel()
	dir := scaffoldedModule(t)
	for _, args := range [][]string{{"scaffold", "Robot"}, {"generate"}} {
		code, _, stderr := run(t, dir, args...)
		require.Equal(t, exitDone, code, stderr)
	}
	const place, todo = "internal/controller/robot/", "\t// TODO: reconcile everything"
	reconciler, err := os.ReadFile(filepath.Join(dir, place, "reconciler.go"))
	require.NoError(t, err)
	require.Contains(t, string(reconciler), todo)
	writeFile(t, filepath.Join(dir, place, "reconciler.go"), strings.Replace(string(reconciler), todo, `
	if robot.Name == "sample" {
		return controllers.Result{}, controllers.TerminalError(context.DeadlineExceeded)
	}
`+todo, 1))
	writeFile(t, filepath.Join(dir, place, "reconciler_test.go"), `package robot

import (
	"context"
	"errors"
	"strings"
	"testing"

	fleetv1 "example.com/scaffold/api/v1"
	fleetv1controllers "example.com/scaffold/pkg/generated/controllers/api/v1"
	"example.com/scaffold/pkg/generated/controllers/controllertest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"
)

func TestStatus(t *testing.T) {
	robot := &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "sample"}}
	got := controllertest.Reconcile(t, func(clients controllertest.Clients) (*fleetv1controllers.RobotController, error) {
		clients.Client.PrependReactor("update", "robots", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("refused")
		})
		return New(clients.Client, clients.Kube, clients.Recorder)
	}, robot)
	if !errors.Is(got.Err, context.DeadlineExceeded) || !strings.Contains(got.Err.Error(), "refused") {
		t.Errorf("error is %v", got.Err)
	}
}
`)
	cmd := exec.Command("go", "test", "-race", "./"+place)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", cmd, output)
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
	go get -t ./...
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

func scaffoldedModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeModule(t, dir, "example.com/scaffold")
	writeFile(t, filepath.Join(dir, "api/v1/types.go"), scaffoldedTypes)
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
