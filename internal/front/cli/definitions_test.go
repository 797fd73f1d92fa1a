package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// definedTypes are kinds without markers for controller-gen, except for one. Placeholders stand for the quotes of tags.
const definedTypes = `package VERSION

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var SchemeGroupVersion = schema.GroupVersion{Group: "fleet.example.com", Version: "VERSION"}

// +genclient
CONTROLLER
type Robot struct {
	metav1.TypeMeta   'json:#,inline#'
	metav1.ObjectMeta 'json:#metadata,omitempty#'
	Load              float64     'json:#load#'
	Status            RobotStatus 'json:#status,omitempty#'
}

type RobotStatus struct {
	Size int64 'json:#size,omitempty#'
}

type RobotList struct {
	metav1.TypeMeta 'json:#,inline#'
	metav1.ListMeta 'json:#metadata,omitempty#'
	Items           []Robot 'json:#items#'
}

// +genclient
CONTROLLER
// +genclient:nonNamespaced
// +genclient:noStatus
// +resourceName=geese
type Goose struct {
	metav1.TypeMeta   'json:#,inline#'
	metav1.ObjectMeta 'json:#metadata,omitempty#'
	Status            RobotStatus 'json:#status,omitempty#'
}

type GooseList struct {
	metav1.TypeMeta 'json:#,inline#'
	metav1.ListMeta 'json:#metadata,omitempty#'
	Items           []Goose 'json:#items#'
}

// +genclient
CONTROLLER
// +kubebuilder:resource:path=yardage,scope=Cluster
type Yard struct {
	metav1.TypeMeta   'json:#,inline#'
	metav1.ObjectMeta 'json:#metadata,omitempty#'
}

type YardList struct {
	metav1.TypeMeta 'json:#,inline#'
	metav1.ListMeta 'json:#metadata,omitempty#'
	Items           []Yard 'json:#items#'
}
`

// TestDefinitions compares CustomResourceDefinitions with the markers and fields that clients follow.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/defined")
	for version, controller := range map[string]string{"v1": "// +informergen:controller", "v1beta1": "//"} {
		text := strings.NewReplacer("VERSION", version, "CONTROLLER", controller, "'", "`", "#", `"`).Replace(definedTypes)
		writeFile(t, filepath.Join(dir, "apis", "fleet", version, "types.go"), text)
	}
	code, _, stderr := execute(t, dir, "--only", "crd", "--crd-options", "allowDangerousTypes=true")
	require.Equal(t, exitDone, code, stderr)

	robots := readDefinition(t, dir, "robots")
	assert.Equal(t, apiextensionsv1.NamespaceScoped, robots.Spec.Scope)
	require.Len(t, robots.Spec.Versions, 2)
	for _, version := range robots.Spec.Versions {
		assert.Nil(t, version.Subresources, "another kind of the package has a marker of kubebuilder, so that these decide")
		assert.Equal(t, version.Name == "v1", version.Storage, "the most stable version is stored")
		assert.Equal(t, "number", version.Schema.OpenAPIV3Schema.Properties["load"].Type)
	}
	geese := readDefinition(t, dir, "geese")
	assert.Equal(t, "geese.fleet.example.com", geese.Name)
	assert.Equal(t, "geese", geese.Spec.Names.Plural)
	assert.Equal(t, apiextensionsv1.ClusterScoped, geese.Spec.Scope)
	assert.Nil(t, geese.Spec.Versions[0].Subresources)
	yards := readDefinition(t, dir, "yardage")
	assert.Equal(t, apiextensionsv1.ClusterScoped, yards.Spec.Scope)
}

func readDefinition(t *testing.T, dir, plural string) apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "config", "crd", "fleet.example.com_"+plural+".yaml"))
	require.NoError(t, err)
	var definition apiextensionsv1.CustomResourceDefinition
	require.NoError(t, yaml.UnmarshalStrict(content, &definition))
	return definition
}

// TestGenericDefinitions has a kind that controller-gen's library cannot describe, and one that it can.
func TestGenericDefinitions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/generic")
	text := strings.Replace(definedTypes, "Size int64 'json:#size,omitempty#'", "Sizes []*Optional[int64] 'json:#sizes,omitempty#'", 1)
	text = strings.Replace(text, "Status            RobotStatus 'json:#status,omitempty#'\n}\n\ntype GooseList", "}\n\ntype GooseList", 1)
	text = strings.NewReplacer("VERSION", "v1", "CONTROLLER", "// +informergen:controller", "'", "`", "#", `"`).Replace(text)
	writeFile(t, filepath.Join(dir, "apis", "fleet", "v1", "types.go"), text+"\ntype Optional[T any] struct {\n\tValue *T\n}\n")
	code, _, stderr := execute(t, dir, "--only", "crd", "--crd-options", "allowDangerousTypes=true")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, "apis/fleet/v1/types.go:20:2: warning: "+
		"no CustomResourceDefinition of kind Robot: controller-gen's library, which makes it, has no generic types\n"+
		"\twrite it by hand\n")
	assert.NoFileExists(t, filepath.Join(dir, "config/crd/fleet.example.com_robots.yaml"))
	assert.Equal(t, "geese", readDefinition(t, dir, "geese").Spec.Names.Plural)
}

// TestLargeDefinitions has a definition with the schema of a Pod, which is too large for kubectl apply. The user decides what to do.
func TestLargeDefinitions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/large")
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), `// +groupName=fleet.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Robot struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	Template corev1.PodTemplateSpec `+"`json:\"template\"`"+`
}
`)
	const warning = "api/v1/types.go:10:6: warning: the definition in fleet.example.com_robots.yaml has "
	code, _, stderr := execute(t, dir, "--only", "crd")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, warning)
	for _, decision := range [][]string{{"--crd-descriptions", "all"}, {"--crd-descriptions", "own"}, {"--crd-options", "maxDescLen=500"}} {
		code, _, stderr = execute(t, dir, append(decision, "--only", "crd")...)
		require.Equal(t, exitDone, code, stderr)
		assert.NotContains(t, stderr, warning, decision)
	}
	code, _, stderr = execute(t, dir, "--only", "crd", "--strict")
	require.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, strings.Replace(warning, "warning: ", "", 1))
}
