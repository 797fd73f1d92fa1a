package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/bench/internal/programs"
)

func TestProjects(t *testing.T) {
	assert.Len(t, projects, 10)
	beside := 0
	for _, p := range projects {
		beside += len(p.tasks("dir")) - 1
	}
	assert.Equal(t, 2*2, beside, "deep copies and roles of two projects")
	err := (&bench{module: "no such module"}).definitions(t.Context())
	assert.ErrorContains(t, err, `-module: no module of h contains "no such module"`)
}

func TestWritten(t *testing.T) {
	p, out := programs.Project{Module: t.TempDir(), Generator: programs.Definitions}, t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(out, "a.yaml"), []byte("a"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(p.Module, "zz_generated.deepcopy.go"), []byte("b"), 0o666))
	files, err := written(p, out)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"a.yaml": "a"}, files)
	_, err = written(p, filepath.Join(out, "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
	p.Generator = programs.DeepCopies
	files, err = written(p, out)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"zz_generated.deepcopy.go": ""}, files)
}

func TestSameContent(t *testing.T) {
	one := map[string]string{"a.yaml": "a"}
	require.NoError(t, sameContent(one, one))
	assert.EqualError(t, sameContent(one, map[string]string{"a.yaml": "b"}), "the sides write different content into a.yaml")
	assert.ErrorContains(t, sameContent(one, nil), "only one side writes a.yaml")
	assert.EqualError(t, sameContent(nil, nil), "neither side writes a file")
}
