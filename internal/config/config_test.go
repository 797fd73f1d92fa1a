package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// commandLine parses arguments in dir. The remaining arguments are the packages.
func commandLine(t *testing.T, dir string, args ...string) CommandLine {
	t.Helper()
	var f Flags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(flags)
	require.NoError(t, flags.Parse(args))
	return CommandLine{Dir: dir, Given: flags, Flags: &f, Packages: flags.Args()}
}

func loadConfig(t *testing.T, dir string, args ...string) ([]Options, error) {
	t.Helper()
	return commandLine(t, dir, args...).Options()
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}

// newModule makes a module with a configuration file, and returns its root.
func newModule(t *testing.T, config string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	writeFile(t, filepath.Join(dir, FileName), config)
	return dir
}

func TestConfigCarriesTheFlags(t *testing.T) {
	dir := newModule(t, `
packages: [./apis/...]
output-dir: gen
output-pkg: example.com/m/gen
go-header-file: hack/header.txt
crd-dir: crds
clientset-dir: kubernetes
plural-exceptions: [Endpoints:Endpoints, "Fish:Fish"]
prefers-protobuf: true
tracing: true
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
			assert.Equal(t, dir, opts.Load.Dir)
			assert.Equal(t, []string{"./apis/..."}, opts.Load.Patterns)
			assert.Equal(t, []string{"a"}, opts.Load.BuildTags)
			assert.Equal(t, filepath.Join(dir, "gen"), opts.OutputDir)
			assert.Equal(t, "example.com/m/gen", opts.OutputPkg)
			assert.Equal(t, filepath.Join(dir, "hack", "header.txt"), opts.HeaderFile)
			assert.Equal(t, filepath.Join(dir, "crds"), opts.CRDDir)
			assert.Equal(t, "kubernetes", opts.Layout.Clientset)
			assert.Equal(t, "listers", opts.Layout.Listers)
			assert.True(t, opts.Layout.PrefersProtobuf)
			assert.True(t, opts.Layout.Tracing)
			assert.Equal(t, map[string]string{"Endpoints": "Endpoints", "Fish": "Fish"}, opts.Resolve.Plurals)
			assert.Len(t, opts.Generators, 6)
		})
	}
}

func TestCommandLineWinsOverConfig(t *testing.T) {
	dir := newModule(t, "packages: [./apis/...]\noutput-dir: gen\nprefers-protobuf: true\nonly: [clientset]\nplural-exceptions: [A:B]\n")
	sub := filepath.Join(dir, "sub")
	all, err := loadConfig(t, sub, "--output-dir", "out", "--prefers-protobuf=false", "--only", "listers", "--plural-exceptions", "C:D")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(sub, "out"), all[0].OutputDir, "paths of the command line are relative to the working directory")
	assert.False(t, all[0].Layout.PrefersProtobuf)
	assert.False(t, all[0].Layout.Tracing)
	assert.Equal(t, "listers", all[0].Generators[0].Name)
	assert.Equal(t, map[string]string{"C": "D"}, all[0].Resolve.Plurals)
	assert.Equal(t, []string{"./apis/..."}, all[0].Load.Patterns)

	all, err = loadConfig(t, sub, "./v1")
	require.NoError(t, err)
	assert.Equal(t, sub, all[0].Load.Dir)
	assert.Equal(t, []string{"./v1"}, all[0].Load.Patterns)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].OutputDir)
}

func TestConfigFlag(t *testing.T) {
	dir := newModule(t, "nonsense: 1\n")
	writeFile(t, filepath.Join(dir, "hack", "other.yaml"), "packages: [../apis/...]\noutput-dir: ../gen\n")

	all, err := loadConfig(t, filepath.Join(dir, "hack"), "--config", "other.yaml")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "hack"), all[0].Load.Dir)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].OutputDir)

	all, err = loadConfig(t, dir, "--config=", "./v1")
	require.NoError(t, err)
	assert.Equal(t, []string{"./v1"}, all[0].Load.Patterns)

	_, err = loadConfig(t, dir, "--config", "nope.yaml")
	assert.ErrorContains(t, err, "--config: open "+filepath.Join(dir, "nope.yaml"))
}

func TestEmptyConfig(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "{}\n"} {
		dir := newModule(t, text)
		all, err := loadConfig(t, filepath.Join(dir, "apis"))
		require.NoError(t, err, "%q", text)
		require.Len(t, all, 1)
		assert.Equal(t, dir, all[0].Load.Dir)
		assert.Equal(t, []string{"./..."}, all[0].Load.Patterns)
	}
}

func TestNoConfig(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, FileName), "nonsense: 1\n")
	all, err := loadConfig(t, dir)
	require.NoError(t, err, "without a go.mod next to it, the file is not ours")
	assert.Equal(t, dir, all[0].Load.Dir)
}

func TestConfigOutputs(t *testing.T) {
	dir := newModule(t, `
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
		assert.Equal(t, []string{want.pattern}, all[i].Load.Patterns)
		assert.Equal(t, filepath.Join(dir, filepath.FromSlash(want.dir)), all[i].OutputDir)
		assert.Equal(t, want.protobuf, all[i].Layout.PrefersProtobuf)
		assert.Equal(t, filepath.Join(dir, "header.txt"), all[i].HeaderFile)
	}

	var usage UsageError
	_, err = loadConfig(t, dir, "./api/...")
	require.ErrorAs(t, err, &usage)
	assert.ErrorContains(t, err, FileName+" has 2 outputs")
	_, err = loadConfig(t, dir, "--only", "nope")
	require.ErrorAs(t, err, &usage, "a mistake in the command line is not one in the file")
	assert.EqualError(t, err, `--only: unknown generator "nope", must be one of deepcopy, register, applyconfiguration, clientset, listers, informers, controller`)
}

func TestConfigProblems(t *testing.T) {
	for name, test := range map[string]struct{ config, want string }{
		"unknown key":         {"\noutput_dir: gen\n", "2:1: unknown key output_dir\n\tdid you mean output-dir?"},
		"package to fill in":  {"packages:\n  - ./a\n  - '? hack/x.sh:3: $P'\n", "3:5: unknown packages: hack/x.sh:3: $P\n\twrite the value of packages here"},
		"value to fill in":    {"output-dir: '? hack/x.sh:3: $OUT'\n", "1:13: unknown output-dir: hack/x.sh:3: $OUT\n\twrite the value of output-dir here"},
		"with dashes":         {"--only: [listers]\n", "1:1: unknown key --only\n\tdid you mean only?"},
		"nothing near":        {"completely-else: 1\n", "1:1: unknown key completely-else"},
		"not for the file":    {"config: other.yaml\n", "1:1: unknown key config"},
		"given twice":         {"only: [listers]\nskip: []\nonly: []\n", "3:1: duplicate key only"},
		"no string":           {"output-dir: 3\n", `1:13: output-dir: got "3", want a string`},
		"no value":            {"output-dir:\n", "1:12: output-dir: got nothing, want a string"},
		"a mapping":           {"output-dir: {a: b}\n", "1:13: output-dir: got a mapping, want a string"},
		"no list":             {"only: listers\n", `1:7: only: got "listers", want a list of strings`},
		"no list of strings":  {"only:\n  - listers\n  - 1\n", `3:5: only: got "1", want a list of strings`},
		"no boolean":          {"prefers-protobuf: \"yes\"\n", `1:19: prefers-protobuf: got "yes", want true or false`},
		"packages no list":    {"packages: ./...\n", `1:11: packages: got "./...", want a list of strings`},
		"bad value":           {"\nlisters-dir: ../x\n", `2:14: listers-dir: "../x" is not a relative path inside the output directory`},
		"bad import path":     {"output-pkg: a b\n", `1:13: output-pkg: malformed import path "a b": invalid char ' '`},
		"bad plural":          {"plural-exceptions:\n  - Endpoints\n", `2:3: plural-exceptions: "Endpoints" is not of the form Kind:Plural`},
		"plural twice":        {"plural-exceptions: [A:B, A:C]\n", "1:20: plural-exceptions: A has two plurals, B and C"},
		"bad external":        {"external-applyconfigurations: [Time]\n", `1:31: external-applyconfigurations: "Time" is not of the form import/path.Type:import/path`},
		"flag in a value":     {"output-dir: gen\nlisters-dir: ../--output-dir\n", `2:14: listers-dir: "../--output-dir" is not a relative path inside the output directory`},
		"no generator left":   {"only: [listers]\nskip: [listers]\n", "2:7: only and skip leave no generator"},
		"in one output":       {"outputs:\n  - listers-dir: ..\n    output-dir: a\n  - output-dir: b\n", `2:18: listers-dir: ".." is not a relative path inside the output directory`},
		"no such generator":   {"only: [lister]\n", `1:7: only: unknown generator "lister", must be one of deepcopy, register, applyconfiguration, clientset, listers, informers, controller`},
		"several":             {"nope: 1\nlisters-dir: 1\n", "1:1: unknown key nope"},
		"no mapping":          {"- a\n", "1:1: got a list, want a mapping"},
		"bad YAML":            {"a: b\n  c: [\n", "2:4: mapping values are not allowed in this context"},
		"unclosed quote":      {"only: [\"a]\n", "2:1: found unexpected end of stream"},
		"a control character": {"only: \x01\n", "1:1: control characters are not allowed (value: 1)"},
		"unknown anchor":      {"only: *a\n", "1:7: unknown anchor 'a' referenced"},
		"two documents":       {"only: [listers]\n---\nskip: []\n", "2:1: the file must have a single document"},
		"outputs no list":     {"outputs: {}\n", "1:10: outputs: got a mapping, want a list of mappings"},
		"no outputs":          {"outputs: []\n", "1:10: outputs: got an empty list, want a list of mappings"},
		"output no mapping":   {"outputs: [gen]\n", `1:11: got "gen", want a mapping`},
		"nested outputs":      {"outputs:\n  - outputs: []\n", "2:5: unknown key outputs\n\toutputs cannot be nested"},
		"in an output":        {"outputs:\n  - output-dir: a\n    skips: []\n", "3:5: unknown key skips\n\tdid you mean skip?"},
		"same directory":      {"outputs:\n  - packages: [./a]\n  - packages: [./b]\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"default named":       {"outputs:\n  - packages: [./a]\n  - output-dir: ./pkg/generated/\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"one in the other":    {"outputs:\n  - output-dir: gen\n  - output-dir: gen/listers\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"an alias":            {"only: &a [listers]\nskip: *a\n", "1:7: only and skip leave no generator"},
		"an alias as element": {"packages: [&a ./x]\nonly: [*a]\n", `2:7: only: unknown generator "./x", must be one of deepcopy, register, applyconfiguration, clientset, listers, informers, controller`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newModule(t, test.config)
			_, err := loadConfig(t, dir)
			var diags diag.List
			require.ErrorAs(t, err, &diags)
			got := diags.Sorted(dir)[0].String()
			assert.Equal(t, FileName+":"+test.want, got)
		})
	}
}

// TestEveryPathFlagIsRelativeToTheFile compares the flags marked as paths with those whose names look like paths.
func TestEveryPathFlagIsRelativeToTheFile(t *testing.T) {
	defaults().VisitAll(func(flag *pflag.Flag) {
		below := strings.HasSuffix(flag.Usage, "relative to the output directory")
		isPath := (strings.HasSuffix(flag.Name, "-dir") || strings.HasSuffix(flag.Name, "-file")) && !below ||
			flag.Name == "config" || flag.Name == "openapi-schema"
		assert.Equal(t, isPath, resolvePath(flag, "/dir", "x") != "x", flag.Name)
	})
}

// TestProblemsOfFlags checks values as a program gives them, and expects the problems in the order of the flags.
func TestProblemsOfFlags(t *testing.T) {
	f := Default()
	f.OutputPkg, f.ListersDir, f.ClientsetDir = "a b", "../x", "/tmp"
	f.PluralExceptions, f.Only, f.Skip = []string{"A"}, []string{"listers"}, []string{"listers"}
	_, err := f.Options("/dir", nil)
	var problems FlagErrors
	require.ErrorAs(t, err, &problems)
	var flags [][]string
	for _, p := range problems {
		flags = append(flags, p.Flags)
	}
	assert.Equal(t, [][]string{{"output-pkg"}, {"clientset-dir"}, {"listers-dir"}, {"plural-exceptions"}, {"only", "skip"}}, flags)
	assert.Equal(t, `--output-pkg: malformed import path "a b": invalid char ' '
--clientset-dir: "/tmp" is not a relative path inside the output directory
--listers-dir: "../x" is not a relative path inside the output directory
--plural-exceptions: "A" is not of the form Kind:Plural
--only and --skip leave no generator`, err.Error())
	var one *FlagError
	require.ErrorAs(t, err, &one)
	assert.Equal(t, []string{"output-pkg"}, one.Flags)
}

// TestOptionsWithoutACommandLine fills in flags as a program does.
func TestOptionsWithoutACommandLine(t *testing.T) {
	f := Default()
	f.OutputDir, f.Skip = "gen", []string{"applyconfiguration"}
	opts, err := f.Options("/dir", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"./..."}, opts.Load.Patterns)
	assert.Equal(t, "/dir/gen", opts.Absolute(opts.OutputDir))
	assert.Equal(t, "/abs", opts.Absolute("/abs"))
	assert.False(t, opts.Resolve.Apply)
	assert.True(t, opts.Selects("listers"))
	assert.False(t, opts.Selects("applyconfiguration"))
}

func TestDirectories(t *testing.T) {
	f := Default()
	f.Only, f.InformersDir = []string{"register", "listers", "informers"}, "inf/./x"
	opts, err := f.Options("/dir", nil)
	require.NoError(t, err)
	owned, other := opts.Directories()
	assert.Equal(t, []string{"listers", "inf/x"}, owned)
	assert.Equal(t, []string{"applyconfiguration", "clientset/versioned", "controllers"}, other)
	assert.Equal(t, []string{"zz_generated.register.go"}, opts.BesideNames())
}

func TestCommandLineProblemsWinOverTheFile(t *testing.T) {
	dir := newModule(t, "only: [listers]\n")
	_, err := loadConfig(t, dir, "--skip", "listers")
	var usage UsageError
	require.ErrorAs(t, err, &usage, "the command line has part in it")
	assert.EqualError(t, err, "--only and --skip leave no generator")
}

// TestTextShowsEveryKey uncomments the configuration written by init, and reads it with every key at its default.
func TestTextShowsEveryKey(t *testing.T) {
	text := Text(map[string]any{OutputDirKey: "gen"})
	uncommented := regexp.MustCompile(`(?m)^#(\S)`).ReplaceAllString(text, "$1")
	file, err := parse("config.yaml", []byte(uncommented))
	require.NoError(t, err)
	assert.Equal(t, []string{"./..."}, file.top.packages)
	assert.Len(t, file.outputs, 1)
	values := map[string]setting{}
	for _, v := range file.top.values {
		values[v.key] = v
	}
	defaults().VisitAll(func(flag *pflag.Flag) {
		if flagOf(flag.Name) == nil || flag.Name == "output-dir" {
			return
		}
		require.Contains(t, values, flag.Name)
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			got, bad := stringList(values[flag.Name].node)
			assert.Nil(t, bad)
			assert.ElementsMatch(t, list.GetSlice(), got, flag.Name)
		} else {
			assert.Equal(t, flag.DefValue, values[flag.Name].node.Value, flag.Name)
		}
	})
}
