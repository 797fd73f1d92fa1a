package output

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

func TestIgnored(t *testing.T) {
	root := t.TempDir()
	plan := &Plan{root: filepath.Join(root, "gen")}
	for _, name := range []string{"a/x.go", "a/y.go", "b/z.go", "../api/zz_generated.deepcopy.go", ManifestName} {
		plan.Write = append(plan.Write, render.File{Path: name})
	}
	require.NoError(t, os.Mkdir(plan.root, 0o777))
	file := filepath.Join(root, ".informer-gen.yaml")
	if exec.Command("git", "-C", root, "init", "--quiet").Run() != nil {
		t.Skip("git is not installed")
	}
	assert.Empty(t, plan.Ignored(t.Context(), file), "nothing is ignored")
	// The patterns for Vim's swap files are in half of all repositories.
	write(t, root, ".gitignore", "[._]*.s[a-v][a-z]\n.*\n/gen/a/\nzz_generated.deepcopy*\n!x\n")
	got := plan.Ignored(t.Context(), file)
	require.Len(t, got, 2)
	assert.Equal(t, filepath.Join(plan.root, "a", "x.go"), got[0].Pos.Filename)
	assert.Equal(t, "git ignores this generated file and 1 more, because of /gen/a/ in .gitignore:3", got[0].Message)
	assert.Equal(t, filepath.Join(root, "api", "zz_generated.deepcopy.go"), got[1].Pos.Filename)
	assert.Equal(t, "git ignores this generated file, because of zz_generated.deepcopy* in .gitignore:4", got[1].Message)

	write(t, root, ".informer-gen.yaml", "packages: [./api]\n")
	got = plan.Ignored(t.Context(), file)
	require.Len(t, got, 3)
	assert.Equal(t, "git ignores this configuration, because of .* in .gitignore:2: without it, verify fails in other checkouts", got[0].Message)
	plan.scanned = []byte("a manifest")
	assert.Len(t, plan.Ignored(t.Context(), file), 2, "it has been said")

	t.Setenv("PATH", "")
	assert.Empty(t, plan.Ignored(t.Context(), file), "without git")
	plan.Write = nil
	assert.Empty(t, plan.Ignored(t.Context(), file))
}
