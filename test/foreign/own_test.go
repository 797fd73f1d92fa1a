package foreign

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/projects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/scratch"
)

// TestOwnTypes decodes and encodes random objects with the types that projects ship, and with the imported ones: the JSON is the same,
// except for listed reasons.
func TestOwnTypes(t *testing.T) {
	tr := newTree(t, "plain-types", requirements, "--recognize=false")
	tr.generate(t, "--only", "deepcopy,register")
	tr.writeDriver(t, false)
	ours := startDriver(t, tr.dir)
	total := findings{}
	for _, p := range corpus(t) {
		if p.TypesModule == "" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			theirs, versions := ownDriver(t, p)
			found := findings{}
			for _, v := range versions {
				for _, object := range randomObjects(v) {
					theirAnswer, ourAnswer := theirs.do(t, p.Name, v, request{Object: object}), ours.do(t, p.Name, v, request{Object: object})
					require.Empty(t, ourAnswer.Error)
					if theirAnswer.Error != "" {
						found.count("the project's own types reject the object")
						continue
					}
					their, err := objects.Decode(theirAnswer.Object)
					require.NoError(t, err)
					our, err := objects.Decode(ourAnswer.Object)
					require.NoError(t, err)
					found.compare(t, v, our, their, ownReasons)
				}
			}
			t.Logf("%s: %d versions, %d of %d objects the same", p.Name, len(versions), found.same, found.objects)
			total.add(found)
		})
	}
	logCounts(t, total.reasons)
	t.Logf("%d of %d objects the same", total.same, total.objects)
}

// ownKind is a kind that a project declares itself.
type ownKind struct{ Key, Alias, Name string }

// ownDriver compiles and starts a driver with the project's own types, and returns the versions that have one.
func ownDriver(t *testing.T, p imported) (*driver, []objects.Version) {
	t.Helper()
	source, err := projects.Download(p.TypesModule)
	require.NoError(t, err)
	module, _, _ := strings.Cut(p.TypesModule, "@")
	type ownPackage struct{ Alias, Path string }
	var data struct {
		Packages []ownPackage
		Kinds    []ownKind
	}
	var versions []objects.Version
	aliases := map[string]string{}
	for _, v := range p.versions {
		for _, pattern := range p.Packages {
			label, _, _ := strings.Cut(v.Group, ".")
			path := strings.NewReplacer("{group}", label, "{version}", v.Version).Replace(pattern)
			if !declares(t, filepath.Join(source, strings.TrimPrefix(path, module)), v.Kind) {
				continue
			}
			if aliases[path] == "" {
				aliases[path] = fmt.Sprint("own", len(aliases))
				data.Packages = append(data.Packages, ownPackage{aliases[path], path})
			}
			data.Kinds = append(data.Kinds, ownKind{v.Group + "/" + v.Version + "/" + v.Kind, aliases[path], v.Kind})
			versions = append(versions, v)
			break
		}
	}
	require.NotEmpty(t, versions, "no type of %s", p.TypesModule)
	dir, err := scratch.Dir("own", p.Name)
	require.NoError(t, err)
	require.NoError(t, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)))
	writeDriver(t, "own.go.tmpl", filepath.Join(dir, "driver"), data)
	_, err = scratch.Run(dir, "go", "mod", "init", modulePath)
	require.NoError(t, err)
	_, err = scratch.Run(dir, "go", "get", p.TypesModule, "./driver")
	require.NoError(t, err)
	return startDriver(t, dir), versions
}

// declares reports whether the Go files of a directory declare a type.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	require.NoError(t, err)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, entry.Name()), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			if general, ok := decl.(*ast.GenDecl); ok && general.Tok == token.TYPE {
				for _, spec := range general.Specs {
					if spec.(*ast.TypeSpec).Name.Name == name {
						return true
					}
				}
			}
		}
	}
	return false
}

// ownReasons are the reasons why a project's own types write other JSON than the imported ones.
var ownReasons = []reason{
	{"the schema allows any value, the project's own type does not", func(c objects.Change) bool { return c.Schema == nil }},
	{"the project's own types omit zero values", func(c objects.Change) bool { return c.Have == objects.Missing{} && isZero(c.Want) }},
	{"the project's own types write zero values that nobody set", func(c objects.Change) bool {
		return c.Want == objects.Missing{} && isUnset(c.Have)
	}},
	{"the project's own types write another form of the same value", func(c objects.Change) bool {
		return c.Want != objects.Missing{} && c.Have != objects.Missing{} && c.Schema != nil && c.Schema.Type == "string"
	}},
}

// isUnset reports whether a value is what Go types write for fields that nobody set: zero values, null, and those of quantities, durations
// and semantic versions, or an object of such values.
func isUnset(value any) bool {
	object, ok := value.(map[string]any)
	if !ok {
		return value == nil || isZero(value) || value == "0" || value == "0s" || value == "0.0.0"
	}
	for _, element := range object {
		if !isUnset(element) {
			return false
		}
	}
	return true
}
