package build_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// gatewayAPI is a module with kinds and clients that this repository does not generate.
const gatewayAPI = "sigs.k8s.io/gateway-api@v1.6.3"

// routed is a kind that owns an HTTPRoute, and refers to a Gateway in its namespace and to a GatewayClass, which has none.
const routed = `// +groupName=fleet.example.com
// +k8s:deepcopy-gen=package
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +informergen:controller=owns=sigs.k8s.io/gateway-api/apis/v1.HTTPRoute;core/v1.ConfigMap
// +informergen:ref=sigs.k8s.io/gateway-api/apis/v1.Gateway,path=gateway
// +informergen:ref=sigs.k8s.io/gateway-api/apis/v1.GatewayClass,path=class,watch=metadata
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Gateway           string ` + "`json:\"gateway,omitempty\"`" + `
	Class             string ` + "`json:\"class,omitempty\"`" + `
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Robot ` + "`json:\"items\"`" + `
}
`

// TestScaffoldShipped follows what is printed for a kind that uses the kinds and clients of a module that others wrote: the error without
// the module, and then all steps. Scaffolded code is vetted and tested unmodified, and with a reconciler that applies a route.
func TestScaffoldShipped(t *testing.T) {
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
	requirementsOf(s, "testdata/targets/"+model.DefaultTarget.String(), "example.com/scaffold")
	s.Write("api/v1/types.go", routed)
	out, err := s.Run("informer-gen-lite scaffold Robot")
	require.Error(t, err)
	require.Contains(t, out, "api/v1/types.go:8:33: package sigs.k8s.io/gateway-api/apis/v1 is not available: "+
		"no required module provides package sigs.k8s.io/gateway-api/apis/v1\n\trun go get sigs.k8s.io/gateway-api/apis/v1\n")
	must(s, "go get "+gatewayAPI)

	must(s, "informer-gen-lite scaffold Robot")
	getMissing(s, must(s, "informer-gen-lite generate"))
	must(s, "informer-gen-lite verify && go vet ./... && go test ./internal/controller/robot")
	assert.Contains(t, readFile(s, "internal/controller/robot/servertest/go.mod"), "\nrequire example.com/scaffold v0.0.0\n")
	role := readFile(s, "config/rbac/role.yaml")
	const group = "- apiGroups:\n  - gateway.networking.k8s.io\n"
	assert.Contains(t, role, group+"  resources:\n  - gatewayclasses\n  verbs:\n  - get\n  - list\n  - watch\n")
	assert.Contains(t, role, group+"  resources:\n  - httproutes\n  verbs:\n  - create\n  - delete\n  - get\n  - list\n  - patch\n  - watch\n")

	const place = "internal/controller/robot/"
	reconciler := readFile(s, place+"reconciler.go")
	const lookup = "\tgateway, err := r.controller.Gateway(ctx, robot)\n\tif err != nil {\n"
	const example = "\t// TODO: for example apisv1apply.HTTPRoute(robot.Name, robot.Namespace)\n\treturn nil\n"
	require.Contains(t, reconciler, lookup)
	require.Contains(t, reconciler, example)
	s.Write(place+"reconciler.go", strings.Replace(
		reconciler, example, "\treturn []*apisv1apply.HTTPRouteApplyConfiguration{apisv1apply.HTTPRoute(robot.Name, robot.Namespace)}\n", 1,
	))
	s.Write(place+"reconciler_test.go", routeTest)
	must(s, "go test ./"+place)
}

const routeTest = `package robot

import (
	"errors"
	"slices"
	"testing"

	fleetv1 "example.com/scaffold/api/v1"
	"example.com/scaffold/pkg/generated/clientset/versioned/fake"
	fleetv1controllers "example.com/scaffold/pkg/generated/controllers/api/v1"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller/controllertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubefake "k8s.io/client-go/kubernetes/fake"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/gateway-api/applyconfiguration"
	gatewayfake "sigs.k8s.io/gateway-api/pkg/client/clientset/versioned/fake"
	"sigs.k8s.io/gateway-api/pkg/client/clientset/versioned/scheme"
)

func TestRoute(t *testing.T) {
	reconcile := func(others ...runtime.Object) (writes []string, err error) {
		server := strictfake.NewServer()
		client, kube, gateways := fake.NewStrictClientsetFor(server), kubefake.NewClientset(), gatewayfake.NewClientset()
		if err := server.Serve(gateways, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)); err != nil {
			t.Fatal(err)
		}
		env := controllertest.NewWithServer(t, server, client, kube, gateways)
		got := controllertest.Reconcile(env, func() (*fleetv1controllers.RobotController, error) {
			return New(client, kube, gateways, env.Recorder)
		}, &fleetv1.Robot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "sample"}, Gateway: "main"}, others...)
		return controllertest.Lines(got.Writes), got.Err
	}
	writes, err := reconcile()
	if _, waits := errors.AsType[*controller.WaitingError](err); !waits || len(writes) > 0 {
		t.Errorf("without the gateway: writes %q, error %v", writes, err)
	}
	gateway := &gatewayv1.Gateway{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "main"}}
	if writes, err = reconcile(gateway); err != nil || !slices.Contains(writes, "apply httproutes default/sample") {
		t.Errorf("with the gateway: writes %q, error %v", writes, err)
	}
}
`
