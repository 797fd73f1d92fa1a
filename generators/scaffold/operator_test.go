package scaffold

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

func TestOperatorName(t *testing.T) {
	for modulePath, want := range map[string]string{
		"example.com/fleet":                            "fleet-operator",
		"example.com/fleet/v2":                         "fleet-operator",
		"example.com/fleet-operator":                   "fleet-operator",
		"example.com/fleet-controller":                 "fleet-controller",
		"example.com/fleet-manager/v3":                 "fleet-manager",
		"example.com/Fleet_Management":                 "fleet-management-operator",
		"example.com/_":                                "operator",
		"operator":                                     "operator",
		"example.com/a.b":                              "a-b-operator",
		"x/0123456789012345678901234567890123456789-1": "0123456789012345678901234567890123456789-operator",
	} {
		assert.Equal(t, want, OperatorName(modulePath), modulePath)
	}
}

// operatorOf returns the operator of kinds.
func operatorOf(kinds ...Controlled) operator {
	return operator{kinds, Destination{ImportPath: "example.com/base", Operator: "base-operator"}}
}

func TestOperator(t *testing.T) {
	robot, manager := viewOf("Robot", ""), viewOf("Manager", "")
	o := operatorOf(Controlled{Kind: robot.Kind, Layout: robot.Layout}, Controlled{Kind: manager.Kind, Layout: manager.Layout})
	assert.Equal(t, "base-system", o.ClusterNamespace())
	assert.Equal(t, "example.com/base/cmd/base-operator", o.CommandPackage())
	assert.Equal(t, []importView{
		{"robot", "example.com/base/internal/controller/robot"},
		{"managercontroller", "example.com/base/internal/controller/manager"}, // the command imports a package manager
	}, o.Controllers())
	assert.Equal(t, `"example.com/base/internal/controller/robot"`, o.Controllers()[0].Spec())
	assert.Equal(t, `managercontroller "example.com/base/internal/controller/manager"`, o.Controllers()[1].Spec())
	o.Destination.Operator = "controller"
	assert.Equal(t, "controller-system", o.ClusterNamespace())
	o.Destination.Operator = "kube-operator"
	assert.Equal(t, "kube-operator-system", o.ClusterNamespace(), "pods of kube-system may do what the label of the namespace forbids")
}

// TestNamespaceFlag: a command that watches more than its roles allow never starts.
func TestNamespaceFlag(t *testing.T) {
	v := viewOf("Robot", "")
	of := func(namespaces ...string) Controlled {
		return Controlled{Kind: v.Kind, Layout: v.Layout, Namespaces: namespaces}
	}
	deployment := func(o operator) string {
		renderer, err := render.New(templates.FS, nil)
		require.NoError(t, err)
		files, err := renderer.RenderAll(JobsTogether(o.Kinds, o.Destination))
		require.NoError(t, err)
		at := slices.IndexFunc(files, func(file render.File) bool { return file.Path == "config/deploy/base-operator.yaml" })
		return string(files[at].Content)
	}
	assert.Contains(t, deployment(operatorOf(of("shop", "bank"), of("shop", "bank"))), `--log-format=json, "--namespace=shop,bank"]`)
	assert.NotContains(t, deployment(operatorOf(of("shop"), of())), "--namespace")
	assert.NotContains(t, deployment(operatorOf(of(), of("shop"))), "--namespace")
}

// TestBindings has roles of one name for all controllers, and one role for each.
func TestBindings(t *testing.T) {
	for name, test := range map[string]struct {
		namespaced bool
		namespaces []string
		role       string
		want       []binding
	}{
		"everywhere":     {true, nil, "base-operator", []binding{{"", "ClusterRole", "base-operator"}, {"base-system", "ClusterRole", "base-operator-leases"}}},
		"cluster-scoped": {false, []string{"shop"}, "base-operator", []binding{{"", "ClusterRole", "base-operator"}, {"base-system", "ClusterRole", "base-operator-leases"}}},
		"namespaces": {true, []string{"shop", "bank"}, "base-operator", []binding{
			{"bank", "Role", "base-operator"}, {"base-system", "ClusterRole", "base-operator-leases"}, {"shop", "Role", "base-operator"},
		}},
		"another name": {true, nil, "manager-role", []binding{{"", "ClusterRole", "manager-role"}, {"base-system", "ClusterRole", "manager-role-leases"}}},
		"one for each": {true, nil, "", []binding{
			{"", "ClusterRole", "robot-controller"}, {"base-system", "ClusterRole", "robot-controller-leases"}, {"base-system", "Role", "base-operator-leases"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			v := viewOf("Robot", "")
			v.Namespaced = test.namespaced
			o := operatorOf(Controlled{Kind: v.Kind, Layout: v.Layout, Namespaces: test.namespaces, RoleName: test.role})
			assert.Equal(t, test.want, o.Bindings())
			assert.Equal(t, test.role == "", o.HasLeaseRole())
		})
	}
	assert.Equal(t, "base-operator-leases", binding{"base-system", "Role", "base-operator-leases"}.Name("base-operator"))
	assert.Equal(t, "base-operator-robot-controller", binding{"", "ClusterRole", "robot-controller"}.Name("base-operator"))
}
