// Package localproxy serves the module of the working tree to the go command. It is for tests that run documented commands
// literally, such as go run …@latest; only tests import it.
package localproxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	modpath "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// Module is the path of the module with the command.
const Module = "github.com/informer-gen-lite/informer-gen-lite"

// Serve returns the environment in which the go command gets the module from the tree at root, and everything else as usual. The
// version is derived from the content, so that caches never hold different content, and from the process, so that concurrent test
// binaries do not clean up after each other. The flags are added to GOFLAGS.
func Serve(t *testing.T, root string, flags ...string) (env []string) {
	t.Helper()
	files := zipFiles(t, root)
	var content bytes.Buffer
	require.NoError(t, modzip.Create(&content, modpath.Version{Path: Module, Version: "v0.1.0"}, files))
	sum := sha256.Sum256(content.Bytes())
	version := fmt.Sprintf("v0.1.0-test.%d.x%s", os.Getpid(), hex.EncodeToString(sum[:6]))

	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(Module), "@v")
	require.NoError(t, os.MkdirAll(versions, 0o777))
	var archive bytes.Buffer
	require.NoError(t, modzip.Create(&archive, modpath.Version{Path: Module, Version: version}, files))
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	info, err := json.Marshal(map[string]string{"Version": version})
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": goMod, version + ".zip": archive.Bytes(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(versions, name), text, 0o666))
	}

	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOPROXY", "GOMODCACHE", "GONOSUMDB").Output()
	require.NoError(t, err)
	var usual struct{ GOPROXY, GOMODCACHE, GONOSUMDB string }
	require.NoError(t, json.Unmarshal(out, &usual))
	t.Cleanup(func() { forget(t, usual.GOMODCACHE, version) })
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + usual.GOPROXY,
		"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+strings.Join(flags, " ")),
		"GONOSUMDB=" + strings.TrimPrefix(usual.GONOSUMDB+","+Module, ","),
	}
}

// forget removes a version of the module from the module cache.
func forget(t *testing.T, cache, version string) {
	t.Helper()
	extracted := filepath.Join(cache, filepath.FromSlash(Module)) + "@" + version
	_ = filepath.WalkDir(extracted, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o777) // the cache is read-only
		}
		return err
	})
	assert.NoError(t, os.RemoveAll(extracted))
	cached, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(Module), "@v", version+".*"))
	require.NoError(t, err)
	for _, name := range append(cached, filepath.Join(cache, "cache", "download", filepath.FromSlash(Module), "@v", "list")) {
		assert.NoError(t, os.RemoveAll(name))
	}
}

// zipFile is a file of the working tree.
type zipFile struct{ root, path string }

func (f zipFile) Path() string                 { return f.path }
func (f zipFile) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.root, f.path)) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, f.path)) }

// zipFiles returns the files of the command.
func zipFiles(t *testing.T, root string) []modzip.File {
	t.Helper()
	files := []modzip.File{zipFile{root, "go.mod"}, zipFile{root, "go.sum"}}
	for _, dir := range []string{"cmd", "cachemutation", "internal", "generators", "templates"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if d.Type().IsRegular() && !strings.HasSuffix(name, "_test.go") {
				rel, err := filepath.Rel(root, name)
				files = append(files, zipFile{root, filepath.ToSlash(rel)})
				return err
			}
			return nil
		}))
	}
	return files
}
