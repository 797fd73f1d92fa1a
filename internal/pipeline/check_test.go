package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

func runWith(dir string, files ...render.File) Run {
	return Run{API: &API{Place: config.Place{Dir: dir}}, Files: files}
}

func TestDisagreements(t *testing.T) {
	file := func(path, content string) render.File { return render.File{Path: path, Content: []byte(content)} }
	for name, test := range map[string]struct {
		runs []Run
		want string
	}{
		"one run":             {[]Run{runWith("/m/a", file("x.go", "1"))}, ""},
		"different files":     {[]Run{runWith("/m/a", file("x.go", "1")), runWith("/m/b", file("x.go", "2"))}, ""},
		"the same content":    {[]Run{runWith("/m/a", file("../x.go", "1")), runWith("/m/b", file("../x.go", "1"))}, ""},
		"different content":   {[]Run{runWith("/m/a", file("../x.go", "1")), runWith("/m/b", file("../x.go", "2"))}, "/m/x.go: two outputs would write different contents to this file"},
		"at different depths": {[]Run{runWith("/m/a", file("../x.go", "1")), runWith("/m/b/c", file("../../x.go", "2"))}, "/m/x.go: two outputs would write different contents to this file"},
	} {
		t.Run(name, func(t *testing.T) {
			diags := disagreements(test.runs)
			if test.want == "" {
				assert.Empty(t, diags)
				return
			}
			require.Len(t, diags, 1)
			assert.Contains(t, diags[0].String(), test.want)
		})
	}
}

func TestSourceDirs(t *testing.T) {
	main := &load.Module{Dir: "/m", Main: true}
	loaded := &load.Result{Packages: []*load.Package{
		{Path: "example.com/m/api/v1", Dir: "/m/api/v1", Module: main},
		{Path: "example.com/m/gen/v1", Dir: "/m/gen/v1", Module: main},
		{Path: "example.org/lib/v1", Dir: "/cache/lib/v1", Module: &load.Module{Dir: "/cache/lib"}},
		{Path: "time", Dir: "/go/src/time"},
	}}
	dirs, err := sourceDirs(config.Place{Dir: "/m/gen"}, loaded)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"example.com/m/api/v1": "../api/v1", "example.com/m/gen/v1": "v1"}, dirs)

	names := []string{"zz_generated.deepcopy.go", "zz_generated.register.go"}
	assert.Equal(t, []output.Beside{{Dir: "../api/v1", Module: "/m", Names: names}, {Dir: "v1", Module: "/m", Names: names}},
		beside(&API{Loaded: loaded, Layout: model.Layout{SourceDirs: dirs}}))
}

func TestPlanOptions(t *testing.T) {
	flags := config.Default()
	flags.Only, flags.ApplyConfigurationPackage = []string{"clientset", "register"}, "example.com/m/gen/apply"
	opts, err := flags.Options("/m", nil)
	require.NoError(t, err)
	api := &API{Options: opts, Place: config.Place{Dir: "/m/gen", ImportPath: "example.com/m/gen"}}
	got := api.planOptions(Settings{Writes: true})
	assert.Equal(t, []string{"clientset/versioned"}, got.Owned)
	assert.Contains(t, got.Other, "apply", "clients need what is there")
	assert.Equal(t, []string{"zz_generated.register.go"}, got.Beside)
	assert.False(t, got.Force)
	assert.True(t, api.planOptions(Settings{}).Force, "a run that is not applied shows edited files like others that differ")
}

func TestMissingFilesOfOptions(t *testing.T) {
	for flag, opts := range map[string]config.Options{
		"go-header-file": {HeaderFile: "nope"},
		"crd-dir":        {CRDDir: "nope"},
		"openapi-schema": {OpenAPI: "nope"},
	} {
		opts.Load.Dir = t.TempDir()
		_, err := readBoilerplate(opts)
		if err == nil {
			_, err = resolveOptions(opts)
		}
		var problem *config.FlagError
		require.ErrorAs(t, err, &problem, flag)
		assert.Equal(t, []string{flag}, problem.Flags)
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
}

func TestWriteOnce(t *testing.T) {
	dir := t.TempDir()
	file := render.File{Path: "config/a.yaml", Content: []byte("a")}
	for _, want := range []Outcome{Written, Kept} {
		got, err := WriteOnce(dir, file)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	file.Content = []byte("b")
	got, err := WriteOnce(dir, file)
	require.NoError(t, err)
	assert.Equal(t, KeptOther, got)
	content, err := os.ReadFile(filepath.Join(dir, "config", "a.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "a", string(content))
}

func TestOnce(t *testing.T) {
	a, b := render.File{Path: "a", Content: []byte("1")}, render.File{Path: "b", Content: []byte("1")}
	files, err := once([]render.File{a, b, a})
	require.NoError(t, err)
	assert.Equal(t, []render.File{a, b}, files)
	_, err = once([]render.File{a, {Path: "a", Content: []byte("2")}})
	assert.EqualError(t, err, "a would be written for two kinds: scaffold them in different directories")
}

func TestSelectControlled(t *testing.T) {
	first, second := &API{}, &API{}
	first.Resolved.API, second.Resolved.API = sampleAPI(), sampleAPI()
	second.Resolved.API.Groups[0].Name = "apps.example.com"
	kinds := second.Resolved.API.Kinds()
	kinds[0].Name, kinds[0].Controller = "Leg", nil
	apis := []*API{first, second}
	for name, test := range map[string]struct {
		names []string
		want  []string
		err   string
	}{
		"by its name":          {[]string{"Arm"}, []string{"fleet.example.com/v1.Arm"}, ""},
		"twice":                {[]string{"Arm", "Arm"}, []string{"fleet.example.com/v1.Arm"}, ""},
		"by its full name":     {[]string{"apps.example.com/v1.Robot"}, []string{"apps.example.com/v1.Robot"}, ""},
		"ambiguous":            {[]string{"Robot"}, nil, "several kinds are called Robot\n\twrite one of fleet.example.com/v1.Robot, apps.example.com/v1.Robot"},
		"without a controller": {[]string{"Leg"}, nil, "kind Leg has no controller\n\tadd // +informergen:controller"},
		"misspelt":             {[]string{"Armm"}, nil, "there is no kind Armm with a controller\n\tdid you mean Arm?"},
	} {
		t.Run(name, func(t *testing.T) {
			selected, err := selectControlled(apis, test.names)
			if test.err != "" {
				require.EqualError(t, err, test.err)
				return
			}
			require.NoError(t, err)
			var got []string
			for _, c := range selected {
				got = append(got, c.Kind.FullName())
			}
			assert.Equal(t, test.want, got)
		})
	}
}
