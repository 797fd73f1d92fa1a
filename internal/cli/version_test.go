package cli

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

func TestVersion(t *testing.T) {
	code, stdout, _ := run(t, t.TempDir(), "version")
	assert.Equal(t, exitDone, code)
	assert.Regexp(t, `^informer-gen-lite \S.*\nclient-go v0\.\d+\.\d+\n$`, stdout)
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

// TestTargetClientGo holds the version that users are told against the one that the output is compiled with.
func TestTargetClientGo(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	versions := map[string]string{}
	for _, r := range mod.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	assert.Equal(t, versions["k8s.io/client-go"], targetClientGo)
}
