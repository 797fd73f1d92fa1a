package cli

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/clientgo"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gomod"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

func TestVersion(t *testing.T) {
	code, stdout, _ := run(t, t.TempDir(), "version")
	assert.Equal(t, exitDone, code)
	assert.Regexp(t, `^informer-gen-lite \S.*\nclient-go v0\.33 to v0\.\d+\n$`, stdout)
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

// TestNewestTarget holds the newest release that output can be made for against the one that it is tested with.
func TestNewestTarget(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	i := slices.IndexFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == clientgo.Path })
	assert.Equal(t, gomod.ClientGo, mod.Require[i].Mod.Version)
	assert.Equal(t, model.NewestTarget.String(), semver.MajorMinor(gomod.ClientGo))
}
