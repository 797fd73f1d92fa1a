package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneKind = `package v1

// +genclient
// +genclient:onlyVerbs=get
type Robot struct { TypeMeta; ObjectMeta ` + "`json:\"metadata\"`" + ` }

func (in *Robot) DeepCopyObject() runtime.Object { return in }
`

// execute runs the command in dir.
func execute(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = app{dir: dir, stdout: &out, stderr: &err}.run(t.Context(), args)
	return code, out.String(), err.String()
}

// TestRunsKeepNothing has runs read and write the tree, and nothing in the user's directories.
func TestRunsKeepNothing(t *testing.T) {
	dir, home := fleetModule(t, "Robot"), t.TempDir()
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "AppData", "LocalAppData"} {
		t.Setenv(variable, home)
	}
	for _, command := range []string{"generate", "verify", "explain"} {
		cmd, output := startable(dir, command)
		require.NoError(t, cmd.Run())
		require.Contains(t, output.String(), "exit code 0\n")
		assert.Empty(t, filesBelow(t, home), command)
	}
}

func TestUsageErrors(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"unknown flag":        {[]string{"--nope"}, "unknown flag: --nope"},
		"unknown generator":   {[]string{"--only", "informer"}, `unknown generator "informer", must be one of deepcopy, defaults, register, conversion, applyconfiguration, clientset, listers, informers, controller, crd, rbac`},
		"no generator left":   {[]string{"--only", "listers", "--skip", "listers"}, "--only and --skip leave no generator"},
		"bad plural":          {[]string{"--plural-exceptions", "Endpoints"}, `--plural-exceptions: "Endpoints" is not of the form Kind:Plural`},
		"plural twice":        {[]string{"--plural-exceptions", "A:B,A:C"}, "--plural-exceptions: A has two plurals, B and C"},
		"plural with code":    {[]string{"--plural-exceptions", "A:B(){}"}, "is not of the form Kind:Plural"},
		"directory above":     {[]string{"--listers-dir", "../listers"}, `--listers-dir: "../listers" is not a relative path inside the output directory`},
		"absolute directory":  {[]string{"generate", "--clientset-dir", "/tmp"}, `--clientset-dir: "/tmp" is not a relative path inside the output directory`},
		"empty directory":     {[]string{"--informers-dir", ""}, "--informers-dir"},
		"all of them at once": {[]string{"--informers-dir", "", "--only", "x"}, `unknown generator "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := execute(t, t.TempDir(), test.args...)
			assert.Equal(t, exitUsage, code)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, test.want)
		})
	}
}

func TestHelp(t *testing.T) {
	code, stdout, _ := execute(t, t.TempDir(), "--help")
	assert.Equal(t, exitDone, code)
	assert.Contains(t, stdout, "--applyconfiguration-package")
}

func TestMissingHeaderFile(t *testing.T) {
	code, _, stderr := execute(t, t.TempDir(), "--go-header-file", "nope.txt")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "--go-header-file")
}

func TestSecondRunChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	code, stdout, stderr := execute(t, dir)
	require.Equal(t, exitDone, code, stderr)
	assert.Contains(t, stdout, "14 files written, 0 unchanged, 0 removed")
	name := filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "clientset.go")
	before, err := os.ReadFile(name)
	require.NoError(t, err)

	_, stdout, _ = execute(t, dir)
	assert.Contains(t, stdout, "0 files written, 14 unchanged, 0 removed")

	writeFile(t, name, string(before)+"\n// edited\n")
	code, _, stderr = execute(t, dir)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "pkg/generated/clientset/versioned/clientset.go: this generated file was edited\n")
	_, stdout, _ = execute(t, dir, "--force")
	assert.Contains(t, stdout, "1 file written, 13 unchanged, 0 removed", "the cache does not hide what was changed on disk")
	after, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

func TestOrderOfPatterns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	for _, group := range []string{"a", "b", "c"} {
		writeFile(t, filepath.Join(dir, group, "v1", "types.go"), "// +groupName="+group+".example.com\n"+oneKind)
	}
	_, stdout, stderr := execute(t, dir, "./a/...", "./b/...", "./c/...")
	require.Contains(t, stdout, "28 files written", stderr)
	_, stdout, stderr = execute(t, dir, "./c/v1", "./b/...", "./a/v1", "./...")
	assert.Contains(t, stdout, "0 files written, 28 unchanged, 0 removed", stderr)
}

func TestOutputOfSeveralModules(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ws")
	writeFile(t, filepath.Join(dir, "go.work"), "go 1.26.0\nuse ./api\nuse ./client\nuse ./more\n")
	for _, m := range []string{"api", "client", "more"} {
		writeFile(t, filepath.Join(dir, m, "go.mod"), "module example.com/"+m+"\n\ngo 1.26.0\n")
	}
	writeFile(t, filepath.Join(dir, "api", "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+oneKind)
	writeFile(t, filepath.Join(dir, "more", "apps", "v1", "types.go"), "// +groupName=apps.example.com\n"+oneKind)

	t.Run("the module of the packages by default", func(t *testing.T) {
		code, _, stderr := execute(t, dir, "./api/...")
		require.Equal(t, exitDone, code, stderr)
		assert.FileExists(t, filepath.Join(dir, "api", "pkg", "generated", "clientset", "versioned", "clientset.go"))
	})
	t.Run("import paths of the module that owns the output", func(t *testing.T) {
		code, _, stderr := execute(t, dir, "./api/...", "--output-dir", "client/gen")
		require.Equal(t, exitDone, code, stderr)
		clientset, err := os.ReadFile(filepath.Join(dir, "client", "gen", "clientset", "versioned", "clientset.go"))
		require.NoError(t, err)
		assert.Contains(t, string(clientset), `"example.com/client/gen/clientset/versioned/typed/fleet/v1"`)
	})
	t.Run("two modules need to be told", func(t *testing.T) {
		code, _, stderr := execute(t, dir, "./api/...", "./more/...")
		assert.Equal(t, exitProblem, code)
		assert.Contains(t, stderr, "the packages are in several modules: set --output-dir")
	})
	t.Run("no module at all", func(t *testing.T) {
		code, _, stderr := execute(t, dir, "./api/...", "--output-dir", t.TempDir())
		assert.Equal(t, exitProblem, code)
		assert.Contains(t, stderr, "set --output-pkg")
	})
}
