package module

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module/moduletest"
)

// TestLateOutput has a go command whose output is complete two seconds after its end, as when a busy machine reads it late.
func TestLateOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	bin := moduletest.LayOut(t, "-- go --\n#!/bin/sh\n(sleep 2; echo all) &\n")
	require.NoError(t, os.Chmod(filepath.Join(bin, "go"), 0o777))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	out, err := Go(t.Context(), t.TempDir(), []string{"list"})
	require.NoError(t, err)
	assert.Equal(t, "all\n", out)
}
