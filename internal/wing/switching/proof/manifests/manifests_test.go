package manifests

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const definition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.20.0
  name: robots.fleet.example.com
spec:
  names:
    shortNames: [rb, bot]
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: Robot is a robot.
        properties:
          description:
            type: string
          wheels:
            format: int32
            type: integer
            maximum: 4
        required: [wheels, description]
    served: true
  - name: v2
    served: true
`

// other has another version of the program and another order; then come edits.
const other = `# a comment
kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata:
  name: robots.fleet.example.com
  creationTimestamp: null
spec:
  versions:
  - name: v2
    served: true
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        description: %s
        properties:
          description:
            type: %s
          wheels:
            format: int32
            type: integer
            maximum: 4.0
        required: [description, wheels]
  names:
    shortNames: [bot, rb]
status:
  conditions: []
`

func role(rules string) string {
	return "kind: ClusterRole\nmetadata: {name: manager-role}\nrules:\n" + rules
}

func TestCompare(t *testing.T) {
	const crd, roles = "CustomResourceDefinition robots.fleet.example.com", "ClusterRole manager-role"
	type files map[string]string
	for name, test := range map[string]struct {
		before, after files
		want          []Result
	}{
		"order and versions": {
			files{"a.yaml": definition}, files{"a.yaml": fmt.Sprintf(other, "Robot is a robot.", "string")}, []Result{{"a.yaml", crd, Equal, ""}},
		},
		"another file": {
			files{"old.yaml": definition}, files{"a.yaml": definition}, []Result{{"old.yaml", crd, Equal, ""}},
		},
		"descriptions": {
			files{"a.yaml": definition}, files{"a.yaml": fmt.Sprintf(other, "Robot is another robot.", "string")},
			[]Result{{"a.yaml", crd, Descriptions, `@@ -11,7 +11,7 @@
   - name: v1
     schema:
       openAPIV3Schema:
-        description: Robot is a robot.
+        description: Robot is another robot.
         properties:
           description:
             type: string
`}},
		},
		"types": {
			files{"a.yaml": definition}, files{"a.yaml": fmt.Sprintf(other, "Robot is a robot.", "integer\n            format: int32")},
			[]Result{{"a.yaml", crd, Different, `@@ -14,7 +14,8 @@
         description: Robot is a robot.
         properties:
           description:
-            type: string
+            format: int32
+            type: integer
           wheels:
             format: int32
             maximum: 4
`}}},
		"new and missing": {
			files{"a.yaml": definition, "kustomization.yaml": "resources: []\n", "mine.yaml": "kind: CustomResourceDefinition\nmetadata: {name: mine}\n"},
			files{"b.yaml": "kind: CustomResourceDefinition\nmetadata: {name: depots}\n"},
			[]Result{{"a.yaml", crd, Missing, ""}, {"b.yaml", "CustomResourceDefinition depots", New, ""}},
		},
		"roles": {
			files{"role.yaml": role("- {apiGroups: ['', apps], resources: [pods], verbs: [get, list]}\n- {nonResourceURLs: [/metrics], verbs: [get]}\n")},
			files{"role.yaml": role("- {apiGroups: [apps], resources: [pods], verbs: [list, get]}\n" +
				"- {apiGroups: [''], resources: [pods], verbs: [list]}\n- {apiGroups: [''], resources: [pods], resourceNames: [a], verbs: [get]}\n" +
				"- {nonResourceURLs: [/metrics], verbs: [get]}\n")},
			[]Result{{"role.yaml", roles, Different, `@@ -3,7 +3,7 @@
   name: manager-role
 rules:
 - get /metrics
-- get pods
+- get pods a
 - get pods.apps
 - list pods
 - list pods.apps
`}},
		},
		"another role in the file": {
			files{"role.yaml": role(" []\n") + "---\nkind: Role\nmetadata: {name: leader, namespace: fleet}\n", "other.yaml": "kind: Role\nmetadata: {name: other}\n"},
			files{"role.yaml": role(" []\n")},
			[]Result{{"role.yaml", roles, Equal, ""}, {"role.yaml", "Role fleet/leader", Missing, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := map[string][]byte{}, map[string][]byte{}
			for name, text := range test.before {
				before[name] = []byte(text)
			}
			for name, text := range test.after {
				after[name] = []byte(text)
			}
			got, err := Compare(before, after)
			require.NoError(t, err)
			for i := range got {
				got[i].Diff = strings.TrimPrefix(got[i].Diff, "--- before\n+++ after\n")
			}
			assert.Equal(t, test.want, got)
		})
	}
	broken := map[string][]byte{"a.yaml": []byte("a: [")}
	_, err := Compare(broken, map[string][]byte{"a.yaml": []byte("a: 1")})
	assert.ErrorContains(t, err, "a.yaml: ")
	_, err = Compare(broken, nil)
	assert.NoError(t, err, "it may be a template")
}

func TestPrintDiff(t *testing.T) {
	long := "--- before\n+++ after\n" + strings.Repeat("+a\n", maxLines)
	var b strings.Builder
	printDiff(&b, long)
	assert.Equal(t, strings.Repeat("\t+a\n", maxLines), b.String())
	b.Reset()
	printDiff(&b, long+"+b\n")
	assert.Equal(t, strings.Repeat("\t+a\n", maxLines-1)+"\tand 2 more lines\n", b.String())
	b.Reset()
	printDiff(&b, "")
	assert.Empty(t, b.String())
}

// TestEssence has manifests that may replace each other, and others.
func TestEssence(t *testing.T) {
	const generated = "---\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.20.0\n" +
		"  name: robots.fleet.example.com\nspec:\n  group: fleet.example.com\n  names:\n    kind: Robot\n"
	for name, test := range map[string]struct {
		replacer *strings.Replacer
		want     bool
	}{
		"version":            {strings.NewReplacer("v0.20.0", "v0.14.0"), true},
		"no version":         {strings.NewReplacer("  annotations:\n    controller-gen.kubebuilder.io/version: v0.20.0\n", ""), true},
		"another annotation": {strings.NewReplacer("  annotations:\n", "  annotations:\n    a: b\n"), false},
		"license":            {strings.NewReplacer("---\n", "# Copyright\n\n---\n# more\n"), true},
		"comment within":     {strings.NewReplacer("spec:\n", "# edited\nspec:\n"), false},
		"line endings":       {strings.NewReplacer("\n", "\r\n"), true},
		"last line":          {strings.NewReplacer("Robot\n", "Robot"), true},
		"order":              {strings.NewReplacer("  group: fleet.example.com\n", "", "Robot\n", "Robot\n  group: fleet.example.com\n"), false},
	} {
		assert.Equal(t, test.want, essence([]byte(test.replacer.Replace(generated))) == essence([]byte(generated)), name)
	}
	dir := t.TempDir()
	for text, want := range map[string]bool{
		generated: true,
		"{{ if .crds }}\nkind: CustomResourceDefinition\nmetadata: {name: machines.fleet.example.com}\nspec: {names: {kind: robot}}": true,
		`{"kind": "CustomResourceDefinition", "metadata": {"name": "robots.fleet.example.com"}}`:                                     true,
		strings.ReplaceAll(generated, "fleet", "depot"):                                                                              false,
		"kind: Robot\napiVersion: fleet.example.com/v1":                                                                              false,
		"": false,
	} {
		file := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		assert.Equal(t, want, mayCopy(file, "config/fleet.example.com_robots.yaml", []byte(generated)), text)
	}
	for text, want := range map[string]bool{
		"kind: Role\n": true, "{{ if .rbac }}\nkind: ClusterRole # of all\n": true, "  \"kind\": \"ClusterRole\",\n": true, "kind: 'Role'": true,
		"kind: RoleBinding\n": false, "kind: RoleBinding\nroleRef:\n  kind: ClusterRole\n": false, "kind: Deployment\n": false,
	} {
		file := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		assert.Equal(t, want, mayCopy(file, "config/rbac/role.yaml", []byte("---\nkind: ClusterRole\n")), text)
	}
}
