package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

// ourModule is the path of the module with the command.
var ourModule = strings.TrimSuffix(toolPath, "/cmd/informer-gen-lite")

// raceFlag is the flag that this test was compiled with. What it compiles has the same, so that libraries are compiled once.
var raceFlag string

// TestAddingTheToolRaisesNothing runs, literally, what init, README and docs tell people to use, in a module on v0.33, and
// compares go.mod before and after. The module with the command is served from the working tree.
func TestAddingTheToolRaisesNothing(t *testing.T) {
	env := serveOurModule(t)
	dir := tidyModule(t, "v0.33.13")
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), "packages: [./api/...]\nonly: [deepcopy, register]\n")
	before, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)

	for _, source := range []struct {
		name  string
		lines []string
	}{
		{"README", documented(t, "../../README.md", "sh")},
		{"docs/ci.md", documented(t, "../../docs/ci.md", "sh")},
		{"go generate in README", generateLines(t, "../../README.md")},
		{"go generate in docs/ci.md", generateLines(t, "../../docs/ci.md")},
		{"init", initLines(t)},
	} {
		require.NotEmpty(t, source.lines, source.name)
		for _, line := range source.lines {
			if directive, ok := strings.CutPrefix(line, "//go:generate "); ok {
				line = strings.Replace(directive, "./apis/...", "./api/...", 1)
			}
			shell(t, dir, strings.Replace(line, " verify", " verify || test $? = 1", 1), env...)
			after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "%s: %s", source.name, line)
		}
	}
	assert.FileExists(t, filepath.Join(dir, "api/v1/zz_generated.deepcopy.go"), "the command ran")
}

// documented returns the lines of a document's code blocks in a language that run the command from its module.
func documented(t *testing.T, name, language string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var lines []string
	for i, block := range strings.Split(string(text), "\n```") {
		code, found := strings.CutPrefix(block, language+"\n")
		if i%2 == 1 && found && strings.Contains(code, toolPath) {
			lines = append(lines, strings.Split(code, "\n")...)
		}
	}
	return lines
}

// generateLines returns the directives for go generate in a document.
func generateLines(t *testing.T, name string) []string {
	t.Helper()
	lines := documented(t, name, "go")
	for _, line := range lines {
		require.True(t, strings.HasPrefix(line, "//go:generate "), line)
	}
	return lines
}

// initLines returns what init prints.
func initLines(t *testing.T) []string {
	t.Helper()
	code, stdout, stderr := run(t, bareModule(t, ""), "init")
	require.Equal(t, exitDone, code, stderr)
	return steps(stdout)
}

// serveOurModule makes a proxy of the working tree, and returns the environment in which the go command gets the module
// from there and everything else as usual. The version stands for the content, so that no other is found in caches.
func serveOurModule(t *testing.T) (env []string) {
	t.Helper()
	files := zipFiles(t, "../..")
	var content bytes.Buffer
	require.NoError(t, modzip.Create(&content, modpath.Version{Path: ourModule, Version: "v0.1.0"}, files))
	sum := sha256.Sum256(content.Bytes())
	version := "v0.1.0-test." + "x" + hex.EncodeToString(sum[:6])

	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(ourModule), "@v")
	var archive bytes.Buffer
	require.NoError(t, modzip.Create(&archive, modpath.Version{Path: ourModule, Version: version}, files))
	goMod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	info, err := json.Marshal(map[string]string{"Version": version})
	require.NoError(t, err)
	writeFile(t, filepath.Join(versions, "list"), version+"\n")
	writeFile(t, filepath.Join(versions, version+".info"), string(info))
	writeFile(t, filepath.Join(versions, version+".mod"), string(goMod))
	writeFile(t, filepath.Join(versions, version+".zip"), archive.String())

	out, err := exec.Command("go", "env", "-json", "GOPROXY", "GOMODCACHE", "GONOSUMDB").Output()
	require.NoError(t, err)
	var usual struct{ GOPROXY, GOMODCACHE, GONOSUMDB string }
	require.NoError(t, json.Unmarshal(out, &usual))
	t.Cleanup(func() { forget(t, usual.GOMODCACHE, version) })
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + usual.GOPROXY,
		"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" "+raceFlag),
		"GONOSUMDB=" + strings.TrimPrefix(usual.GONOSUMDB+","+ourModule, ","),
	}
}

// forget removes a version of our module from the module cache.
func forget(t *testing.T, cache, version string) {
	t.Helper()
	extracted := filepath.Join(cache, filepath.FromSlash(ourModule)) + "@" + version
	_ = filepath.WalkDir(extracted, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o777) // the cache is read-only
		}
		return err
	})
	assert.NoError(t, os.RemoveAll(extracted))
	cached, err := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(ourModule), "@v", version+".*"))
	require.NoError(t, err)
	for _, name := range append(cached, filepath.Join(cache, "cache", "download", filepath.FromSlash(ourModule), "@v", "list")) {
		assert.NoError(t, os.RemoveAll(name))
	}
}

// zipFile is a file of the working tree.
type zipFile struct{ root, path string }

func (f zipFile) Path() string                 { return f.path }
func (f zipFile) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.root, f.path)) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, f.path)) }

// zipFiles returns the files that the command is made of.
func zipFiles(t *testing.T, root string) []modzip.File {
	t.Helper()
	files := []modzip.File{zipFile{root, "go.mod"}, zipFile{root, "go.sum"}}
	for _, dir := range []string{"cmd", "internal", "generators", "templates", "emit"} {
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
