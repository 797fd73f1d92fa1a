package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	builderGroup = `// +groupName=fleet.example.com
package v1

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	GroupVersion = schema.GroupVersion{Group: "fleet.example.com", Version: "v1"}

	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}

	AddToScheme = SchemeBuilder.AddToScheme
)
`
	builderTypes = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Robot struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
}

func (r *Robot) DeepCopyObject() runtime.Object { return r }

func init() {
	SchemeBuilder.Register(&Robot{})
}
`
)

// builderModule creates a module with a scheme.Builder in api/v1.
func builderModule(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeModule(t, dir, "example.com/m")
	writeFile(t, filepath.Join(dir, "api", "v1", "groupversion_info.go"), builderGroup)
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), builderTypes)
	return dir
}

// contents returns the contents of all files below a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			all[name] = string(text)
		}
		return err
	}))
	return all
}

func TestSchemeBuilder(t *testing.T) {
	t.Parallel()
	dir := builderModule(t)
	code, stdout, stderr := execute(t, dir, "migrate", "--scheme-builder")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, `api/v1/groupversion_info.go:12:2: SchemeBuilder is generated
api/v1/groupversion_info.go:14:2: AddToScheme is generated
api/v1/types.go:15:2: generated code registers Robot
api/v1/zz_generated.register.go written
api/zz_generated.sum written
.informer-gen.yaml written: informer-gen-lite and informer-gen-lite verify keep the registrations up to date
controller-runtime is no longer imported in api/v1; to update go.mod, run:
	go mod tidy
`, stdout)
	before := contents(t, dir)
	assert.Equal(t, "packages:\n  - ./api/v1\noutput-dir: api\nonly:\n  - register\n", before[filepath.Join(dir, ".informer-gen.yaml")])
	code, stdout, stderr = execute(t, dir, "migrate", "--scheme-builder", "./api/...")
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, "no scheme.Builder of controller-runtime in 1 package\n", stdout)
	assert.Equal(t, before, contents(t, dir))
	code, stdout, stderr = execute(t, dir, "verify")
	assert.Equal(t, exitDone, code, stdout+stderr)

	// A type that kubebuilder adds later.
	later := filepath.Join(dir, "api", "v1", "depot_types.go")
	writeFile(t, later, strings.ReplaceAll(builderTypes, "Robot", "Depot"))
	code, stdout, stderr = execute(t, dir, "migrate", "--scheme-builder")
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "api/v1/depot_types.go:15:2: generated code registers Depot\n")
	assert.Contains(t, contents(t, dir)[filepath.Join(dir, "api", "v1", "zz_generated.register.go")], "\t\t&Depot{},\n\t\t&Robot{},\n")
	assert.NotContains(t, contents(t, dir)[later], "init")
}

// TestSchemeBuilderChangesNothing has problems that prevent a change: files stay as they are.
func TestSchemeBuilderChangesNothing(t *testing.T) {
	t.Parallel()
	const stays = "warning: the scheme.Builder of package example.com/m/api/v1 stays: "
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"use": {
			map[string]string{"cmd/main.go": "package main\n\nimport \"example.com/m/api/v1\"\n\nfunc main() { v1.SchemeBuilder.Build() }\n"},
			"cmd/main.go:5:32: " + stays + "a runtime.SchemeBuilder has no Build\n",
		},
		"no group": {
			map[string]string{"api/v1/groupversion_info.go": strings.Replace(builderGroup, "+groupName", "group", 1)},
			"api/v1/groupversion_info.go:12:2: " + stays + "no registration would be generated\n",
		},
		"no objects": {
			map[string]string{"api/v1/types.go": "package v1\n"},
			"api/v1/groupversion_info.go:12:2: " + stays + "no registration would be generated\n",
		},
		"configuration without it": {
			map[string]string{".informer-gen.yaml": "packages: [./api/v1]\nonly: [deepcopy]\n"},
			"api/v1/groupversion_info.go:12:2: " + stays + "no registration would be generated\n",
		},
		"declaration in the way": {
			map[string]string{"api/v1/more.go": "package v1\n\nimport \"k8s.io/apimachinery/pkg/runtime\"\n\ntype metav1 struct{}\n"},
			"api/v1/more.go:5:6: metav1 is a type of this package, but the generated registration imports a package with this name\n",
		},
		"handwritten file": {
			map[string]string{"api/v1/zz_generated.register.go": "package v1\n"},
			"api/v1/zz_generated.register.go: the registration belongs in this file, which was not written by informer-gen-lite or register-gen\n",
		},
		"syntax": {map[string]string{"api/v1/more.go": "package v1\n\nfunc {}\n"}, "api/v1/more.go:3:6: expected 'IDENT', found '{'"},
		"syntax of a user": {
			map[string]string{"test/more_test.go": "package test\n\nimport \"example.com/m/api/v1\"\n\nfunc {}\n"},
			"test/more_test.go:5:6: expected 'IDENT', found '{'",
		},
		"patterns": {map[string]string{"docs/doc.go": "package docs\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := builderModule(t)
			for file, text := range test.files {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(file)), text)
			}
			before := contents(t, dir)
			args := []string{"migrate", "--scheme-builder"}
			if test.want == "" {
				args = append(args, "./docs")
			}
			code, stdout, stderr := execute(t, dir, args...)
			assert.Contains(t, stderr, test.want)
			assert.Equal(t, before, contents(t, dir))
			if test.want == "" {
				assert.Equal(t, "no scheme.Builder of controller-runtime in 1 package\n", stdout)
				return
			}
			assert.Equal(t, exitProblem, code)
			assert.Empty(t, stdout)
		})
	}
}

// TestSchemeBuilderUncommitted refuses to edit files whose contents would be lost.
func TestSchemeBuilderUncommitted(t *testing.T) {
	t.Parallel()
	dir := builderModule(t)
	git := func(args ...string) {
		args = append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)
		out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "--quiet")
	git("add", ".")
	git("commit", "--quiet", "--message=x")
	writeFile(t, filepath.Join(dir, "api", "v1", "types.go"), builderTypes+"// more\n")
	before := contents(t, filepath.Join(dir, "api"))
	code, stdout, stderr := execute(t, dir, "migrate", "--scheme-builder")
	assert.Equal(t, exitProblem, code)
	assert.Empty(t, stdout)
	assert.Equal(t, "api/v1/types.go: this file has changes that are not committed\n\tcommit or stash them first\n", stderr)
	assert.Equal(t, before, contents(t, filepath.Join(dir, "api")))
}

// TestSchemeBuilderByHand keeps types registered by hand that the generated registration lacks, names those that only it has, and edits what
// uses the builder, also in another module.
func TestSchemeBuilderByHand(t *testing.T) {
	t.Parallel()
	dir := builderModule(t)
	api := filepath.Join(dir, "api")
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), "") // the root of a repository
	writeFile(t, filepath.Join(api, "go.mod"), "module example.com/m/api\n\ngo 1.26\n")
	types := strings.Replace(builderTypes, "&Robot{}", "&Robot{}, &Plain{}", 1) + `
// Plain has a DeepCopyObject that it embeds.
type Plain struct{ *Robot }

type Options struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
}

func (o *Options) DeepCopyObject() runtime.Object { return o }
`
	writeFile(t, filepath.Join(api, "v1", "types.go"), types)
	main := filepath.Join(dir, "cmd", "main.go")
	writeFile(t, main, "package main\n\nimport \"example.com/m/api/v1\"\n\nvar gv = v1.SchemeBuilder.GroupVersion\n")
	code, _, stderr := execute(t, api, "migrate", "--scheme-builder")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "../cmd/main.go:5:10: warning: the scheme.Builder of package example.com/m/api/v1 stays: "+
		"this module builds with another version of the package\n")

	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	writeFile(t, filepath.Join(dir, "go.mod"), string(mod)+"\nreplace example.com/m/api => ./api\n")
	code, stdout, stderr := execute(t, api, "migrate", "--scheme-builder")
	require.Equal(t, exitDone, code, stderr)
	for _, line := range []string{
		"../cmd/main.go:5:10: v1.SchemeBuilder.GroupVersion is v1.GroupVersion\n", "v1/types.go:15:2: generated code registers Robot\n",
		"v1/types.go:15:2: a function registers &Plain{}\n", "v1/zz_generated.register.go: registers Options, too\n",
	} {
		assert.Contains(t, stdout, line)
	}
	all := contents(t, dir)
	assert.Contains(t, all[filepath.Join(api, "v1", "types.go")], `	SchemeBuilder.Register(func(s *runtime.Scheme) error {
		s.AddKnownTypes(GroupVersion, &Plain{})
		return nil
	})
`)
	assert.Contains(t, all[main], "v1.GroupVersion\n")
}
