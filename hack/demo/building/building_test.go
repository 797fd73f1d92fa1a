package building

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/progress"
)

func TestGoShowsCompiledPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.26\n", "a/a.go": "package a\n", "b/b.go": "package b\n\nimport _ \"example.com/shop/a\"\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	var terminal bytes.Buffer
	line := progress.New(&terminal, 0)
	require.NoError(t, Go(progress.With(t.Context(), line), dir, nil, []string{"./..."}))
	line.Stop()
	assert.Contains(t, terminal.String(), "compiling: 2 of 2 packages")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "b", "b.go"), []byte("package b\n\nvar _ = missing\n"), 0o644))
	require.ErrorContains(t, Go(progress.With(t.Context(), progress.New(&terminal, 0)), dir, nil, []string{"./..."}), "undefined: missing")
}

func TestTimeLeft(t *testing.T) {
	c := compilation{done: 100, total: 1000}
	assert.Equal(t, "compiling: 100 of 1000 packages", c.text(time.Second))
	assert.Equal(t, "compiling: 100 of 1000 packages, less than a minute left", c.text(6*time.Second))
	assert.Equal(t, "compiling: 100 of 1000 packages, about 9 min left", c.text(time.Minute))
}
