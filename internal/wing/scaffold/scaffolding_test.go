package scaffold

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

func TestReplacements(t *testing.T) {
	file, err := modfile.Parse("go.mod", []byte(`module example.com/base

replace example.com/other v1.2.0 => "../other one"

replace example.com/absolute => "/src/absolute one"

replace example.com/forked => example.com/fork v1.0.0

replace k8s.io/client-go => k8s.io/client-go v0.33.0
`), nil)
	require.NoError(t, err)
	assert.Equal(t, []scaffold.Replacement{
		{Old: "example.com/other v1.2.0", New: "../other one", Relative: true},
		{Old: "example.com/absolute", New: `"/src/absolute one"`},
		{Old: "example.com/forked", New: "example.com/fork v1.0.0"},
	}, replacements(file))
}

func TestWithClone(t *testing.T) {
	other := scaffold.Replacement{Old: "example.com/api", New: "./api", Relative: true}
	own := scaffold.Replacement{Old: module.Library, New: "../clone/runtime", Relative: true}
	clone := module.LibrarySource{Dir: "/src/runtime"}
	library := scaffold.Replacement{Old: module.Library, New: "/src/runtime"}
	metrics := scaffold.Replacement{Old: module.LibraryMetrics, New: "/src/runtime/metrics"}
	server := scaffold.Replacement{Old: module.TestServer, New: "/src/apiservertest"}
	assert.Equal(t, []scaffold.Replacement{other, library, metrics, server}, withClone([]scaffold.Replacement{other}, clone))
	assert.Equal(t, []scaffold.Replacement{own, metrics, server}, withClone([]scaffold.Replacement{own}, clone), "what is there stays")
	assert.Equal(t, []scaffold.Replacement{own, server, metrics}, withClone([]scaffold.Replacement{own, server}, clone), "what is there stays")
	assert.Empty(t, withClone(nil, module.LibrarySource{Version: "v1.2.3"}), "they are in module proxies")
	assert.Empty(t, withClone(nil, module.LibrarySource{}))
}

func TestWriteOnce(t *testing.T) {
	dir := t.TempDir()
	file := render.File{Path: "config/a.yaml", Content: []byte("a")}
	for _, want := range []bool{true, false} {
		written, err := WriteOnce(t.Context(), dir, file)
		require.NoError(t, err)
		assert.Equal(t, want, written)
		file.Content = []byte("b")
	}
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
	assert.EqualError(t, err, "two kinds need different contents of a: scaffold them in different directories")
}

// TestOperatorIn keeps the name of a command that somebody renamed.
func TestOperatorIn(t *testing.T) {
	dir := t.TempDir()
	assert.Equal(t, "robot-controller", operatorIn(dir, "example.com/robot-controller"))
	for command, main := range map[string]string{"client": "func main() {}", "robots": "func main() { manager.Main(nil) }"} {
		file := render.File{Path: "cmd/" + command + "/main.go", Content: []byte(main)}
		_, err := WriteOnce(t.Context(), dir, file)
		require.NoError(t, err)
	}
	assert.Equal(t, "robots", operatorIn(dir, "example.com/robot-controller"))
}

func TestSelectControlled(t *testing.T) {
	first, second := &run.API{}, &run.API{}
	first.Resolved.API, second.Resolved.API = sampleAPI(), sampleAPI()
	second.Resolved.API.Groups[0].Name = "apps.example.com"
	kinds := second.Resolved.API.Kinds()
	kinds[0].Name, kinds[0].Controller = "Leg", nil
	second.Resolved.Kinds = map[*model.Kind]*resolve.Origin{kinds[0]: {}}
	apis := []*run.API{first, second}
	for name, test := range map[string]struct {
		names []string
		want  []string
		err   string
	}{
		"by its name":          {[]string{"Arm"}, []string{"fleet.example.com/v1.Arm"}, ""},
		"twice":                {[]string{"Arm", "Arm"}, []string{"fleet.example.com/v1.Arm"}, ""},
		"by its full name":     {[]string{"apps.example.com/v1.Robot"}, []string{"apps.example.com/v1.Robot"}, ""},
		"ambiguous":            {[]string{"Robot"}, nil, "ambiguous kind Robot\n\twrite one of fleet.example.com/v1.Robot, apps.example.com/v1.Robot"},
		"without a controller": {[]string{"Leg"}, nil, "kind Leg has no controller\n\tadd // +informergen:controller"},
		"misspelled":           {[]string{"Armm"}, nil, "no kind Armm with a controller\n\tdid you mean Arm?"},
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

// sampleAPI returns an API with two kinds that have controllers.
func sampleAPI() *model.API {
	version := &model.Version{Name: "v1", Group: &model.Group{Name: "fleet.example.com"}}
	for _, name := range []string{"Arm", "Robot"} {
		version.Kinds = append(version.Kinds, &model.Kind{Name: name, Version: version, Controller: &model.Controller{}})
	}
	version.Group.Versions = []*model.Version{version}
	return &model.API{Groups: []*model.Group{version.Group}}
}
