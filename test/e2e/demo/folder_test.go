package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFoldersOfKilledDemosAreRemoved(t *testing.T) {
	parent := t.TempDir()
	killed, other := filepath.Join(parent, "informer-gen-lite-demo-1"), filepath.Join(parent, "other-demo-1")
	for _, dir := range []string{killed, other} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "server"), 0o777))
	}
	first, remove, err := makeFolder(parent)
	require.NoError(t, err)
	assert.NoDirExists(t, killed)
	assert.DirExists(t, other)

	second, removeSecond, err := makeFolder(parent)
	require.NoError(t, err)
	assert.DirExists(t, first, "its demo is at work")
	require.NoError(t, remove())
	assert.NoDirExists(t, first)
	assert.DirExists(t, second)
	require.NoError(t, removeSecond())
}
