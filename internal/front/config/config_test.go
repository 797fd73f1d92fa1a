package config

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
)

// loadConfig parses arguments in dir, of which the remaining ones are the packages, and returns the checked outputs.
func loadConfig(t *testing.T, dir string, args ...string) ([]Output, error) {
	t.Helper()
	var values option.Values
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	values.Register(flags, nil)
	require.NoError(t, flags.Parse(args))
	owner, _ := module.Owner(dir)
	outputs, err := CommandLine{Dir: dir, Module: owner.Dir, Given: flags, Values: &values, Packages: flags.Args()}.Outputs()
	var diags diag.List
	for i := range outputs {
		if err == nil {
			err = outputs[i].Locate(outputs[i].Values.Check(), &diags)
		}
	}
	if err == nil {
		err = diags.Err()
	}
	return outputs, err
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
	writeFile(t, filepath.Join(dir, option.FileName), config)
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
			assert.Equal(t, dir, opts.Dir)
			assert.Equal(t, []string{"./apis/..."}, opts.Packages)
			assert.Equal(t, []string{"a"}, opts.Values.BuildTags)
			assert.Equal(t, filepath.Join(dir, "gen"), opts.Values.OutputDir)
			assert.Equal(t, "example.com/m/gen", opts.Values.OutputPkg)
			assert.Equal(t, filepath.Join(dir, "hack", "header.txt"), opts.Values.GoHeaderFile)
			assert.Equal(t, filepath.Join(dir, "crds"), opts.Values.CRDDir)
			assert.Equal(t, "kubernetes", opts.Values.ClientsetDir)
			assert.Equal(t, "listers", opts.Values.ListersDir)
			assert.True(t, opts.Values.PrefersProtobuf)
			assert.Equal(t, []string{"Endpoints:Endpoints", "Fish:Fish"}, opts.Values.PluralExceptions)
			assert.Equal(t, []string{"listers"}, opts.Values.Skip)
			assert.True(t, opts.Values.Prune, "the file lists all packages")
		})
	}
}

func TestCommandLineWinsOverConfig(t *testing.T) {
	dir := newModule(t, "packages: [./apis/...]\noutput-dir: gen\nprefers-protobuf: true\nonly: [clientset]\nplural-exceptions: [A:B]\n")
	sub := filepath.Join(dir, "sub")
	all, err := loadConfig(t, sub, "--output-dir", "out", "--prefers-protobuf=false", "--only", "listers", "--plural-exceptions", "C:D")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(sub, "out"), all[0].Values.OutputDir, "paths of the command line are relative to the working directory")
	assert.False(t, all[0].Values.PrefersProtobuf)
	assert.Equal(t, []string{"listers"}, all[0].Values.Only)
	assert.Equal(t, []string{"C:D"}, all[0].Values.PluralExceptions)
	assert.Equal(t, []string{"./apis/..."}, all[0].Packages)

	all, err = loadConfig(t, sub, "./v1")
	require.NoError(t, err)
	assert.Equal(t, sub, all[0].Dir)
	assert.Equal(t, []string{"./v1"}, all[0].Packages)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].Values.OutputDir)
}

func TestConfigFlag(t *testing.T) {
	dir := newModule(t, "nonsense: 1\n")
	writeFile(t, filepath.Join(dir, "hack", "other.yaml"), "packages: [../apis/...]\noutput-dir: ../gen\n")

	all, err := loadConfig(t, filepath.Join(dir, "hack"), "--config", "other.yaml")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "hack"), all[0].Dir)
	assert.Equal(t, filepath.Join(dir, "gen"), all[0].Values.OutputDir)

	all, err = loadConfig(t, dir, "--config=", "./v1")
	require.NoError(t, err)
	assert.Equal(t, []string{"./v1"}, all[0].Packages)

	_, err = loadConfig(t, dir, "--config", "nope.yaml")
	assert.ErrorContains(t, err, "--config: open "+filepath.Join(dir, "nope.yaml"))
}

func TestEmptyConfig(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "{}\n"} {
		dir := newModule(t, text)
		all, err := loadConfig(t, filepath.Join(dir, "apis"))
		require.NoError(t, err, "%q", text)
		require.Len(t, all, 1)
		assert.Equal(t, dir, all[0].Dir)
		assert.Empty(t, all[0].Packages)
	}
}

func TestNoConfig(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, option.FileName), "nonsense: 1\n")
	all, err := loadConfig(t, dir)
	require.NoError(t, err, "without a go.mod next to it, the file is not ours")
	assert.Equal(t, dir, all[0].Dir)
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
		assert.Equal(t, []string{want.pattern}, all[i].Packages)
		assert.Equal(t, filepath.Join(dir, filepath.FromSlash(want.dir)), all[i].Values.OutputDir)
		assert.Equal(t, want.protobuf, all[i].Values.PrefersProtobuf)
		assert.Equal(t, filepath.Join(dir, "header.txt"), all[i].Values.GoHeaderFile)
	}

	var usage option.UsageError
	_, err = loadConfig(t, dir, "./api/...")
	require.ErrorAs(t, err, &usage)
	assert.ErrorContains(t, err, option.FileName+" has 2 outputs")
	_, err = loadConfig(t, dir, "--listers-dir", "..")
	require.ErrorAs(t, err, &usage, "a mistake in the command line is not one in the file")
	assert.EqualError(t, err, `--listers-dir: ".." is not a relative path inside the output directory`)
}

func TestConfigProblems(t *testing.T) {
	for name, test := range map[string]struct{ config, want string }{
		"unknown key":         {"\noutput_dir: gen\n", "2:1: unknown key output_dir\n\tdid you mean output-dir?"},
		"package to fill in":  {"packages:\n  - ./a\n  - '? hack/x.sh:3: $P'\n", "3:5: unknown packages: hack/x.sh:3: $P\n\twrite the value of packages here"},
		"value to fill in":    {"output-dir: '? hack/x.sh:3: $OUT'\n", "1:13: unknown output-dir: hack/x.sh:3: $OUT\n\twrite the value of output-dir here"},
		"with dashes":         {"--only: [listers]\n", "1:1: unknown key --only\n\tdid you mean only?"},
		"nothing near":        {"completely-else: 1\n", "1:1: unknown key completely-else"},
		"removed":             {"openapi-schema: a.json\n", "1:1: openapi-schema was removed\n\tomit it: the schema of apply configurations follows from the types"},
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
		"flag in a value":     {"output-dir: gen\nlisters-dir: ../--output-dir\n", `2:14: listers-dir: "../--output-dir" is not a relative path inside the output directory`},
		"in one output":       {"outputs:\n  - listers-dir: ..\n    output-dir: a\n  - output-dir: b\n", `2:18: listers-dir: ".." is not a relative path inside the output directory`},
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
		"several outputs":     {"outputs:\n  - listers-dir: ..\n    folders: x\n  - folders: y\n", `2:18: listers-dir: ".." is not a relative path inside the output directory`},
		"an alias":            {"packages: [&a ./x]\nbuild-tags: [*a]\nonly: &b {}\nskip: *b\n", "3:7: only: got a mapping, want a list of strings"},
		"in an output":        {"outputs:\n  - output-dir: a\n    skips: []\n", "3:5: unknown key skips\n\tdid you mean skip?"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newModule(t, test.config)
			_, err := loadConfig(t, dir)
			var diags diag.List
			require.ErrorAs(t, err, &diags)
			got := diags.Sorted(dir)[0].String()
			assert.Equal(t, option.FileName+":"+test.want, got)
		})
	}
}

// TestEveryPathFlagIsRelativeToTheFile compares the options marked as paths with those whose names look like paths.
func TestEveryPathFlagIsRelativeToTheFile(t *testing.T) {
	for _, o := range option.Options {
		isPath := (strings.HasSuffix(o.Flag, "-dir") || strings.HasSuffix(o.Flag, "-file")) && o.Kind != option.Folder || o.Flag == "config"
		assert.Equal(t, isPath, o.Resolve("/dir", "x") != "x", o.Flag)
	}
}

func TestCommandLineProblemsWinOverTheFile(t *testing.T) {
	dir := newModule(t, "only: [listers]\n")
	outputs, err := loadConfig(t, dir, "--skip", "listers")
	require.NoError(t, err)
	var problems option.FlagErrors
	problems.Add(errors.New("leave no generator"), "only", "skip")
	var usage option.UsageError
	var diags diag.List
	require.ErrorAs(t, outputs[0].Locate(problems, &diags), &usage, "the command line has part in it")
	assert.EqualError(t, usage, "--only and --skip leave no generator")
	assert.Empty(t, diags)
}

// TestTextShowsEveryKey uncomments the configuration written by init, and reads it with every key at its default.
func TestTextShowsEveryKey(t *testing.T) {
	text := Text(map[string]any{option.OutputDirKey: "gen"}, []string{"listers", "informers"})
	assert.Contains(t, text, "# Only run these generators: listers, informers.\n#only: []\n")
	uncommented := regexp.MustCompile(`(?m)^#(\S)`).ReplaceAllString(text, "$1")
	file, err := parse("config.yaml", []byte(uncommented))
	require.NoError(t, err)
	assert.Equal(t, []string{"./..."}, file.top.packages)
	assert.Len(t, file.outputs, 1)
	values := option.Values{ConfigFile: option.FileName}
	for _, s := range file.top.settings {
		values.Of(*s.option).Set(reflect.ValueOf(s.value))
	}
	want := option.Default()
	for _, o := range option.Options {
		switch got := values.Of(o); {
		case o.Flag == option.OutputDirKey:
			assert.Equal(t, "gen", got.String())
		case got.Kind() == reflect.Slice:
			assert.True(t, o.FlagOnly || !got.IsNil(), "%s is missing", o.Flag)
			assert.Empty(t, got.Interface(), o.Flag)
		default:
			assert.Equal(t, want.Of(o).Interface(), got.Interface(), o.Flag)
		}
		assert.True(t, o.FlagOnly || slices.ContainsFunc(file.top.settings, func(s setting) bool { return s.option.Flag == o.Flag }), o.Flag)
	}
}

// TestDependencies keeps generators and templates out of the packages that config imports, also by way of others.
func TestDependencies(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "/internal/core/spelling\n")
	assert.NotRegexp(t, `informer-gen-lite/(generators|templates|internal/core/(render|model))\b`, string(out))
}
