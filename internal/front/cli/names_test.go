package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// TestNames generates for an API whose kinds, types, groups, versions and folders have the names of identifiers in generated
// code, and type-checks the result. It fails if a local identifier in a template shadows, or is shadowed by, a name derived from
// the input. The identifiers are read from output rather than templates, so the test also finds those that goname misses.
func TestNames(t *testing.T) {
	if testing.Short() {
		t.Skip("make build-tests runs it: it type-checks hundreds of packages")
	}
	t.Parallel()
	sample := t.TempDir()
	writeModule(t, sample, "example.com/sample")
	writeFile(t, filepath.Join(sample, "apis/robots/v1/types.go"), packageOfKinds("robots.example.com", "v1", []string{"Robot", "RobotPart"}))
	generateNames(t, sample, "Robot")
	names := identifiersBelow(t, filepath.Join(sample, "pkg"))
	require.Greater(t, len(names), 100, "identifiers of generated code")
	scaffolded := identifiersBelow(t, filepath.Join(sample, "internal"))
	require.NotEmpty(t, scaffolded)

	dir := t.TempDir()
	writeModule(t, dir, "example.com/names")
	kinds := kindsOf(append(names, scaffolded...))
	// The tool reports these together with kinds such as Add, ByNamespace, Indexers and Typed: they would declare the same names.
	kinds = slices.DeleteFunc(kinds, func(kind string) bool { return slices.Contains([]string{"AddIndex", "By", "Deleted", "Index"}, kind) })
	// Kinds named like import aliases that are derived from their own package.
	derived := []string{"Kindsv1", "Kindsv1ac", "Kindsv1apply", "Kindsv1controllers", "Typedkindsv1"}
	// The tool reports a kind NewX if there is a kind X.
	isNew := func(kind string) bool { return strings.HasPrefix(kind, "New") }
	writeFile(t, filepath.Join(dir, "apis/kinds/v1/types.go"), packageOfKinds("kinds.example.com", "v1", append(slices.DeleteFunc(slices.Clone(kinds), isNew), derived...)))
	writeFile(t, filepath.Join(dir, "apis/kinds/v2/types.go"), packageOfKinds("kinds.example.com", "v2", slices.DeleteFunc(kinds, func(kind string) bool { return !isNew(kind) })))
	writeFile(t, filepath.Join(dir, "apis/copies/copies.go"), packageOfCopies(names))
	for _, name := range names {
		if name != strings.ToLower(name) {
			continue
		}
		// A group and its only version have the name of the identifier.
		writeFile(t, filepath.Join(dir, name, "types.go"), packageOfKinds(name+".example.com", name, []string{"Robot"}))
		if len(name) > 2 && unicode.IsLetter(rune(name[1])) {
			// Group and version together form the identifier, as in the import alias of the package.
			writeFile(t, filepath.Join(dir, "halves", name[:1], name[1:], "types.go"), packageOfKinds(name[:1]+".example.com", name[1:], []string{"Robot"}))
		}
	}
	generateNames(t, dir, append(kindsOf(scaffolded), derived...)...)
	checker := newTypeChecker(model.DefaultTarget)
	checker.add("example.com/names", dir)
	server := t.TempDir()
	writeFile(t, filepath.Join(server, "apiservertest.go"), apiServerTest)
	checker.add("github.com/informer-gen-lite/informer-gen-lite/apiservertest", server)
	checker.check(t)
}

// apiServerTest declares the parts of package apiservertest that scaffolded tests use. The real package is in another module.
const apiServerTest = `package apiservertest

import (
	"testing"

	"k8s.io/client-go/rest"
)

type Server struct{}

func (*Server) Config() *rest.Config { return nil }

func (*Server) Namespace(testing.TB) string { return "" }

type Options struct{ CRDPaths []string }

func Main(*testing.M, **Server, Options) {}
`

// kindsOf returns kinds with the names of identifiers, except those whose lists would be other kinds.
func kindsOf(names []string) []string {
	var kinds []string
	for _, name := range names {
		kinds = append(kinds, goname.UpperFirst(name))
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	return slices.DeleteFunc(kinds, func(kind string) bool {
		item, isList := strings.CutSuffix(kind, "List")
		return isList && slices.Contains(kinds, item)
	})
}

// generateNames generates everything and scaffolds reconcilers of kinds. It does not use the command, which takes a second for
// the CustomResourceDefinitions of each kind.
func generateNames(t *testing.T, dir string, scaffolded ...string) {
	t.Helper()
	values := option.Default()
	all, err := pipeline.AllOptions([]config.Output{{Values: values, Dir: dir}}, complete)
	require.NoError(t, err)
	api, err := pipeline.Resolve(t.Context(), all[0])
	require.NoError(t, err)
	kinds := slices.DeleteFunc(api.Resolved.API.Kinds(), func(kind *model.Kind) bool { return !slices.Contains(scaffolded, kind.Name) })
	require.NotEmpty(t, kinds)
	root, _, _ := strings.Cut(api.Place.ImportPath, "/pkg/")
	var files []render.File
	for _, kind := range kinds {
		made, err := generators.Scaffold(kind, &api.Layout, scaffold.Destination{ImportPath: root, Module: root}, nil)
		require.NoError(t, err)
		files = append(files, made...)
	}
	for _, file := range files {
		if strings.HasPrefix(file.Path, "internal/controller/") {
			// Rename the tests so that they are type-checked too.
			name := strings.Replace(file.Path, "_test.go", "_tests.go", 1)
			writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), string(file.Content))
		}
	}
	code, _, stderr := execute(t, dir, "generate")
	require.Equal(t, exitDone, code, stderr)
}

// identifiersBelow returns the unqualified, unexported identifiers in generated code in alphabetical order, without predeclared
// ones.
func identifiersBelow(t *testing.T, dir string) []string {
	t.Helper()
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		switch filepath.Base(filepath.Dir(name)) {
		case "controllers", "strict":
			return nil // packages without names derived from the input
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		selected := map[*ast.Ident]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				selected[n.Sel] = true
			case *ast.Ident:
				if !selected[n] {
					found[n.Name] = true
				}
			}
			return true
		})
		return nil
	}))
	return slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(name string) bool {
		return !unicode.IsLower(rune(name[0])) || goname.Predeclared(name) || strings.Contains(strings.ToLower(name), "robot") || name == "main"
	})
}

// customMethods are the markers of custom methods that work with another kind.
const customMethods = `// +genclient:method=MakeOther,verb=create,input=%[1]s,result=%[1]s
// +genclient:method=UpdateOther,verb=update,subresource=other,input=%[1]s,result=%[1]s
// +genclient:method=GetOther,verb=get,subresource=other,result=%[1]s
// +genclient:method=ListOther,verb=list,subresource=other,result=%[1]s
// +genclient:method=PatchOther,verb=patch,subresource=other,result=%[1]s
// +genclient:method=ApplyOther,verb=apply,input=%[1]s,result=%[1]s
// +genclient:method=ApplyScale,verb=apply,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale
`

// packageOfKinds returns a package with kinds. Each has a controller that owns the next kind and a built-in one and, if there are
// several kinds, custom methods of all verbs.
func packageOfKinds(group, pkg string, kinds []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `// +groupName=%s
// +k8s:deepcopy-gen=package
package %s

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
`, group, goname.Package(pkg))
	for i, kind := range kinds {
		other, methods := kinds[(i+1)%len(kinds)], ""
		if other != kind {
			methods = fmt.Sprintf(customMethods, other)
		}
		fmt.Fprintf(&b, `
// +genclient
%[3]s// +informergen:controller=owns=%[2]s;apps/v1.Deployment,finalizer=example.com/cleanup
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type %[1]s struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	Status            State `+"`json:\"status,omitempty\"`"+`
}

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type %[1]sList struct {
	metav1.TypeMeta `+"`json:\",inline\"`"+`
	metav1.ListMeta `+"`json:\"metadata,omitempty\"`"+`
	Items           []%[1]s `+"`json:\"items\"`"+`
}
`, kind, other, methods)
	}
	b.WriteString(`
type State struct {
	ObservedGeneration int64              ` + "`json:\"observedGeneration,omitempty\"`" + `
	Conditions         []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
}
`)
	return b.String()
}

// packageOfCopies returns a package with a type for each name, which is copied in every way.
func packageOfCopies(names []string) string {
	var b strings.Builder
	b.WriteString("// +k8s:deepcopy-gen=package\npackage copies\n\nimport (\n\tkubecore \"k8s.io/api/core/v1\"\n\t\"k8s.io/apimachinery/pkg/util/intstr\"\n)\n\ntype leaf struct{ Parts []string }\n")
	for _, name := range names {
		if name == "init" {
			continue // not valid as the name of a type
		}
		fmt.Fprintf(&b, `
type %s struct {
	Pointer *leaf
	Slice   [][]leaf
	Map     map[string]map[string][]leaf
	Pod     *kubecore.Pod
	Value   map[string]*intstr.IntOrString
}
`, name)
	}
	return b.String()
}
