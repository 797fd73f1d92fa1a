package module

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

func TestLibrarySource(t *testing.T) {
	here, err := filepath.Abs("library_test.go")
	require.NoError(t, err)
	dir, err := filepath.Abs("../../../runtime")
	require.NoError(t, err)
	const pseudo, sum = "v0.0.0-20260102030405-0123456789ab", "h1:x"
	main := func(version, sum string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: tool, Version: version, Sum: sum}}
	}
	dependency := func(m debug.Module) *debug.BuildInfo {
		m.Path = tool
		return &debug.BuildInfo{
			Main: debug.Module{Path: "example.com/m", Version: "v9.0.0"},
			Deps: []*debug.Module{{Path: "example.com/other", Version: "v8.0.0"}, &m},
		}
	}
	gone := filepath.Join(t.TempDir(), "internal/core/module/library.go")
	for name, test := range map[string]struct {
		info *debug.BuildInfo
		file string
		want LibrarySource
	}{
		"clone":                       {main("(devel)", ""), here, LibrarySource{Dir: dir}},
		"clone with a version":        {main("v1.2.3", ""), here, LibrarySource{Dir: dir}},
		"clone with a pseudo-version": {main(pseudo, ""), here, LibrarySource{Dir: dir}},
		"clone, -trimpath":            {main("(devel)", ""), tool + "/internal/core/module/library.go", LibrarySource{}},
		"clone that is gone":          {main("(devel)", ""), gone, LibrarySource{}},
		"no build info":               {nil, here, LibrarySource{Dir: dir}},
		"release":                     {main("v1.2.3", sum), gone, LibrarySource{Version: "v1.2.3"}},
		"prerelease":                  {main("v1.2.3-rc.1", sum), gone, LibrarySource{Version: "v1.2.3-rc.1"}},
		"pseudo-version":              {main(pseudo, sum), gone, LibrarySource{Version: "0123456789ab"}},
		"after a release":             {main("v1.2.4-0.20260102030405-0123456789ab", sum), gone, LibrarySource{Version: "0123456789ab"}},
		"dependency":                  {dependency(debug.Module{Version: "v1.2.3"}), gone, LibrarySource{Version: "v1.2.3"}},
		"dependency, pseudo-version":  {dependency(debug.Module{Version: pseudo}), gone, LibrarySource{Version: "0123456789ab"}},
		"replaced by a clone":         {dependency(debug.Module{Version: "v1.2.3", Replace: &debug.Module{Path: "../clone"}}), here, LibrarySource{Dir: dir}},
		"replaced by a version":       {dependency(debug.Module{Version: "v1.2.3", Replace: &debug.Module{Path: tool, Version: "v1.2.4"}}), gone, LibrarySource{Version: "v1.2.4"}},
		"workspace":                   {dependency(debug.Module{Version: "(devel)"}), here, LibrarySource{Dir: dir}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, librarySource(test.info, test.file))
		})
	}
	assert.Equal(t, LibrarySource{Dir: dir}, ThisLibrary(), "tests run in a clone")
}

func TestGetLibrary(t *testing.T) {
	const informer, rest = Library + "/informer", "k8s.io/client-go/rest"
	clone, release, commit := LibrarySource{Dir: "/src/runtime"}, LibrarySource{Version: "v1.2.3"}, LibrarySource{Version: "0123456789ab"}
	edit := func(dir string) []string {
		return []string{"mod", "edit", "-require=" + Library + "@v0.0.0", "-replace=" + Library + "=" + dir,
			"-require=" + LibraryMetrics + "@v0.0.0", "-replace=" + LibraryMetrics + "=" + dir + "/metrics"}
	}
	for name, test := range map[string]struct {
		lacking []string
		version string
		library LibrarySource
		edit    []string
		get     []string
	}{
		"clone":                 {[]string{informer, rest}, "v0.37.2", clone, edit("/src/runtime"), []string{"get", "k8s.io/client-go@v0.37.2", "./..."}},
		"clone, -trimpath":      {[]string{informer, rest}, "v0.37.2", LibrarySource{}, edit("DIR"), []string{"get", "k8s.io/client-go@v0.37.2", "./..."}},
		"release":               {[]string{informer, rest}, "v0.37.2", release, nil, []string{"get", Library + "@v1.2.3", "k8s.io/client-go@v0.37.2", "./..."}},
		"commit":                {[]string{informer}, "v0.37.2", commit, nil, []string{"get", Library + "@0123456789ab", "./..."}},
		"what it requires":      {[]string{informer, rest}, libraryClientGo, release, nil, []string{"get", Library + "@v1.2.3", "k8s.io/client-go@" + libraryClientGo, "./..."}},
		"less than it requires": {[]string{informer, rest}, "v0.36.0", release, nil, []string{"get", Library + "@v1.2.3", "./..."}},
		"metrics": {[]string{informer, LibraryMetrics, rest}, "v0.37.2", clone,
			edit("/src/runtime"), []string{"get", "k8s.io/client-go@v0.37.2", "./..."}},
		"metrics of a release": {[]string{LibraryMetrics}, "v0.37.2", release, nil,
			[]string{"get", Library + "@v1.2.3", LibraryMetrics + "@v1.2.3", "./..."}},
		"not missing": {[]string{rest}, "v0.36.0", clone, nil, []string{"get", "k8s.io/client-go@v0.36.0", "./..."}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.edit, Edit(test.lacking, test.library))
			assert.Equal(t, test.get, Get(test.lacking, test.version, test.library))
		})
	}
}

// TestLibraryClientGo compares the version of client-go that the library requires with its go.mod.
func TestLibraryClientGo(t *testing.T) {
	text, err := os.ReadFile("../../../runtime/go.mod")
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	assert.Equal(t, Library, file.Module.Mod.Path)
	assert.Equal(t, libraryClientGo, requiredVersion(file, clientGo))
}

// TestLibraryRequirements: the library requires client-go and what client-go requires, with the Go version of that release, so that it
// adds no module to those that users have anyway. A module of this repository would not exist for them.
func TestLibraryRequirements(t *testing.T) {
	text, err := os.ReadFile("../../../runtime/go.mod")
	require.NoError(t, err)
	ours, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", clientGo+"@"+libraryClientGo).Output()
	require.NoError(t, err)
	var downloaded struct{ GoMod string }
	require.NoError(t, json.Unmarshal(out, &downloaded))
	text, err = os.ReadFile(downloaded.GoMod)
	require.NoError(t, err)
	theirs, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	assert.Equal(t, theirs.Go.Version, ours.Go.Version)
	assert.Empty(t, ours.Replace)
	require.NotEmpty(t, ours.Require)
	for _, r := range ours.Require {
		if r.Mod.Path != clientGo {
			assert.NotEmpty(t, requiredVersion(theirs, r.Mod.Path), "%s", r.Mod.Path)
		}
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"-replace=a.b/c=/src/x_y": "-replace=a.b/c=/src/x_y", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "": "''", "/ä": "'/ä'",
	} {
		assert.Equal(t, want, Quote(word))
	}
}
