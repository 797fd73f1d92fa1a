package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/defaults"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// nasty are strings that end literals and comments, or that Go source cannot contain.
var nasty = []string{"`", `"`, `\`, "`+panic(1)+`", `"+panic(1)+"`, "*/ func init() {} /*", "\n", "\r", "\x00", "\ufeff", "\u2028", "{{.}}", "é\xff", strings.Repeat("x", 64<<10)}

// schemaMarkers are those of fields that the schema of apply configurations is made from.
var schemaMarkers = []string{"+default=", "+default=\"a\"", "+listType=map", "+listMapKey=name", "+mapType=atomic", "+structType=atomic", "+patchMergeKey=name", "+patchStrategy=merge",
	"+kubebuilder:default=", "+kubebuilder:resource:path=robots,scope=Cluster", "+unionDiscriminator", "+optional"}

// nastyFiles returns API files with nasty strings in each part of each marker, at each place of markers, and in tags of structs.
func nastyFiles() []string {
	const file = "/*\n%[1]s\n*/\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n" +
		"/*\nRobot is a kind.\n+genclient\n%[1]s\n*/\ntype Robot struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n" +
		"\t/*\n\tSpec is a field.\n%[1]s\n*/\n\tSpec Spec %[2]s\n}\n\n" +
		"type Spec struct {\n\t/*\n\t+listType=map\n\t+listMapKey=name\n%[1]s\n*/\n\tArms []Arm %[2]s\n}\n\n" +
		"type Arm struct {\n\t/*\n%[1]s\n*/\n\tName string %[2]s\n}\n\n" +
		"type RobotList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata\"`\n\tItems []Robot `json:\"items\"`\n}\n"
	var markers []string
	for _, known := range marker.Known {
		markers = append(markers, known.Example)
	}
	var files []string
	for _, bad := range nasty {
		for _, tag := range []string{bad, "json:" + strconv.Quote(bad), "json:" + strconv.Quote(bad+",inline"), "json:\"name\" patchMergeKey:" + strconv.Quote(bad)} {
			files = append(files, fmt.Sprintf(file, "", strconv.Quote(tag)))
		}
		for _, m := range append(markers, schemaMarkers...) {
			files = append(files, fmt.Sprintf(file, m+bad, `"json:\"name\""`), fmt.Sprintf(file, m+strconv.Quote(bad), `"json:\"name\""`))
			for _, part := range strings.FieldsFunc(m, func(r rune) bool { return strings.ContainsRune("=,;", r) })[1:] {
				files = append(files, fmt.Sprintf(file, strings.Replace(m, part, bad, 1), `"json:\"name\""`))
			}
		}
	}
	return files
}

// FuzzGenerate throws API files at resolve and render. Whatever is in them, there is no panic, and what is rendered is
// Go. The corpus is every Go file of the cases, and files with nasty strings; run it as a test, or let it mutate with make fuzz. With
// -short, it is every 23rd file: nearly all of them take the same path.
func FuzzGenerate(f *testing.F) {
	seedStep := 1
	if testing.Short() {
		seedStep = 23
	}
	names, err := filepath.Glob("../../../testdata/cases/*.txtar")
	require.NoError(f, err)
	var seeds []string
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") && !strings.HasPrefix(file.Name, "want/") {
				seeds = append(seeds, string(file.Data))
			}
		}
	}
	for i, seed := range append(seeds, nastyFiles()...) {
		if i%seedStep == 0 {
			f.Add(seed)
		}
	}
	libraries, problems, err := load.Packages(f.Context(), load.Config{Dir: ".", Patterns: []string{
		"k8s.io/apimachinery/pkg/api/resource", "k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/runtime",
		"k8s.io/apimachinery/pkg/runtime/schema", "k8s.io/apimachinery/pkg/types", "k8s.io/apimachinery/pkg/util/intstr",
	}})
	require.NoError(f, err)
	require.Empty(f, problems)
	// All other packages are out of reach: looking for them would start the go command.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var parsed sync.Map // most files are the same for all inputs
	f.Fuzz(func(t *testing.T, src string) {
		t.Parallel()
		fset := token.NewFileSet()
		libraries.Fset.Iterate(func(file *token.File) bool {
			fset.AddExistingFiles(file)
			return true
		})
		file, err := parser.ParseFile(fset, "types.go", "// +groupName=fuzz.example.com\n"+src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		fuzzed := &load.Package{
			Path: "example.com/fuzz/v1", Name: file.Name.Name, Dir: "v1", Files: []*load.File{{Name: "types.go", File: file}},
			Module: &load.Module{Path: "example.com/fuzz", Main: true},
		}
		loaded := &load.Result{Fset: fset, Packages: append([]*load.Package{fuzzed}, libraries.Packages...)}
		result, diags := resolve.API(ctx, loaded, resolve.Options{Kinds: true, Clients: true, Names: true, Apply: true, InPackages: []*source.InPackage{&register.InPackage, &deepcopy.InPackage, &defaults.InPackage}, DeepCopies: true})
		if diags.Failed() {
			return
		}
		layout := &model.Layout{
			Root: "example.com/out", Clientset: "clientset", Listers: "listers", Informers: "informers", Controllers: "controllers",
			ApplyConfigurationDir: "apply", ApplyConfigurations: "example.com/out/apply", SourceDirs: map[string]string{fuzzed.Path: "../v1"},
		}
		files, err := renderAll(context.Background(), result.API, renderOptions{layout: layout, generators: generators.All})
		if collisions := (diag.List{}); err != nil && !errors.As(err, &collisions) {
			t.Fatal(err)
		}
		for _, file := range files {
			if path.Ext(file.Path) != ".go" {
				continue
			}
			if _, known := parsed.LoadOrStore(sha256.Sum256(file.Content), true); !known { // rendering does not parse functions
				_, err := parser.ParseFile(token.NewFileSet(), file.Path, file.Content, parser.SkipObjectResolution)
				require.NoError(t, err)
			}
			if file.Path == "apply/internal/internal.go" {
				require.Equal(t, result.API.Apply.Schema, schemaIn(t, file.Content))
			}
		}
	})
}

// schemaIn returns the value of the schema in a generated file.
func schemaIn(t *testing.T, src []byte) string {
	t.Helper()
	_, expr, found := strings.Cut(string(src), "typed.YAMLObject(")
	require.True(t, found)
	expr, _, _ = strings.Cut(expr, ")\n\n// ExtractInto ")
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, strings.TrimSuffix(expr, ")\n"))
	require.NoError(t, err)
	return constant.StringVal(value.Value)
}
