// Package internal_test checks rules for all packages below this folder, and for those of the run-time library.
package internal_test

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// maxLines is the size up to which a newcomer can read a package in one sitting, without tests.
const maxLines = 2000

// budgets are the sizes of the tiers of the tool, of each wing, and of the library and its products: lines without tests.
// Whoever deletes something lowers them, and nobody raises them: make room before you add. A new product comes with a row of its own.
var budgets = map[string]int{
	"core":           20_165,
	"front":          4_023,
	"wing/cluster":   2_566,
	"wing/importing": 3_118,
	"wing/scaffold":  428,
	"wing/switching": 9_187,
	"../generators":  2_868,
	"../templates":   3_249,
	"../runtime":     24_855,

	"defaults and conversions":          5_197,
	"an operator's life":                615,
	"outages of the API server":         612,
	"definitions older than a program":  924,
	"definitions without type-checking": 557,
	"shards":                            2_278,
	"shards in fakes":                   399,
	"shards in informers":               1_281,
	"shards in controllers":             837,
	"shards in managers":                1_108,
	"shards in generated code":          88,
	"warnings of traps":                 533,
}

// products are the beginnings of the names of files that count for a product, and not for a tier.
var products = map[string][]string{
	"defaults and conversions": {
		"core/resolve/together.go", "core/resolve/conversion/", "core/resolve/defaults/", "core/resolve/shape/", "core/resolve/gofile/",
		"core/model/conversion.go", "core/model/defaults.go", "core/gotype/helpers.go", "core/load/excludes.go", "core/marker/helpers.go",
		"core/render/statements.go",
		"../generators/conversion/", "../generators/defaults/", "../templates/conversion/", "../templates/defaults/",
		"wing/switching/leaving.go", "wing/switching/script/helpers.go", "wing/switching/script/tools/keep.go", "wing/switching/proof/results/",
	},
	"an operator's life": {
		"wing/cluster/roles/recorders.go", "core/marker/pause.go",
		library + "/controller/internal/pause/", library + "/controller/pause.go", library + "/controller/internal/progress/paused.go",
		library + "/controller/internal/queue/turns.go", library + "/manager/health.go",
	},
	"definitions older than a program": {
		"core/smd/fields.go", "core/resolve/described.go", "../generators/informers/runtime.go", "../templates/informers/fields.go.tmpl",
		library + "/informer/fields.go", library + "/internal/definitions/", library + "/controller/internal/caches/definitions.go",
		library + "/manager/definitions.go", library + "/manager/internal/page/definitions.go", library + "/metrics/definitions.go",
	},
	"outages of the API server": {
		library + "/manager/lead.go", library + "/manager/inflight.go", library + "/manager/internal/leases/loss.go",
		library + "/manager/internal/terms/", library + "/internal/leading/", library + "/controller/internal/queue/workers.go",
	},
	"definitions without type-checking": {"wing/cluster/crd/feed.go", "wing/cluster/crd/encode.go", "wing/cluster/crd/size.go"},
	"warnings of traps":                 {"core/traps/", "core/option/warnings.go"},
	"shards":                            {library + "/manager/internal/shards/"},
	"shards in informers": {
		library + "/informer/shards.go", library + "/informer/internal/arcs/", library + "/informer/internal/selecting/",
		library + "/informer/internal/shared/parts.go", library + "/informer/internal/shared/sharded.go", library + "/metrics/shards.go",
		library + "/internal/informertest/shards.go",
	},
	"shards in generated code": {"core/marker/sharded.go", "core/model/shards.go", "../generators/scaffold/shards.go"},
	"shards in controllers": {
		library + "/internal/sharing/", library + "/controller/sharded.go", library + "/controller/internal/ownerlabel/bucket.go",
		library + "/controller/internal/reconcile/deleted.go", library + "/informer/internal/shared/covers.go",
	},
	"shards in managers": {
		library + "/manager/shards.go", library + "/manager/internal/member/", library + "/manager/internal/membership/",
		library + "/internal/sleepless/", library + "/handover/shared.go",
		library + "/metrics/buckets.go",
	},
	"shards in fakes": {
		library + "/strictfake/internal/shards/", library + "/strictfake/internal/verbs/shards.go", library + "/strictfake/shards.go",
	},
}

// maxModules is the number of modules of the repository, which is a budget too.
const maxModules = 14

// larger are packages with a limit of their own, with the reason.
var larger = map[string]int{
	library + "/controller": 3_056, // users import one package for all that a reconciler calls; what they do not call is in internal
	library + "/informer":   2_198, // likewise for all that concerns informers
}

// library is the folder of the run-time library.
const library = "../runtime"

// packages returns the files of each package below a folder without tests, by folder.
func packages(t *testing.T, root string) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && (d.Name() == "testdata" || d.Name() == "testapi") {
			return fs.SkipDir
		}
		if err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files[filepath.Dir(name)] = append(files[filepath.Dir(name)], name)
		}
		return err
	}))
	require.NotEmpty(t, files)
	return files
}

func TestPackagesAreSmall(t *testing.T) {
	for _, names := range packages(t, library) {
		assertSmall(t, names)
	}
	for _, names := range packages(t, ".") {
		assertSmall(t, names)
	}
}

func TestBudgets(t *testing.T) {
	spent := map[string]int{}
	for root, extension := range map[string]string{".": ".go", "../generators": ".go", "../templates": ".tmpl", library: ".go"} {
		require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.Name() == "testdata" || d.Name() == "testapi":
				return fs.SkipDir
			case filepath.Ext(name) != extension || strings.HasSuffix(name, "_test.go") || filepath.Dir(name) == ".":
				return nil
			}
			text, err := os.ReadFile(name)
			name = filepath.ToSlash(name)
			row := rowOf(name)
			assert.NotEmpty(t, row, "%s belongs to no tier, and to no wing", name)
			spent[row] += bytes.Count(text, []byte("\n"))
			return err
		}))
	}
	for row, limit := range budgets {
		assert.LessOrEqual(t, spent[row], limit, "%s: remove before you add", row)
	}
}

// rowOf returns the budget that a file counts for, or "".
func rowOf(name string) string {
	for row, parts := range products {
		if slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(name, part) }) {
			return row
		}
	}
	for row := range budgets {
		if strings.HasPrefix(name, row+"/") {
			return row
		}
	}
	return ""
}

// assertSmall checks the number of lines of a package.
func assertSmall(t *testing.T, names []string) {
	t.Helper()
	lines := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		lines += bytes.Count(text, []byte("\n"))
	}
	limit := cmp.Or(larger[filepath.ToSlash(filepath.Dir(names[0]))], maxLines)
	assert.LessOrEqual(t, lines, limit, "%s has %d lines: give a part of it a package of its own", filepath.Dir(names[0]), lines)
}

// TestModules counts modules. A module exists for what users import, for a layout that has to be shown, or for dependencies that must not meet.
func TestModules(t *testing.T) {
	var modules []string
	require.NoError(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "testdata":
			return fs.SkipDir
		case d.Name() == "go.mod":
			modules = append(modules, name)
		}
		return nil
	}))
	assert.LessOrEqual(t, len(modules), maxModules, "%s", modules)
}

// TestLibraryStandsAlone checks that users can require the library: its go.mod names no module of this repository, and only tests
// import the API that is generated for them.
func TestLibraryStandsAlone(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(library, "go.mod"))
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	assert.Empty(t, file.Replace)
	for _, require := range file.Require {
		assert.NotContains(t, require.Mod.Path, "informer-gen-lite")
	}
	for _, names := range packages(t, library) {
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range file.Imports {
				assert.NotContains(t, spec.Path.Value, "/testapi", name)
			}
		}
	}
}

// TestRaced checks that make race tests each package that starts goroutines or locks something. Values that are computed once are no
// reason: nobody can use them wrongly.
func TestRaced(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?m)^RACED = ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	require.NotNil(t, list)
	patterns := strings.Fields(strings.ReplaceAll(string(list[1]), "\\", ""))
	raced := func(dir string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			parent, below := strings.CutSuffix(pattern, "/...")
			return dir == parent || below && strings.HasPrefix(dir, parent+"/")
		})
	}
	found := 0
	for dir, names := range packages(t, "..") {
		dir = "./" + strings.TrimPrefix(filepath.ToSlash(dir), "../")
		onlyForTests := strings.HasPrefix(dir, "./test/") || strings.HasPrefix(dir, "./hack/")
		if !onlyForTests && slices.ContainsFunc(names, isConcurrent(t)) {
			found++
			assert.True(t, raced(dir), "%s has goroutines or locks: add it to RACED in Makefile", dir)
		}
	}
	assert.Greater(t, found, 20)
}

// isConcurrent reports whether a file that is not generated has a go statement or uses a package for concurrency.
func isConcurrent(t *testing.T) func(name string) bool {
	t.Helper()
	return func(name string) (concurrent bool) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		if ast.IsGenerated(file) {
			return false
		}
		imported := map[string]bool{}
		for _, spec := range file.Imports {
			imported[strings.Trim(spec.Path.Value, `"`)] = true
		}
		if imported["sync/atomic"] || imported["golang.org/x/sync/errgroup"] {
			return true
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GoStmt:
				concurrent = true
			case *ast.SelectorExpr:
				qualifier, ok := n.X.(*ast.Ident)
				concurrent = concurrent || ok && imported["sync"] && qualifier.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "Once")
			}
			return !concurrent
		})
		return concurrent
	}
}

// TestInitializersAreFast finds regular expressions that every start of the program would compile, whether it needs them or not.
func TestInitializersAreFast(t *testing.T) {
	for _, names := range packages(t, ".") {
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				vars, ok := decl.(*ast.GenDecl)
				if !ok || vars.Tok != token.VAR {
					continue
				}
				ast.Inspect(vars, func(node ast.Node) bool {
					call, ok := node.(*ast.SelectorExpr)
					assert.False(t, ok && call.Sel.Name == "MustCompile", "%s: compile it in a sync.OnceValue", name)
					_, isFunc := node.(*ast.FuncLit)
					return !isFunc
				})
			}
		}
	}
}

// TestDependenciesHaveReasons compares go.mod with the table of dependencies in docs/design.md.
func TestDependenciesHaveReasons(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	design, err := os.ReadFile("../docs/design.md")
	require.NoError(t, err)
	direct := 0
	for _, require := range file.Require {
		if !require.Indirect {
			direct++
			assert.Contains(t, string(design), "`"+require.Mod.Path+"`", "why is it needed?")
		}
	}
	assert.NotZero(t, direct)
}

// TestBuildIsLight keeps packages out of the tool that take long to compile, for users who run it with go run or go tool.
func TestBuildIsLight(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "../cmd/informer-gen-lite").Output()
	require.NoError(t, err)
	all := strings.Fields(string(out))
	require.Contains(t, all, "net/url")
	for _, name := range all {
		for _, heavy := range []string{
			"k8s.io/client-go", "golang.org/x/oauth2", "github.com/google/gnostic", "google.golang.org/protobuf", "github.com/go-openapi",
			"k8s.io/kube-openapi/pkg/validation",
		} {
			assert.False(t, strings.HasPrefix(name, heavy), "%s: go mod why says what imports it", name)
		}
	}
}

// TestReceiversDoNotEmbedEachOther prevents types from sharing methods by embedding: the signature of a step shows what it may
// access.
func TestReceiversDoNotEmbedEachOther(t *testing.T) {
	all := packages(t, ".")
	maps.Copy(all, packages(t, library))
	for dir, names := range all {
		receivers, structs := map[string]bool{}, map[string]*ast.StructType{}
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv != nil {
						receivers[typeName(d.Recv.List[0].Type)] = true
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if s, ok := spec.(*ast.TypeSpec); ok {
							if structType, ok := s.Type.(*ast.StructType); ok {
								structs[s.Name.Name] = structType
							}
						}
					}
				}
			}
		}
		for name, structType := range structs {
			for _, field := range structType.Fields.List {
				if len(field.Names) == 0 && receivers[name] {
					embedded := typeName(field.Type)
					assert.False(t, receivers[embedded], "%s: %s embeds %s, and both have methods", dir, name, embedded)
				}
			}
		}
	}
}

// typeName returns the name of a type of the same package; "" for all others.
func typeName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
