package cli

import (
	"bufio"
	"bytes"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// typeChecker type-checks the packages of many modules at once, against the compiled dependencies of a module. It is much faster
// than running the go command for each.
type typeChecker struct {
	// target is the release of client-go that the dependencies belong to.
	target   model.Target
	fset     *token.FileSet
	packages map[string]*checkedPackage
	external types.Importer
	errors   []error
}

type checkedPackage struct {
	files []*ast.File
	types *types.Package
}

func newTypeChecker(target model.Target) *typeChecker {
	return &typeChecker{target: target, fset: token.NewFileSet(), packages: map[string]*checkedPackage{}}
}

// skipTypeChecking skips tests of type checking if the race detector is on, which makes them several times slower and finds
// nothing. make test runs these tests a second time, without the detector.
func skipTypeChecking(t *testing.T) {
	t.Helper()
	if raceFlag != "" {
		t.Skip("type checking is tested without the race detector")
	}
}

// add parses the packages of a module. It excludes the files that the go command would exclude.
func (c *typeChecker) add(t *testing.T, modulePath, root string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		listed, err := build.ImportDir(dir, 0)
		if noGo := (*build.NoGoError)(nil); errors.As(err, &noGo) {
			return nil
		}
		require.NoError(t, err)
		rel, err := filepath.Rel(root, dir)
		require.NoError(t, err)
		pkg := &checkedPackage{}
		for _, name := range listed.GoFiles {
			file, err := parser.ParseFile(c.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			pkg.files = append(pkg.files, file)
		}
		c.packages[path.Join(modulePath, filepath.ToSlash(rel))] = pkg
		return nil
	}))
}

// check type-checks all packages and fails the test with all errors.
func (c *typeChecker) check(t *testing.T) {
	t.Helper()
	exports := compiledPackages(t, moduleOf(c.target), c.externalImports())
	c.external = importer.ForCompiler(c.fset, "gc", func(importPath string) (io.ReadCloser, error) {
		return os.Open(exports[importPath])
	})
	for importPath := range c.packages {
		_, err := c.Import(importPath)
		assert.NoError(t, err)
	}
	for _, err := range c.errors {
		assert.NoError(t, err)
	}
}

// Import implements types.Importer.
func (c *typeChecker) Import(importPath string) (*types.Package, error) {
	pkg, own := c.packages[importPath]
	if !own {
		return c.external.Import(importPath)
	}
	if pkg.types == nil {
		config := types.Config{Importer: c, Error: func(err error) { c.errors = append(c.errors, err) }}
		pkg.types, _ = config.Check(importPath, c.fset, pkg.files, nil)
	}
	return pkg.types, nil
}

func (c *typeChecker) externalImports() []string {
	seen := map[string]bool{}
	var paths []string
	for _, pkg := range c.packages {
		for _, file := range pkg.files {
			for _, spec := range file.Imports {
				importPath, _ := strconv.Unquote(spec.Path.Value)
				if c.packages[importPath] == nil && !seen[importPath] {
					seen[importPath] = true
					paths = append(paths, importPath)
				}
			}
		}
	}
	return paths
}

// compiledPackages returns the export data files of packages and of all that they import, as a module imports them.
func compiledPackages(t *testing.T, moduleDir string, paths []string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, paths...)...)
	cmd.Dir = moduleDir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	exports := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		importPath, file, _ := strings.Cut(lines.Text(), " ")
		exports[importPath] = file
	}
	return exports
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
