package scaffold

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestServerTestPaths(t *testing.T) {
	v := viewOf("Robot", "")
	v.Destination.CRDs = "config/crd"
	assert.Equal(t, "internal/controller/robot/servertest", v.ServerTestDir())
	assert.Equal(t, "example.com/base/internal/controller/robot/servertest", v.ServerTestPackage())
	assert.Equal(t, "../../../../config/crd", v.CRDDir())
	assert.Equal(t, "../../../..", v.ModuleRoot())
	assert.Equal(t, "robot_test.go", v.serverTestFile())
	assert.Equal(t, "foo_windows__test.go", viewOf("Foo_windows", "").serverTestFile(), "not for Windows alone")

	v.Destination.ImportPath = "example.com/base/operators/fleet"
	assert.Equal(t, "../../../../config/crd", v.CRDDir(), "below the directory that files go to")
	assert.Equal(t, "../../../../../..", v.ModuleRoot())
}

func TestInServerTest(t *testing.T) {
	for name, want := range map[string]bool{
		"internal/controller/robot/servertest/go.mod": true, "internal/controller/robot/reconciler.go": false,
		"internal/controller/servertest/reconciler.go": false, // of a kind Servertest
	} {
		assert.Equal(t, want, InServerTest(name), name)
	}
}

func TestHasServerTest(t *testing.T) {
	v := viewOf("Robot", "")
	assert.True(t, v.HasServerTest())
	v.Verbs = model.ReadOnlyVerbs
	assert.False(t, v.HasServerTest(), "it creates objects")
}

func TestReplacements(t *testing.T) {
	v := viewOf("Robot", "")
	v.Destination.Replace = []Replacement{
		{"example.com/api", "./api", true},
		{"example.com/other v1.2.0", "../other one", true},
		{"example.com/forked", "example.com/fork v1.0.0", false},
	}
	assert.Equal(t, []string{
		"example.com/api => ../../../../api",
		`example.com/other v1.2.0 => "../../../../../other one"`,
		"example.com/forked => example.com/fork v1.0.0",
	}, v.Replacements())
}

func TestModuleVersion(t *testing.T) {
	v := viewOf("Robot", "")
	for modulePath, want := range map[string]string{
		"example.com/base": "v0.0.0", "example.com/base/v2": "v2.0.0", "example.com/base/v12": "v12.0.0", "example.com/base/v1": "v0.0.0",
		"example.com/base/v2beta1": "v0.0.0", "v2": "v0.0.0", "example.com/base/v02": "v0.0.0",
	} {
		v.Destination.Module = modulePath
		assert.Equal(t, want, v.ModuleVersion(), modulePath)
	}
}
