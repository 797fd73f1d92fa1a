// Package localproxy serves the modules of the working tree to the go command: the tool, and the run-time library. It is for tests that
// run documented commands literally, such as go run …@latest; only tests import it.
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

// served is a module that is served.
type served struct {
	path, root string
	files      []modzip.File
}

// Serve returns the environment in which the go command gets the modules from the tree at root, and everything else as usual; and their
// version. It is derived from the content, so that caches never hold different content, and from the process, so that concurrent test
// binaries do not clean up after each other. The flags are added to GOFLAGS.
func Serve(t *testing.T, root string, flags ...string) (env []string, version string) {
	t.Helper()
	library := filepath.Join(root, "runtime")
	modules := []served{
		{Module, root, zipFiles(t, root, "cmd", "cachemutation", "internal", "generators", "templates")},
		{Module + "/runtime", library, zipFiles(t, library, ".")},
	}
	hash := sha256.New()
	for _, m := range modules {
		require.NoError(t, modzip.Create(hash, modpath.Version{Path: m.path, Version: "v0.1.0"}, m.files))
	}
	version = fmt.Sprintf("v0.1.0-test.%d.x%s", os.Getpid(), hex.EncodeToString(hash.Sum(nil)[:6]))
	proxy := t.TempDir()
	for _, m := range modules {
		m.write(t, filepath.Join(proxy, filepath.FromSlash(m.path), "@v"), version)
	}

	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOPROXY", "GOMODCACHE", "GONOSUMDB").Output()
	require.NoError(t, err)
	var usual struct{ GOPROXY, GOMODCACHE, GONOSUMDB string }
	require.NoError(t, json.Unmarshal(out, &usual))
	t.Cleanup(func() {
		for _, m := range modules {
			forget(t, usual.GOMODCACHE, m.path, version)
		}
	})
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + usual.GOPROXY,
		"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+strings.Join(flags, " ")),
		"GONOSUMDB=" + strings.TrimPrefix(usual.GONOSUMDB+","+Module+","+Module+"/runtime", ","),
	}, version
}

// write writes what a proxy has of a module with one version (https://go.dev/ref/mod#goproxy-protocol).
func (m served) write(t *testing.T, dir, version string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o777))
	var archive bytes.Buffer
	require.NoError(t, modzip.Create(&archive, modpath.Version{Path: m.path, Version: version}, m.files))
	goMod, err := os.ReadFile(filepath.Join(m.root, "go.mod"))
	require.NoError(t, err)
	info, err := json.Marshal(map[string]string{"Version": version})
	require.NoError(t, err)
	for name, text := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": goMod, version + ".zip": archive.Bytes(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
}

// forget removes a version of a module from the module cache.
func forget(t *testing.T, cache, path, version string) {
	t.Helper()
	extracted := filepath.Join(cache, filepath.FromSlash(path)) + "@" + version
	_ = filepath.WalkDir(extracted, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o777) // the cache is read-only
		}
		return err
	})
	assert.NoError(t, os.RemoveAll(extracted))
	cached, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v", version+".*"))
	require.NoError(t, err)
	for _, name := range append(cached, filepath.Join(cache, "cache", "download", filepath.FromSlash(path), "@v", "list")) {
		assert.NoError(t, os.RemoveAll(name))
	}
}

// zipFile is a file of the working tree.
type zipFile struct{ root, path string }

func (f zipFile) Path() string                 { return f.path }
func (f zipFile) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.root, f.path)) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, f.path)) }

// zipFiles returns the files of a module in directories, without tests and other modules.
func zipFiles(t *testing.T, root string, dirs ...string) []modzip.File {
	t.Helper()
	files := []modzip.File{zipFile{root, "go.mod"}, zipFile{root, "go.sum"}}
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "testdata" || name != root && isModule(name)) {
				return filepath.SkipDir
			}
			if strings.HasSuffix(name, ".mod") || strings.HasSuffix(name, ".sum") {
				return nil
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

// isModule reports whether a directory is the root of a module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
