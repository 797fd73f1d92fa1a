package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

const types = `// +groupName=fleet.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot moves things.
// +genclient
// +kubebuilder:object:root=true
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec RobotSpec ` + "`json:\"spec\"`" + `
}

type RobotSpec struct {
	Common ` + "`json:\",inline\"`" + `

	// Arms are counted
	// from the left.
	// +kubebuilder:validation:Minimum=1
	Arms *int ` + "`json:\"arms,omitempty\"`" + `
}

type Common struct {
	// Labels are on all parts.
	Labels map[string]string ` + "`json:\"labels\"`" + `
}

// +kubebuilder:object:root=true
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []Robot ` + "`json:\"items\"`" + `
}
`

const page = `# Robot

Robot moves things.

| | |
|---|---|
| API | ` + "`fleet.example.com/v1`" + ` |
| resource | robots |
| scope | Namespaced |
| status | no |
| verbs | create,update,delete,deleteCollection,get,list,watch,patch,apply |

| field | type | |
|---|---|---|
| metadata | ` + "`k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta`" + ` | Optional. |
| spec | ` + "`example.com/robots/api/v1.RobotSpec`" + ` |  |
| spec.labels | ` + "`map[string]string`" + ` | Labels are on all parts. |
| spec.arms | ` + "`*int`" + ` | Arms are counted from the left. Optional. Minimum 1. |
`

// TestReference generates from a module other than informer-gen-lite's, with a custom generator.
func TestReference(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/robots\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "api", "v1", "types.go"), types)
	cfg := informergen.Config{
		Dir: dir, OutputDir: "gen", Only: []string{"deepcopy", "listers", "reference"}, Skip: []string{"applyconfiguration"},
		Generators: []informergen.Generator{reference{}},
	}
	result, err := informergen.Generate(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "gen", "reference", "fleet", "v1", "robot.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(content) != page {
		t.Errorf("got:\n%s\nwant:\n%s", content, page)
	}
	if _, err := os.Stat(filepath.Join(dir, "gen", "listers", "api", "v1", "robot.go")); err != nil {
		t.Error(err)
	}
	if changes, err := informergen.Verify(t.Context(), cfg); err != nil || len(changes) > 0 {
		t.Errorf("not up to date: %v, %v", changes, err)
	}

	write(t, filepath.Join(dir, "api", "v1", "types.go"), strings.Replace(types, "+genclient", "+genclint", 1))
	_, err = informergen.Generate(t.Context(), cfg)
	var diagnostics informergen.Diagnostics
	if !errors.As(err, &diagnostics) || diagnostics[0].Pos.Line != 7 || diagnostics[0].Hint != "did you mean +genclient?" {
		t.Errorf("got error %v", err)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
