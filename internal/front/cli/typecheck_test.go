package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// typeChecker type-checks the packages of many modules at once, with the dependencies of one module and the run-time library. It is much faster than
// running the go command for each.
type typeChecker struct {
	target  model.Target
	modules map[string]string // directories by path
}

func newTypeChecker(target model.Target) *typeChecker {
	return &typeChecker{target: target, modules: map[string]string{}}
}

// add adds a module.
func (c *typeChecker) add(modulePath, root string) {
	c.modules[modulePath] = root
}

// check type-checks all packages of the modules and fails the test with all errors, and with generated files that are not gofmt'ed.
func (c *typeChecker) check(t *testing.T) {
	t.Helper()
	require.NoError(t, universeOf(moduleOf(c.target)).check(moduleOf(c.target), c.modules))
}

var (
	objectType    = regexp.MustCompile(`(?m)^\s*(?:type )?(\w+) struct \{[^}]*\bTypeMeta\b`)
	packageClause = regexp.MustCompile(`(?m)^\x{FEFF}?package (\w+)`)
)

// objectMethods is the file that addObjectMethods writes.
const objectMethods = "zz_object.go"

// addObjectMethods adds the methods that make the types of a case objects, unless they have them already.
func addObjectMethods(t *testing.T, dir string) {
	t.Helper()
	bodies := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range objectType.FindAllSubmatch(src, -1) {
			if declaresObjectMethod(t, filepath.Dir(name), string(m[1])) {
				continue
			}
			out := filepath.Join(filepath.Dir(name), objectMethods)
			if bodies[out] == "" {
				bodies[out] = "package " + string(packageClause.FindSubmatch(src)[1]) + "\n\nimport \"k8s.io/apimachinery/pkg/runtime\"\n"
			}
			kind := string(m[1])
			bodies[out] += "\nfunc (in *" + kind + ") DeepCopyObject() runtime.Object { out := *in; return &out }\n"
		}
		return nil
	}))
	for name, body := range bodies {
		writeFile(t, name, body)
	}
}

// declaresObjectMethod reports whether a file in dir has the method that makes a type an object.
func declaresObjectMethod(t *testing.T, dir, kind string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		return bytes.Contains(src, []byte("*"+kind+") DeepCopyObject()"))
	})
}
