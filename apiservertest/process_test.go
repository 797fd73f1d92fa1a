package apiservertest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestSignals stops a server with SIGTERM and SIGKILL, and checks that acknowledged writes survive.
func TestSignals(t *testing.T) {
	process, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	client := connect(t, process.Config()).CoreV1().ConfigMaps("default")
	for _, signal := range []struct {
		name string
		end  func() error
	}{
		{"sigterm", process.Terminate},
		{"sigkill", process.Kill},
	} {
		want, err := client.Create(t.Context(), configMap(signal.name), metav1.CreateOptions{})
		require.NoError(t, err)
		host := process.Config().Host
		require.NoError(t, signal.end())
		_, err = client.Get(t.Context(), signal.name, metav1.GetOptions{})
		require.Error(t, err, "the server is still there after %s", signal.name)

		require.NoError(t, process.Restart(t.Context()))
		assert.Equal(t, host, process.Config().Host)
		got, err := client.Get(t.Context(), signal.name, metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	require.NoError(t, process.Terminate())
}

func TestProcessThatFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{Dir: file})
	assert.ErrorContains(t, err, "not a directory", "what the child said")
}

func TestProcessWithHandler(t *testing.T) {
	_, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{
		Dir:  t.TempDir(),
		Wrap: func(h http.Handler) http.Handler { return h },
	})
	assert.ErrorContains(t, err, "Options.Wrap must be nil")
}
