package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

// loadConfig loads the options of a command line in dir. The remaining arguments are the packages.
func loadConfig(t *testing.T, dir string, args ...string) ([]run.Options, error) {
	t.Helper()
	var f option.Values
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(flags, nil)
	require.NoError(t, flags.Parse(args))
	owner, _ := module.Owner(dir)
	return pipeline.CommandLineOptions(config.CommandLine{Dir: dir, Module: owner.Dir, Given: flags, Values: &f, Packages: flags.Args()}, complete)
}

// configured makes a module with a configuration file, and returns its root.
func configured(t *testing.T, text string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, option.FileName), text)
	return dir
}

func TestGenerateSeveralOutputs(t *testing.T) {
	dir := configured(t, "outputs:\n  - {packages: [./a/...], output-dir: gen/a}\n  - {packages: [./b/...], output-dir: gen/b}\n")
	writeFile(t, filepath.Join(dir, "a", "v1", "types.go"), "// +groupName=a.example.com\n"+oneKind)
	broken := filepath.Join(dir, "b", "v1", "types.go")
	writeFile(t, broken, "// +groupName=b.example.com\npackage v1\n\n// +genclient\n// +genclient:nope\ntype T struct{}\n")

	code, _, stderr := execute(t, dir)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "b/v1/types.go:5:")
	assert.NoDirExists(t, filepath.Join(dir, "gen"), "nothing is written before all outputs are prepared")

	writeFile(t, broken, "// +groupName=b.example.com\n"+oneKind)
	sub := filepath.Join(dir, "a", "v1")
	code, stdout, stderr := execute(t, sub)
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, 2, strings.Count(stdout, "1 group, 1 version, 1 kind in"), stdout)
	for _, name := range []string{"a", "b"} {
		assert.FileExists(t, filepath.Join(dir, "gen", name, "clientset", "versioned", "clientset.go"))
	}
	_, stdout, _ = execute(t, dir, "generate")
	assert.Equal(t, 2, strings.Count(stdout, "0 files written"), stdout)
}
