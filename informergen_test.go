package informergen_test

import (
	"context"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

const robotTypes = `// +groupName=fleet.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot moves things.
//
// It does so day and night.
// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale
// +informergen:controller=owns=apps/v1.Deployment,finalizer=fleet.example.com/cleanup
// +kubebuilder:object:root=true
type Robot struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Spec RobotSpec ` + "`json:\"spec\"`" + `
}

// RobotSpec is the desired state.
type RobotSpec struct {
	// Since is when the robot starts.
	// +kubebuilder:validation:Format=date-time
	Since *metav1.Time ` + "`json:\"since,omitempty\"`" + `
}

// +kubebuilder:object:root=true
type RobotList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata,omitempty\"`" + `
	Items []Robot ` + "`json:\"items\"`" + `
}
`

// module returns the directory of a module with the dependencies of this one and the files.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	goMod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	goSum, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	writeFile(t, dir, "go.mod", strings.Replace(string(goMod), "module github.com/informer-gen-lite/informer-gen-lite", "module example.com/robots", 1))
	writeFile(t, dir, "go.sum", string(goSum))
	for name, content := range files {
		writeFile(t, dir, name, content)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

// notes is a generator of a text and a Go file for each kind.
type notes struct {
	name, dir string
	content   string
	err       error
}

func (n notes) Name() string { return n.name }

func (n notes) Dir() string { return n.dir }

func (n notes) Generate(api *informergen.API) ([]informergen.File, error) {
	var files []informergen.File
	for _, group := range api.Groups {
		for _, version := range group.Versions {
			for _, kind := range version.Kinds {
				files = append(files,
					informergen.File{Path: strings.ToLower(kind.Name) + ".txt", Content: []byte(n.content)},
					informergen.File{Path: "go/" + strings.ToLower(kind.Name) + ".go", Content: []byte("package notes\nimport \"fmt\"\nconst  " + kind.Name + "=1\n")})
			}
		}
	}
	return files, n.err
}

func TestGenerateWriteVerify(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes})
	cfg := informergen.Config{Dir: dir}
	result, err := informergen.Generate(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "pkg", "generated"), result.Dir)
	assert.Equal(t, "example.com/robots/pkg/generated", result.ImportPath)
	var paths []string
	for _, file := range result.Files {
		paths = append(paths, file.Path)
	}
	assert.Contains(t, paths, "clientset/versioned/clientset.go")
	assert.Contains(t, paths, "../../apis/fleet/v1/zz_generated.deepcopy.go")
	assert.False(t, exists(dir, "pkg"), "nothing is written yet")
	for _, change := range result.Changes() {
		assert.Equal(t, informergen.Create, change.Action, change.Name)
		assert.True(t, filepath.IsAbs(change.Name))
	}

	require.NoError(t, result.Write(t.Context()))
	assert.True(t, exists(dir, "pkg/generated/clientset/versioned/clientset.go"))
	assert.True(t, exists(dir, "apis/fleet/v1/zz_generated.deepcopy.go"))
	changes, err := informergen.Verify(t.Context(), cfg)
	require.NoError(t, err)
	assert.Empty(t, changes)

	lister := filepath.Join(result.Dir, "listers", "fleet", "v1", "robot.go")
	content, err := os.ReadFile(lister)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(lister, append(content, "// edited\n"...), 0o666))
	changes, err = informergen.Verify(t.Context(), cfg)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, informergen.Change{Action: informergen.Update, Name: lister, Old: append(content, "// edited\n"...), New: content}, changes[0])

	_, err = informergen.Generate(t.Context(), cfg)
	var diagnostics informergen.Diagnostics
	require.ErrorAs(t, err, &diagnostics)
	assert.Equal(t, "this generated file was edited", diagnostics[0].Message)
	cfg.Force = true
	result, err = informergen.Generate(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, result.Write(t.Context()))

	cfg.Skip = []string{"listers", "informers", "controller"}
	changes, err = informergen.Verify(t.Context(), cfg)
	require.NoError(t, err)
	assert.Empty(t, changes, "files of generators that do not run stay")
}

func TestViewOfTheAPI(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes})
	result, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir, PluralExceptions: map[string]string{"Robot": "RobotsAll"}})
	require.NoError(t, err)
	assert.Equal(t, "v0.37", result.API.ClientGo)
	require.Len(t, result.API.Groups, 1)
	group := result.API.Groups[0]
	assert.Equal(t, []string{"fleet.example.com", "Fleet"}, []string{group.Name, group.GoName})
	require.Len(t, group.Versions, 1)
	version := group.Versions[0]
	assert.Equal(t, []string{"v1", "V1", "example.com/robots/apis/fleet/v1"}, []string{version.Name, version.GoName, version.Package})
	require.Len(t, version.Kinds, 1)
	kind := version.Kinds[0]
	assert.Equal(t, []string{"fleet.example.com", "v1", "Robot", "RobotsAll", "robotsall"}, []string{kind.Group, kind.Version, kind.Name, kind.Plural, kind.Resource})
	assert.True(t, kind.Namespaced && kind.Controller && !kind.HasStatus)
	assert.Equal(t, "Robot moves things.\n\nIt does so day and night.", kind.Doc)
	assert.Equal(t, 13, kind.Pos.Line)
	assert.Equal(t, []string{"apps/v1.Deployment"}, kind.Owns)
	assert.Equal(t, "fleet.example.com/cleanup", kind.Finalizer)
	assert.Equal(t, []informergen.Method{{
		Name: "GetScale", Verb: "get", Subresource: "scale", Input: "example.com/robots/apis/fleet/v1.Robot", Result: "k8s.io/api/autoscaling/v1.Scale",
	}}, kind.Methods)
	assert.Contains(t, kind.Verbs, "apply")
	assert.NotContains(t, kind.Verbs, "updateStatus")
	assert.Equal(t, "resource", kind.Facts[0].Name)
	assert.Equal(t, "--plural-exceptions", kind.Facts[0].Because)
	kind.Facts[0].Value = "changed"
	assert.NotEmpty(t, version.Facts)
	var markers []string
	for _, m := range kind.Markers {
		markers = append(markers, m.Name)
	}
	assert.Equal(t, []string{"genclient", "genclient:method", "informergen:controller", "kubebuilder:object:root"}, markers)
	assert.Nil(t, kind.Fields, "no generator needs them")
}

// seen is a generator that keeps the API that it gets.
type seen struct{ api *informergen.API }

func (*seen) Name() string { return "seen" }

func (*seen) Dir() string { return "seen" }

func (s *seen) Generate(api *informergen.API) ([]informergen.File, error) {
	s.api = api
	return []informergen.File{{Path: "seen.txt", Content: []byte("seen\n")}}, nil
}

func TestFieldsForGenerators(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes})
	s := &seen{}
	result, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir, Only: []string{"seen"}, Generators: []informergen.Generator{s}})
	require.NoError(t, err)
	kind := s.api.Groups[0].Versions[0].Kinds[0]
	require.Len(t, kind.Fields, 3)
	for i := range kind.Fields {
		assert.Equal(t, 14+i+i/2, kind.Fields[i].Pos.Line)
		kind.Fields[i].Pos = token.Position{}
	}
	since := &kind.Fields[2].Fields[0]
	assert.Equal(t, []int{23, 24}, []int{since.Markers[0].Pos.Line, since.Pos.Line})
	since.Markers[0].Pos, since.Pos = token.Position{}, token.Position{}
	const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1."
	assert.Equal(t, []informergen.Field{
		{Name: "TypeMeta", Type: metav1 + "TypeMeta", Embedded: true, Inline: true},
		{Name: "ObjectMeta", JSONName: "metadata", Type: metav1 + "ObjectMeta", Embedded: true, Optional: true},
		{Name: "Spec", JSONName: "spec", Type: "example.com/robots/apis/fleet/v1.RobotSpec", Fields: []informergen.Field{{
			Name: "Since", JSONName: "since", Type: "*" + metav1 + "Time", Optional: true, Doc: "Since is when the robot starts.",
			Markers: []informergen.Marker{{Name: "kubebuilder:validation:Format", Value: "date-time"}},
		}}},
	}, kind.Fields)
	assert.Len(t, result.API.Groups[0].Versions[0].Kinds[0].Fields, 3)
}

func TestDiagnostics(t *testing.T) {
	dir := module(t, map[string]string{
		"apis/fleet/v1/types.go": strings.NewReplacer("// +genclient\n", "// +genclient\n// +genclient:nonNamespace\n", "type RobotList", "type BobotList").Replace(robotTypes),
	})
	_, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir})
	var diagnostics informergen.Diagnostics
	require.ErrorAs(t, err, &diagnostics)
	require.Len(t, diagnostics, 2)
	first := diagnostics[0]
	assert.Equal(t, filepath.Join(dir, "apis", "fleet", "v1", "types.go"), first.Pos.Filename)
	assert.Equal(t, []int{10, 4}, []int{first.Pos.Line, first.Pos.Column})
	assert.Equal(t, "unknown marker +genclient:nonNamespace", first.Message)
	assert.Equal(t, "did you mean +genclient:nonNamespaced?", first.Hint)
	assert.Equal(t, "type Robot has no list type RobotList", diagnostics[1].Message)
	assert.Equal(t, diagnostics[0].String()+"\n"+diagnostics[1].String(), err.Error())
	assert.False(t, exists(dir, "pkg"))
}

func TestWarnings(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes + "\n// +genclient\n"})
	cfg := informergen.Config{Dir: dir}
	result, err := informergen.Generate(t.Context(), cfg)
	require.NoError(t, err)
	require.Len(t, result.Warnings, 1)
	warning := result.Warnings[0]
	assert.True(t, warning.Warning)
	assert.Equal(t, "marker +genclient has no effect: it is not above a type", warning.Message)
	assert.Contains(t, warning.String(), "types.go:"+strconv.Itoa(warning.Pos.Line)+":4: warning: marker")

	cfg.Strict = true
	_, err = informergen.Generate(t.Context(), cfg)
	var diagnostics informergen.Diagnostics
	require.ErrorAs(t, err, &diagnostics)
	require.Len(t, diagnostics, 1)
	assert.False(t, diagnostics[0].Warning)
}

func TestConfigErrors(t *testing.T) {
	dir := module(t, nil)
	tests := map[string]struct {
		change func(*informergen.Config)
		field  string
		text   string
	}{
		"missing directory": {func(c *informergen.Config) { c.Dir = filepath.Join(dir, "none") }, "Dir", "no such file"},
		"a file":            {func(c *informergen.Config) { c.Dir = filepath.Join(dir, "go.mod") }, "Dir", "is not a directory"},
		"import path":       {func(c *informergen.Config) { c.OutputPkg = "a b" }, "OutputPkg", "malformed import path"},
		"directory":         {func(c *informergen.Config) { c.ListersDir = "../x" }, "ListersDir", `"../x" is not a relative path inside the output directory`},
		"unknown generator": {func(c *informergen.Config) { c.Only = []string{"lister"} }, "Only", `unknown generator "lister"`},
		"nothing left":      {func(c *informergen.Config) { c.Only, c.Skip = []string{"listers"}, []string{"listers"} }, "Only, Skip", "leave no generator"},
		"header":            {func(c *informergen.Config) { c.GoHeaderFile = "none.txt" }, "GoHeaderFile", "no such file"},
		"manifests":         {func(c *informergen.Config) { c.CRDDir = "none" }, "CRDDir", "no such file"},
		"plural":            {func(c *informergen.Config) { c.PluralExceptions = map[string]string{"a b": "C"} }, "PluralExceptions", `"a b:C" is not of the form Kind:Plural`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := informergen.Config{Dir: dir, Skip: []string{"applyconfiguration"}}
			test.change(&cfg)
			_, err := informergen.Verify(t.Context(), cfg)
			var problem *informergen.ConfigError
			require.ErrorAs(t, err, &problem)
			assert.Equal(t, test.field, problem.Field)
			assert.ErrorContains(t, problem, test.field+": ")
			assert.ErrorContains(t, problem, test.text)
		})
	}
}

// TestEveryFieldIsAnOption compares Config with the table of options.
func TestEveryFieldIsAnOption(t *testing.T) {
	noOptions := map[string]string{
		"Dir":        "the working directory of the command",
		"Packages":   "the arguments of the command",
		"Generators": "the command has no others than the built-in ones",
	}
	options := map[string]bool{}
	fields := reflect.TypeFor[informergen.Config]()
	for _, o := range option.Options {
		options[o.Field] = true
		_, ok := fields.FieldByName(o.Field)
		assert.Equal(t, o.Field != "ConfigFile", ok, "field %s of option %s", o.Field, o.Flag) // ReadConfig takes the name of the file
	}
	for field := range fields.Fields() {
		assert.NotEqual(t, options[field.Name], noOptions[field.Name] != "", "%s is either in option.Options or no option", field.Name)
	}
}

// TestConfigAndOptions converts a Config in which each option has a value, to a configuration file and back.
func TestConfigAndOptions(t *testing.T) {
	dir := module(t, nil)
	text := "packages: [./x]\n"
	for _, o := range option.Options {
		switch {
		case o.FlagOnly:
		case o.Kind == option.Switch || o.Kind == option.Decision:
			text += o.Flag + ": true\n"
		case o.Kind == option.List && o.Flag == "build-tags":
			text += o.Flag + ": [a, b]\n"
		case o.Kind == option.List && (o.Flag == "plural-exceptions" || o.Flag == option.GroupGoNamesKey):
			text += o.Flag + ": ['A:As', 'B:Bs']\n"
		case o.Flag == option.CRDOptionsKey || o.Flag == option.RBACOptionsKey:
			text += o.Flag + ": [year=2026]\n"
		case o.Flag == option.AllowedChangesKey:
			text += o.Flag + ": ['a removed: b']\n"
		case o.Kind == option.List:
			text += o.Flag + ": ['example.com/a.T:example.com/b']\n"
		case o.Kind == option.Generators:
			text += o.Flag + ": [" + map[string]string{"only": "listers", "skip": "informers"}[o.Flag] + "]\n"
		case len(o.Values) > 0 && o.Kind == option.Choices:
			text += o.Flag + ": [" + o.Values[0] + "]\n"
		case len(o.Values) > 0:
			text += o.Flag + ": " + o.Values[len(o.Values)-1] + "\n"
		case o.Flag == "client-go":
			text += o.Flag + ": v0.35\n"
		default:
			text += o.Flag + ": x/" + o.Flag + "\n"
		}
	}
	name := filepath.Join(dir, ".informer-gen.yaml")
	writeFile(t, dir, ".informer-gen.yaml", text)
	configs, err := informergen.ReadConfig(name)
	require.NoError(t, err)
	require.Len(t, configs, 1)
	fields := reflect.ValueOf(configs[0])
	for _, o := range option.Options {
		if field := fields.FieldByName(o.Field); field.IsValid() && (!o.FlagOnly || o.Kind != option.Files) {
			assert.False(t, field.IsZero(), "%s in\n%s", o.Field, text)
		}
	}
	want, err := config.Parse(name, []byte(text))
	require.NoError(t, err)
	got, err := informergen.Options(configs[0])
	require.NoError(t, err)
	assert.Equal(t, want[0].Values, got.Values)
}

func TestReadConfig(t *testing.T) {
	dir := module(t, map[string]string{
		"apis/fleet/v1/types.go": robotTypes,
		".informer-gen.yaml": `
go-header-file: hack/header.txt
plural-exceptions: ["Fish:Fish"]
outputs:
  - packages: [./apis/...]
    output-dir: gen
    only: [clientset, register, deepcopy]
  - packages: [./more/...]
    output-dir: more
    applyconfiguration-dir: apply
    external-applyconfigurations: ["example.com/x.T:example.com/x/apply"]
`,
	})
	configs, err := informergen.ReadConfig(filepath.Join(dir, ".informer-gen.yaml"))
	require.NoError(t, err)
	require.Len(t, configs, 2)
	assert.Equal(t, []string{"./apis/..."}, configs[0].Packages)
	assert.Equal(t, filepath.Join(dir, "gen"), configs[0].OutputDir)
	assert.Equal(t, filepath.Join(dir, "hack", "header.txt"), configs[1].GoHeaderFile)
	assert.Equal(t, map[string]string{"Fish": "Fish"}, configs[1].PluralExceptions)
	assert.Equal(t, map[string]string{"example.com/x.T": "example.com/x/apply"}, configs[1].ExternalApplyConfigurations)
	assert.Equal(t, "apply", configs[1].ApplyConfigurationDir)

	configs[0].GoHeaderFile = ""
	result, err := informergen.Generate(t.Context(), configs[0])
	require.NoError(t, err)
	require.NoError(t, result.Write(t.Context()))
	assert.True(t, exists(dir, "gen/clientset/versioned/clientset.go"))
	assert.False(t, exists(dir, "gen/listers"))

	writeFile(t, dir, ".informer-gen.yaml", "only: [lister]\n")
	_, err = informergen.ReadConfig(filepath.Join(dir, ".informer-gen.yaml"))
	var diagnostics informergen.Diagnostics
	require.ErrorAs(t, err, &diagnostics)
	assert.Equal(t, []int{1, 7}, []int{diagnostics[0].Pos.Line, diagnostics[0].Pos.Column})
}

func TestGeneratorThatIsNotBuiltIn(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes, "hack/header.txt": "// Copyright\n"})
	cfg := informergen.Config{
		Dir: dir, OutputDir: "gen", GoHeaderFile: "hack/header.txt", Only: []string{"notes"},
		Generators: []informergen.Generator{notes{name: "notes", dir: "docs/notes", content: "first\r\n"}},
	}
	write := func() []informergen.Change {
		t.Helper()
		result, err := informergen.Generate(t.Context(), cfg)
		require.NoError(t, err)
		changes := result.Changes()
		require.NoError(t, result.Write(t.Context()))
		return changes
	}
	read := func(name string) string {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		return string(content)
	}
	write()
	assert.Equal(t, "first\n", read("gen/docs/notes/robot.txt"))
	assert.Equal(t, "// Copyright\n\n// Code generated by informer-gen-lite. DO NOT EDIT.\n\npackage notes\n\nconst Robot = 1\n", read("gen/docs/notes/go/robot.go"))
	assert.False(t, exists(dir, "gen/clientset"))
	assert.Empty(t, write(), "nothing changes the second time")

	cfg.Generators = []informergen.Generator{notes{name: "notes", dir: "docs/notes", content: "second\n"}}
	changes := write()
	require.Len(t, changes, 2, "the file and the manifest")
	assert.Equal(t, "second\n", read("gen/docs/notes/robot.txt"))

	writeFile(t, dir, "gen/docs/notes/robot.txt", "edited\n")
	_, err := informergen.Generate(t.Context(), cfg)
	assert.ErrorContains(t, err, "robot.txt: this generated file was edited")
	writeFile(t, dir, "gen/docs/notes/robot.txt", "second\n")

	writeFile(t, dir, "gen/docs/notes/handwritten.txt", "mine\n")
	writeFile(t, dir, "apis/fleet/v1/types.go", strings.NewReplacer("Robot", "Droid", "RobotList", "DroidList").Replace(robotTypes))
	write()
	assert.False(t, exists(dir, "gen/docs/notes/robot.txt"), "a stale file is removed")
	assert.False(t, exists(dir, "gen/docs/notes/go/robot.go"))
	assert.True(t, exists(dir, "gen/docs/notes/droid.txt"))
	assert.Equal(t, "mine\n", read("gen/docs/notes/handwritten.txt"), "handwritten files stay")

	cfg.Only, cfg.Skip = nil, []string{"notes", "applyconfiguration", "controller"}
	write()
	assert.True(t, exists(dir, "gen/docs/notes/droid.txt"), "files of a generator that does not run stay")
	assert.True(t, exists(dir, "gen/clientset"))
}

func TestHandwrittenFileInTheWay(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes, "gen/notes/robot.txt": "mine\n"})
	_, err := informergen.Generate(t.Context(), informergen.Config{
		Dir: dir, OutputDir: "gen", Only: []string{"notes"}, Generators: []informergen.Generator{notes{name: "notes", dir: "notes", content: "x"}},
	})
	assert.ErrorContains(t, err, "robot.txt: a handwritten file is in the way of a generated file")
}

func TestGeneratorMistakes(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes})
	failed := errors.New("failed")
	tests := map[string]struct {
		generators []informergen.Generator
		want       string
	}{
		"error":                {[]informergen.Generator{notes{name: "notes", dir: "notes", err: failed}}, "generator notes: failed"},
		"name of another":      {[]informergen.Generator{notes{name: "listers", dir: "notes"}}, "duplicate generator listers"},
		"the same name twice":  {[]informergen.Generator{notes{name: "a", dir: "a"}, notes{name: "a", dir: "b"}}, "duplicate generator a"},
		"no name":              {[]informergen.Generator{notes{dir: "notes"}}, `invalid generator name ""`},
		"no directory":         {[]informergen.Generator{notes{name: "notes"}}, `generator notes: "" is not a relative path inside the output directory`},
		"outside":              {[]informergen.Generator{notes{name: "notes", dir: "../notes"}}, `generator notes: "../notes" is not a relative path inside the output directory`},
		"directory of another": {[]informergen.Generator{notes{name: "notes", dir: "listers/notes"}}, "generator notes: another generator writes to listers"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir, Skip: []string{"applyconfiguration", "controller"}, Generators: test.generators})
			assert.EqualError(t, err, test.want)
		})
	}
	_, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir, Generators: []informergen.Generator{notes{name: "notes", dir: "notes", err: failed}}})
	assert.ErrorIs(t, err, failed)
}

func TestCanceled(t *testing.T) {
	dir := module(t, map[string]string{"apis/fleet/v1/types.go": robotTypes})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := informergen.Generate(ctx, informergen.Config{Dir: dir})
	assert.ErrorIs(t, err, context.Canceled)
}
