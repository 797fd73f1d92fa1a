package module

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

func TestParseRelease(t *testing.T) {
	for given, want := range map[string]Release{
		"v0.35":   {Target: model.Target{Minor: 35}, Version: "v0.35", Because: "--client-go v0.35"},
		"0.33":    {Target: model.Target{Minor: 33}, Version: "v0.33", Because: "--client-go 0.33"},
		"v0.36.4": {Target: model.Target{Minor: 36}, Version: "v0.36.4", Because: "--client-go v0.36.4"},
		"v0.99":   {Target: model.NewestTarget, Version: "v0.99", Because: "--client-go v0.99", TooNew: true},
	} {
		got, err := ParseRelease(given)
		require.NoError(t, err, given)
		assert.Equal(t, want, got)
	}
	for given, want := range map[string]string{
		"":            `invalid release "", want a version such as v0.37`,
		"latest":      `invalid release "latest", want a version such as v0.37`,
		"v1.35":       `invalid release "v1.35", want a version such as v0.37`,
		"v0.36.0-rc1": `invalid release "v0.36.0-rc1", want a version such as v0.37`,
		"v0.32":       "v0.32 is older than v0.33, the oldest supported release",
	} {
		_, err := ParseRelease(given)
		assert.EqualError(t, err, want, given)
	}
}

// moduleWith writes a go.mod, and the files of a release of client-go to the directory fork.
func moduleWith(t *testing.T, goMod string, fork map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666))
	for name, text := range fork {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	return dir
}

func TestReleaseOf(t *testing.T) {
	const start = "module example.com/m\n\ngo 1.24\n\n"
	forkOf34 := map[string]string{
		"fork/go.mod":                   "module k8s.io/client-go\n\nrequire sigs.k8s.io/structured-merge-diff/v6 v6.3.0\n",
		"fork/tools/cache/listwatch.go": "package cache\n\ntype ListWatch struct{ ListWithContextFunc func() }\n",
	}
	vendoredOf36 := map[string]string{
		"vendor/modules.txt":                              "",
		"vendor/k8s.io/client-go/tools/cache/identity.go": "package cache\n\ntype InformerName struct{}\n",
	}
	for name, test := range map[string]struct {
		goMod string
		fork  map[string]string
		// want is the result of Release.String, and line its line in go.mod; otherwise err is part of the error.
		want string
		line int
		err  string
	}{
		"required":         {goMod: start + "require k8s.io/client-go v0.35.4\n", want: "v0.35 (k8s.io/client-go v0.35.4 in go.mod)", line: 5},
		"indirect":         {goMod: start + "require (\n\tk8s.io/client-go v0.34.0 // indirect\n)\n", want: "v0.34 (k8s.io/client-go v0.34.0 in go.mod)", line: 6},
		"newer than known": {goMod: start + "require k8s.io/client-go v0.99.1\n", want: model.NewestTarget.String() + " (the newest known, older than k8s.io/client-go v0.99.1 in go.mod)", line: 5},
		"too old":          {goMod: start + "require k8s.io/client-go v0.32.9\n", err: "go.mod:5:1: k8s.io/client-go v0.32.9 is older than v0.33, the oldest supported release"},
		"long ago":         {goMod: start + "require k8s.io/client-go v11.0.0+incompatible\n", err: "k8s.io/client-go v11.0.0+incompatible is older than v0.33"},
		"replaced": {goMod: start + "require k8s.io/client-go v0.37.0\n\nreplace k8s.io/client-go => k8s.io/client-go v0.33.2\n",
			want: "v0.33 (k8s.io/client-go v0.37.0 => k8s.io/client-go v0.33.2 in go.mod)", line: 7},
		"another version replaced": {goMod: start + "require k8s.io/client-go v0.37.0\n\nreplace k8s.io/client-go v0.36.0 => k8s.io/client-go v0.33.2\n",
			want: "v0.37 (k8s.io/client-go v0.37.0 in go.mod)", line: 5},
		"replaced by a directory": {goMod: start + "require k8s.io/client-go v0.0.0\n\nreplace k8s.io/client-go => ./fork\n", fork: forkOf34,
			want: "v0.34 (k8s.io/client-go v0.0.0 => ./fork in go.mod)", line: 7},
		"release candidate": {goMod: start + "require k8s.io/client-go v0.36.0-rc.0\n", want: "v0.36 (k8s.io/client-go v0.36.0-rc.0 in go.mod)", line: 5},
		"vendored alpha": {goMod: start + "require k8s.io/client-go v0.36.0-alpha.3\n", fork: vendoredOf36,
			want: "v0.36 (k8s.io/client-go v0.36.0-alpha.3 in go.mod)", line: 5},
		"vendored fork": {goMod: start + "require k8s.io/client-go v0.37.0\n\nreplace k8s.io/client-go => example.com/fork v1.36.1-x\n", fork: vendoredOf36,
			want: "v0.36 (k8s.io/client-go v0.37.0 => example.com/fork v1.36.1-x in go.mod)", line: 7},
		"vendored fork of v0.34": {goMod: start + "require k8s.io/client-go v0.0.0\n\nreplace k8s.io/client-go => example.com/fork v1.34.1-x\n", fork: map[string]string{
			"vendor/modules.txt": "",
			"vendor/k8s.io/client-go/tools/cache/listwatch.go":                 "package cache\n\ntype ListWatch struct{ ListWithContextFunc func() }\n",
			"vendor/k8s.io/client-go/applyconfigurations/internal/internal.go": "package internal\n\nimport _ \"sigs.k8s.io/structured-merge-diff/v6/typed\"\n",
		}, want: "v0.34 (k8s.io/client-go v0.0.0 => example.com/fork v1.34.1-x in go.mod)", line: 7},
		"replaced by an unknown directory": {goMod: start + "require k8s.io/client-go v0.0.0\n\nreplace k8s.io/client-go => ./fork\n",
			err: "cannot determine the release of client-go, or it is older than v0.33: k8s.io/client-go v0.0.0 => ./fork"},
		"only apimachinery": {goMod: start + "require k8s.io/apimachinery v0.35.4\n", want: "v0.35 (k8s.io/apimachinery v0.35.4 in go.mod)", line: 5},
		"nothing required":  {goMod: start, want: "v0.37 (the newest release, because go.mod requires no k8s.io/client-go)"},
		"client-go itself": {goMod: "module k8s.io/client-go\n\nrequire sigs.k8s.io/structured-merge-diff/v6 v6.3.0\n",
			fork: map[string]string{"tools/cache/x.go": "package cache\n\nfunc ToListWatcherWithWatchListSemantics() {}\n"}, want: "v0.35 (the module is k8s.io/client-go)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			got, err := ReleaseOf(t.Context(), moduleWith(t, test.goMod, test.fork))
			if test.err != "" {
				var diags diag.List
				require.ErrorAs(t, err, &diags)
				assert.ErrorContains(t, err, test.err)
				assert.Contains(t, diags[0].Hint, "--client-go")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, got.String())
			assert.Equal(t, test.line, got.Pos.Line)
		})
	}
	got, err := ReleaseOf(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, "v0.37 (the newest release, because there is no go.mod)", got.String())
	_, err = ReleaseOf(t.Context(), moduleWith(t, "modul", nil))
	assert.ErrorContains(t, err, "go.mod:1: unknown directive: modul")
}

// TestOfWorkspace compares with the version that the go command chooses for all modules of a workspace.
func TestOfWorkspace(t *testing.T) {
	dir := moduleWith(t, "module example.com/old\n\ngo 1.24\n\nrequire k8s.io/client-go v0.33.13\n", map[string]string{
		"go.work":      "go 1.24\n\nuse (\n\t.\n\t./newer\n)\n",
		"newer/go.mod": "module example.com/newer\n\ngo 1.24\n\nrequire k8s.io/client-go v0.34.13\n",
	})
	got, err := ReleaseOf(t.Context(), dir)
	require.NoError(t, err)
	assert.Equal(t, "v0.34 (k8s.io/client-go v0.34.13)", got.String())
	t.Setenv("GOWORK", "off")
	got, err = ReleaseOf(t.Context(), dir)
	require.NoError(t, err)
	assert.Equal(t, "v0.33 (k8s.io/client-go v0.33.13 in go.mod)", got.String())
}

// TestOfGoCommand compares the result for go.mod with that of the go command, in the modules that output is tested in.
func TestOfGoCommand(t *testing.T) {
	for _, target := range model.Targets() {
		dir := "../../../testdata/targets/" + target.String()
		if target == model.DefaultTarget {
			dir = "../../.."
		}
		dir, err := filepath.Abs(dir)
		require.NoError(t, err)
		download := exec.CommandContext(t.Context(), "go", "mod", "download", clientGo)
		download.Dir = dir
		out, err := download.CombinedOutput()
		require.NoError(t, err, "%s", out)
		got, err := ReleaseOf(t.Context(), dir)
		require.NoError(t, err)
		assert.Equal(t, target, got.Target)
		asked, err := ask(t.Context(), dir, clientGo)
		require.NoError(t, err)
		assert.Equal(t, asked.version, got.Version)
		// The declarations in its source indicate the same release.
		probed, err := inDirectory(asked.dir, Release{})
		require.NoError(t, err)
		assert.Equal(t, target, probed.Target)
		missing, err := ask(t.Context(), dir, "example.com/not/required")
		require.NoError(t, err)
		assert.Empty(t, missing.version)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ask(ctx, ".", clientGo)
	assert.ErrorContains(t, err, "module "+clientGo+": go list: ")
}

func TestComplete(t *testing.T) {
	dir := moduleWith(t, "module example.com/m\n\ngo 1.16\n\nrequire k8s.io/client-go v0.33.13\n", nil)
	got, err := ReleaseOf(t.Context(), dir)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(got.String(), "v0.33 (k8s.io/client-go v0.33.13)"), "asked of the go command: %s", got)
}
