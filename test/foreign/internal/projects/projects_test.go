package projects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "modules.txt")
	require.NoError(t, os.WriteFile(name, []byte("# a comment\n\na m@v1 x/*.yaml,y.yaml\nb n@v2 z.yaml n/api@v3 n/api/{version}\n"), 0o644))
	all, err := Read(name)
	require.NoError(t, err)
	assert.Equal(t, []Project{
		{Name: "a", Module: "m@v1", Patterns: []string{"x/*.yaml", "y.yaml"}},
		{Name: "b", Module: "n@v2", Patterns: []string{"z.yaml"}, TypesModule: "n/api@v3", Packages: []string{"n/api/{version}"}},
	}, all)

	require.NoError(t, os.WriteFile(name, []byte("a m@v1\n"), 0o644))
	_, err = Read(name)
	assert.ErrorContains(t, err, "modules.txt:1: 2 columns, want 3 or 5")
}

// TestTable checks that the table has as many projects as the README promises.
func TestTable(t *testing.T) {
	all, err := Read("../../testdata/modules.txt")
	require.NoError(t, err)
	names := map[string]bool{}
	for _, p := range all {
		assert.False(t, names[p.Name], "%s is there twice", p.Name)
		names[p.Name] = true
	}
	assert.GreaterOrEqual(t, len(all), 30)
}
