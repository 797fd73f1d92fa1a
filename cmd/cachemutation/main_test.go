package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asCommand is the environment variable that makes the test binary the command, so that tests need not build it.
const asCommand = "CACHEMUTATION_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestCommand runs the command on its own, and from go vet.
func TestCommand(t *testing.T) {
	tool, err := os.Executable()
	require.NoError(t, err)
	for name, args := range map[string][]string{
		"on its own":  {tool, "."},
		"from go vet": {"go", "vet", "-vettool=" + tool, "."},
	} {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), args[0], args[1:]...)
			command.Dir = "testdata/pods"
			// The race detector makes each process sleep for a second at its end, and go vet starts one for each dependency.
			command.Env = append(os.Environ(), asCommand+"=1", "GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0")
			output, err := command.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(output), "pods.go:18:6: this assignment changes an object in an informer's cache, "+
				"returned by PodLister.Get on line 17; change a DeepCopy instead")
			assert.NotContains(t, string(output), "pods.go:24")
		})
	}
}
