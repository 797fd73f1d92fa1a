package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// loadConfig loads the options of a command line in dir, the packages being what is left of it.
func loadConfig(t *testing.T, dir string, args ...string) ([]options, error) {
	t.Helper()
	var f generateFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.register(flags)
	require.NoError(t, flags.Parse(args))
	return app{dir: dir}.loadOptions(flags, &f, flags.Args())
}

// module makes a module with a configuration file, and returns its root.
func module(t *testing.T, config string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, configName), config)
	return dir
}

func TestConfigCarriesTheFlags(t *testing.T) {
	dir := module(t, `
packages: [./apis/...]
output-dir: gen
output-pkg: example.com/m/gen
go-header-file: hack/header.txt
crd-dir: crds
clientset-dir: kubernetes
plural-exceptions: [Endpoints:Endpoints, "Fish:Fish"]
prefers-protobuf: true
skip: [listers]
build-tags: [a]
`)
	for name, cwd := range map[string]string{"root": dir, "sub-directory": filepath.Join(dir, "apis", "v1")} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.MkdirAll(cwd, 0o777))
			all, err := loadConfig(t, cwd)
			require.NoError(t, err)
			require.Len(t, all, 1)
			opts := all[0]
			assert.Equal(t, dir, opts.load.Dir)
			assert.Equal(t, []string{"./apis/..."}, opts.load.Patterns)
			assert.Equal(t, []string{"a"}, opts.load.BuildTags)
			assert.Equal(t, filepath.Join(dir, "gen"), opts.outputDir)
			assert.Equal(t, "example.com/m/gen", opts.outputPkg)
			assert.Equal(t, filepath.Join(dir, "hack", "header.txt"), opts.headerFile)
			assert.Equal(t, filepath.Join(dir, "crds"), opts.crdDir)
			assert.Equal(t, "kubernetes", opts.layout.Clientset)
			assert.Equal(t, "listers", opts.layout.Listers)
			assert.True(t, opts.layout.PrefersProtobuf)
			assert.Equal(t, map[string]string{"Endpoints": "Endpoints", "Fish": "Fish"}, opts.resolve.Plurals)
			assert.Len(t, opts.generators, 6)
		})
	}
}

func TestCommandLineWinsOverConfig(t *testing.T) {
	dir := module(t, "packages: [./apis/...]\noutput-dir: gen\nprefers-protobuf: true\nonly: [clientset]\nplural-exceptions: [A:B]\n")
	sub := filepath.Join(dir, "sub")
	all, err := loadConfig(t, sub, "--output-dir", "out", "--prefers-protobuf=false", "--only", "listers", "--plural-exceptions", "C:D")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(sub, "out"), all[0].outputDir, "paths of the command line are relative to the working directory")
	assert.False(t, all[0].layout.PrefersProtobuf)
	assert.Equal(t, "listers", all[0].generators[0].Name())
	assert.Equal(t, map[string]string{"C": "D"}, all[0].resolve.Plurals)
	assert.Equal(t, []string{"./apis/..."}, all[0].load.Patterns)

	all, err = loadConfig(t, sub, "./v1")
	require.NoError(t, err)
	assert.Equal(t, sub, all[0].load.Dir)
	assert.Equal(t, []string{"./v1"}, all[0].load.Patterns)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].outputDir)
}

func TestConfigFlag(t *testing.T) {
	dir := module(t, "nonsense: 1\n")
	writeFile(t, filepath.Join(dir, "hack", "other.yaml"), "packages: [../apis/...]\noutput-dir: ../gen\n")

	all, err := loadConfig(t, filepath.Join(dir, "hack"), "--config", "other.yaml")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "hack"), all[0].load.Dir)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].outputDir)

	all, err = loadConfig(t, dir, "--config=", "./v1")
	require.NoError(t, err)
	assert.Equal(t, []string{"./v1"}, all[0].load.Patterns)

	_, err = loadConfig(t, dir, "--config", "nope.yaml")
	assert.ErrorContains(t, err, "--config: open "+filepath.Join(dir, "nope.yaml"))
}

func TestEmptyConfig(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "{}\n"} {
		dir := module(t, text)
		all, err := loadConfig(t, filepath.Join(dir, "apis"))
		require.NoError(t, err, "%q", text)
		require.Len(t, all, 1)
		assert.Equal(t, dir, all[0].load.Dir)
		assert.Equal(t, []string{"./..."}, all[0].load.Patterns)
	}
}

func TestNoConfig(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, configName), "nonsense: 1\n")
	all, err := loadConfig(t, dir)
	require.NoError(t, err, "without a go.mod beside it, the file is none of ours")
	assert.Equal(t, dir, all[0].load.Dir)
}

func TestConfigOutputs(t *testing.T) {
	dir := module(t, `
go-header-file: header.txt
prefers-protobuf: true
outputs:
  - packages: [./api/...]
    output-dir: gen
  - packages: [./more/...]
    output-dir: more/gen
    prefers-protobuf: false
`)
	all, err := loadConfig(t, dir)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for i, want := range []struct {
		pattern, dir string
		protobuf     bool
	}{{"./api/...", "gen", true}, {"./more/...", "more/gen", false}} {
		assert.Equal(t, []string{want.pattern}, all[i].load.Patterns)
		assert.Equal(t, filepath.Join(dir, filepath.FromSlash(want.dir)), all[i].outputDir)
		assert.Equal(t, want.protobuf, all[i].layout.PrefersProtobuf)
		assert.Equal(t, filepath.Join(dir, "header.txt"), all[i].headerFile)
	}

	var usage usageError
	_, err = loadConfig(t, dir, "./api/...")
	require.ErrorAs(t, err, &usage)
	assert.ErrorContains(t, err, configName+" has 2 outputs")
	_, err = loadConfig(t, dir, "--only", "nope")
	require.ErrorAs(t, err, &usage, "a mistake in the command line is none of the file")
	assert.EqualError(t, err, `--only: there is no generator "nope"; there are deepcopy, register, applyconfiguration, clientset, listers, informers, controller`)
}

func TestConfigProblems(t *testing.T) {
	for name, test := range map[string]struct{ config, want string }{
		"unknown key":         {"\noutput_dir: gen\n", "2:1: unknown key output_dir\n\tdid you mean output-dir?"},
		"with dashes":         {"--only: [listers]\n", "1:1: unknown key --only\n\tdid you mean only?"},
		"nothing near":        {"completely-else: 1\n", "1:1: unknown key completely-else"},
		"not for the file":    {"config: other.yaml\n", "1:1: unknown key config"},
		"given twice":         {"only: [listers]\nskip: []\nonly: []\n", "3:1: only is given twice"},
		"no string":           {"output-dir: 3\n", `1:13: output-dir: "3", where a string belongs`},
		"no value":            {"output-dir:\n", "1:12: output-dir: nothing, where a string belongs"},
		"a mapping":           {"output-dir: {a: b}\n", "1:13: output-dir: a mapping, where a string belongs"},
		"no list":             {"only: listers\n", `1:7: only: "listers", where a list of strings belongs`},
		"no list of strings":  {"only:\n  - listers\n  - 1\n", `3:5: only: "1", where a list of strings belongs`},
		"no boolean":          {"prefers-protobuf: \"yes\"\n", `1:19: prefers-protobuf: "yes", where true or false belongs`},
		"packages no list":    {"packages: ./...\n", `1:11: packages: "./...", where a list of strings belongs`},
		"bad value":           {"\nlisters-dir: ../x\n", `2:14: listers-dir: "../x" is not a directory below the output directory`},
		"no such generator":   {"only: [lister]\n", `1:7: only: there is no generator "lister"; there are deepcopy, register, applyconfiguration, clientset, listers, informers, controller`},
		"several":             {"nope: 1\nlisters-dir: 1\n", "1:1: unknown key nope"},
		"no mapping":          {"- a\n", "1:1: a list, where a mapping of keys and values belongs"},
		"bad YAML":            {"a: b\n  c: [\n", "2:1: mapping values are not allowed in this context"},
		"two documents":       {"only: [listers]\n---\nskip: []\n", "2:1: a second document, where there may be only one"},
		"outputs no list":     {"outputs: {}\n", "1:10: outputs: a mapping, where a list of mappings belongs"},
		"no outputs":          {"outputs: []\n", "1:10: outputs: an empty list, where a list of mappings belongs"},
		"output no mapping":   {"outputs: [gen]\n", `1:11: "gen", where a mapping of keys and values belongs`},
		"nested outputs":      {"outputs:\n  - outputs: []\n", "2:5: unknown key outputs\n\toutputs cannot be nested"},
		"in an output":        {"outputs:\n  - output-dir: a\n    skips: []\n", "3:5: unknown key skips\n\tdid you mean skip?"},
		"same directory":      {"outputs:\n  - packages: [./a]\n  - packages: [./b]\n", "3:5: outputs 1 and 2 write to the same directory\n\tgive each an output-dir of its own"},
		"default named":       {"outputs:\n  - packages: [./a]\n  - output-dir: ./pkg/generated/\n", "3:5: outputs 1 and 2 write to the same directory\n\tgive each an output-dir of its own"},
		"one in the other":    {"outputs:\n  - output-dir: gen\n  - output-dir: gen/listers\n", "3:5: outputs 1 and 2 write to the same directory\n\tgive each an output-dir of its own"},
		"an alias":            {"only: &a [listers]\nskip: *a\n", "1:7: only and skip leave no generator"},
		"an alias as element": {"packages: [&a ./x]\nonly: [*a]\n", `2:7: only: there is no generator "./x"; there are deepcopy, register, applyconfiguration, clientset, listers, informers, controller`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, test.config)
			_, err := loadConfig(t, dir)
			var diags diag.List
			require.ErrorAs(t, err, &diags)
			got := diags.Sorted(dir)[0].String()
			assert.Equal(t, configName+":"+test.want, got)
		})
	}
}

// TestEveryPathFlagIsRelativeToTheFile holds the flags that are marked as paths against those that are named so.
func TestEveryPathFlagIsRelativeToTheFile(t *testing.T) {
	configFlags().VisitAll(func(flag *pflag.Flag) {
		below := strings.HasSuffix(flag.Usage, "below the output directory")
		isPath := (strings.HasSuffix(flag.Name, "-dir") || strings.HasSuffix(flag.Name, "-file")) && !below ||
			flag.Name == "config" || flag.Name == "openapi-schema"
		assert.Equal(t, isPath, resolvePath(flag, "/dir", "x") != "x", flag.Name)
	})
}

func TestGenerateSeveralOutputs(t *testing.T) {
	dir := module(t, "outputs:\n  - {packages: [./a/...], output-dir: gen/a}\n  - {packages: [./b/...], output-dir: gen/b}\n")
	writeFile(t, filepath.Join(dir, "a", "v1", "types.go"), "// +groupName=a.example.com\n"+oneKind)
	broken := filepath.Join(dir, "b", "v1", "types.go")
	writeFile(t, broken, "// +groupName=b.example.com\npackage v1\n\n// +genclient\n// +genclient:nope\ntype T struct{}\n")

	code, _, stderr := run(t, dir)
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "b/v1/types.go:5:")
	assert.NoDirExists(t, filepath.Join(dir, "gen"), "nothing is written before all outputs are prepared")

	writeFile(t, broken, "// +groupName=b.example.com\n"+oneKind)
	sub := filepath.Join(dir, "a", "v1")
	code, stdout, stderr := run(t, sub)
	require.Equal(t, exitDone, code, stderr)
	assert.Equal(t, 2, strings.Count(stdout, "1 group, 1 version, 1 kind in"), stdout)
	for _, name := range []string{"a", "b"} {
		assert.FileExists(t, filepath.Join(dir, "gen", name, "clientset", "versioned", "clientset.go"))
	}
	_, stdout, _ = run(t, dir, "generate")
	assert.Equal(t, 2, strings.Count(stdout, "0 files written"), stdout)
}
