// Package moduletest creates modules for tests.
package moduletest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
	"golang.org/x/tools/txtar"
)

// LayOut writes the files of a txtar archive into a temporary directory and returns its path without symbolic links.
func LayOut(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, f.Data, 0o666))
	}
	return dir
}

// Serve starts a proxy with the modules of a txtar archive, in directories named path@version. It is the only proxy that the go
// command uses during the test. The module cache is empty.
func Serve(t *testing.T, archive string) {
	t.Helper()
	source, proxy := LayOut(t, archive), t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		root, isGoMod := strings.CutSuffix(f.Name, "/go.mod")
		path, version, _ := strings.Cut(root, "@")
		if !isGoMod || strings.Contains(version, "/") {
			continue
		}
		var content bytes.Buffer
		dir := filepath.Join(source, filepath.FromSlash(root))
		require.NoError(t, zip.CreateFromDir(&content, module.Version{Path: path, Version: version}, dir))
		escaped, err := module.EscapePath(path)
		require.NoError(t, err)
		versions := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
		require.NoError(t, os.MkdirAll(versions, 0o777))
		info := []byte(`{"Version":"` + version + `"}`)
		for extension, text := range map[string][]byte{".info": info, ".mod": f.Data, ".zip": content.Bytes()} {
			require.NoError(t, os.WriteFile(filepath.Join(versions, version+extension), text, 0o666))
		}
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
}
