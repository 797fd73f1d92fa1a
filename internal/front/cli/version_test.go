package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
)

func TestVersion(t *testing.T) {
	code, stdout, _ := execute(t, t.TempDir(), "version")
	assert.Equal(t, exitDone, code)
	assert.Regexp(t, `^informer-gen-lite \S.*\nclient-go v0\.33 to v0\.\d+\n$`, stdout)
}

// TestVersionInModule tests the release for which output in a module is generated, and how it is printed.
func TestVersionInModule(t *testing.T) {
	dir := bareModule(t, "\nrequire k8s.io/client-go v0.35.4\n")
	code, stdout, _ := execute(t, dir, "version")
	assert.Equal(t, exitDone, code)
	assert.Contains(t, stdout, "\nhere v0.35 (k8s.io/client-go v0.35.4 in go.mod)\n")

	dir = bareModule(t, "\nrequire k8s.io/client-go v0.1.0\n")
	code, _, stderr := execute(t, dir, "version")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "go.mod:5:1: k8s.io/client-go v0.1.0 is older than v0.33")

	// A release that does not exist yet.
	next := model.Target{Minor: model.NewestTarget.Minor + 1}.String()
	dir = t.TempDir()
	writeModule(t, dir, "example.com/m")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	code, _, stderr = execute(t, dir, "generate", "--client-go", next)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stderr, "warning: client-go "+next+" is newer than "+model.NewestTarget.String()+", the newest known release, for which this is generated\n")
	code, stdout, stderr = execute(t, dir, "generate", "--client-go", "v0.36")
	require.Equal(t, exitDone, code, stderr)
	assert.NotContains(t, stdout, "made for")
}

func TestVersionOf(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.3"}}
	assert.Equal(t, "v1.2.3 go1.26.8", versionOf(info))
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}
	assert.Equal(t, "v1.2.3 (abc) go1.26.8", versionOf(info))
	info.Settings[1].Value = "true"
	assert.Equal(t, "v1.2.3 (abc, modified) go1.26.8", versionOf(info))
	assert.Equal(t, "(unknown)", versionOf(nil))
	assert.Equal(t, "(unknown)", versionOf(&debug.BuildInfo{}))
}

// TestNewestTarget checks that output is tested with the newest release that it can be generated for.
func TestNewestTarget(t *testing.T) {
	text, err := os.ReadFile(moduleOf(model.DefaultTarget) + "/go.mod")
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	i := slices.IndexFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == "k8s.io/client-go" })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, module.ClientGoVersion, mod.Require[i].Mod.Version)
	assert.Equal(t, model.DefaultTarget.String(), semver.MajorMinor(module.ClientGoVersion))
}
