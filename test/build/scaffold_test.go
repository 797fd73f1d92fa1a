package build_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestScaffold gets the missing modules with the commands that are printed, vets scaffolded code and runs its tests, unmodified.
func TestScaffold(t *testing.T) {
	t.Run("with apply configurations", func(t *testing.T) {
		s := scaffoldedModule(t, "")
		must(s, "go vet ./... && go test ./internal/controller/robot ./internal/controller/yard")
		retryStatus(s)
	})
	t.Run("without apply configurations", func(t *testing.T) {
		must(scaffoldedModule(t, " --skip=applyconfiguration"), "go vet ./...")
	})
}

// scaffoldedModule returns a session in a module with everything that is generated and scaffolded for kinds of every form.
func scaffoldedModule(t *testing.T, flags string) doctest.Session {
	t.Helper()
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
	requirementsOf(s, "testdata/targets/"+model.DefaultTarget.String(), "example.com/scaffold")
	types, err := os.ReadFile(root.Path("testdata/scaffold/types.go"))
	require.NoError(t, err)
	s.Write("api/v1/types.go", string(types))
	must(s, "informer-gen-lite scaffold Robot Yard fleet.example.com/v1.Cache"+flags)
	getMissing(s, must(s, "informer-gen-lite generate"+flags))
	return s
}

// retryStatus lets the work fail with a terminal error and the write of the status with another. The controller must learn of both:
// it drops the object otherwise, and its status stays old.
func retryStatus(s doctest.Session) {
	s.T.Helper()
	const place, todo = "internal/controller/robot/", "\t// TODO: reconcile everything"
	reconciler := readFile(s, place+"reconciler.go")
	require.Contains(s.T, reconciler, todo)
	s.Write(place+"reconciler.go", strings.Replace(reconciler, todo, `
	if robot.Name == "sample" {
		return controller.Result{}, controller.TerminalError(context.DeadlineExceeded)
	}
`+todo, 1))
	s.Write(place+"reconciler_test.go", statusTest)
	must(s, "go test ./"+place)
}

const statusTest = `package robot

import (
	"context"
	"errors"
	"strings"
	"testing"

	fleetv1 "example.com/scaffold/api/v1"
	"example.com/scaffold/pkg/generated/clientset/versioned/fake"
	fleetv1controllers "example.com/scaffold/pkg/generated/controllers/api/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

func TestStatus(t *testing.T) {
	client, kube := fake.NewStrictClientset(), kubefake.NewClientset()
	env := controllertest.New(t, client, kube)
	client.PrependReactor("update", "robots", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("refused")
	})
	robot := &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "sample"}}
	got := controllertest.Reconcile(env, func() (*fleetv1controllers.RobotController, error) {
		return New(client, kube, env.Recorder)
	}, robot)
	if !errors.Is(got.Err, context.DeadlineExceeded) || !strings.Contains(got.Err.Error(), "refused") {
		t.Errorf("error is %v", got.Err)
	}
}
`
