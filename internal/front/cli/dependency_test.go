package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dependencyTypes has every kind of mistake that can be worked around.
const dependencyTypes = `// +groupName=fleet.example.com
// +k8s:deepcpy-gen=package
// +k8s:lister-gen=false
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// +genclient
// +genclient:nonNamespace
// +genclient:noStatus=false
// +genclient:skipVerbs=lst
// +genclient:method=GetScale,verb=get,subresource=scale,result=Nope
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

func (in *Robot) DeepCopyObject() runtime.Object { return in }

// +genclient
// +genclient:onlyVerbs=get,list,watch
// +resourceName=robots
type Droid struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

func (in *Droid) DeepCopyObject() runtime.Object { return in }

type DroidList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items           []Droid ` + "`json:\"items\"`" + `
}

func (in *DroidList) DeepCopyObject() runtime.Object { return in }

// +genclient
type Alias = Robot

// +genclient
func F() {}
`

// TestMistakesInDependency generates clients for a package that cannot be edited: its mistakes are warnings and are worked
// around. The same package in the main module is rejected.
func TestMistakesInDependency(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	types := filepath.Join(root, "api", "fleet", "v1", "types.go")
	writeModule(t, filepath.Join(root, "api"), "example.com/api")
	writeFile(t, types, dependencyTypes)
	code, _, stderr := execute(t, filepath.Join(root, "api"), "--skip=deepcopy,register")
	assert.Equal(t, exitProblem, code)
	errors := strings.Count(stderr, "types.go:") - strings.Count(stderr, "warning: ")
	assert.Equal(t, 8, errors, stderr)

	dir := filepath.Join(root, "m")
	writeModule(t, dir, "example.com/m")
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "go.mod"), string(goMod)+"\nrequire example.com/api v0.0.0\n\nreplace example.com/api => ../api\n")
	writeFile(t, filepath.Join(dir, "m.go"), "package m\n\nimport _ \"example.com/api/fleet/v1\"\n")
	code, stdout, stderr := execute(t, dir, "--only=clientset,listers,informers", "example.com/api/fleet/v1")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "2 kinds in pkg/generated")
	assert.Equal(t, strings.Count(stderr, "types.go:"), strings.Count(stderr, "warning: "))
	assert.Contains(t, stderr, "warning: type Robot has no list type RobotList")
	client, err := os.ReadFile(filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "fleet", "v1", "robot.go"))
	require.NoError(t, err)
	assert.NotContains(t, string(client), "List(")
	assert.NotContains(t, string(client), "GetScale")
	shell(t, dir, "go build -mod=mod ./...")
}
