package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

func TestProblemsOfOptions(t *testing.T) {
	for name, test := range map[string]struct{ config, want string }{
		"bad plural":          {"plural-exceptions:\n  - Endpoints\n", `2:3: plural-exceptions: "Endpoints" is not of the form Kind:Plural`},
		"plural twice":        {"plural-exceptions: [A:B, A:C]\n", "1:20: plural-exceptions: A has two plurals, B and C"},
		"bad external":        {"external-applyconfigurations: [Time]\n", `1:31: external-applyconfigurations: "Time" is not of the form import/path.Type:import/path`},
		"no generator left":   {"only: [listers]\nskip: [listers]\n", "2:7: only and skip leave no generator"},
		"no such generator":   {"only: [lister]\n", `1:7: only: unknown generator "lister", must be one of deepcopy, defaults, register, conversion, applyconfiguration, clientset, listers, informers, controller, crd, rbac`},
		"same directory":      {"outputs:\n  - packages: [./a]\n  - packages: [./b]\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"default named":       {"outputs:\n  - packages: [./a]\n  - output-dir: ./pkg/generated/\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"one in the other":    {"outputs:\n  - output-dir: gen\n  - output-dir: gen/listers\n", "3:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"same definitions":    {"only: [crd]\noutputs:\n  - crd-output-dir: a\n  - crd-output-dir: ./a\n", "4:5: outputs 1 and 2 write to the same directory\n\tset a different output-dir for each"},
		"group named twice":   {"group-go-names: [a:B, a:C]\n", "1:17: group-go-names: a has two names, B and C"},
		"external twice":      {"external-applyconfigurations: [a.B:c, a.B:d]\n", "1:31: external-applyconfigurations: a.B has two packages, c and d"},
		"an alias":            {"only: &a [listers]\nskip: *a\n", "1:7: only and skip leave no generator"},
		"an alias as element": {"packages: [&a ./x]\nonly: [*a]\n", `2:7: only: unknown generator "./x", must be one of deepcopy, defaults, register, conversion, applyconfiguration, clientset, listers, informers, controller, crd, rbac`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			outputs, err := config.Parse(filepath.Join(dir, option.FileName), []byte(test.config))
			require.NoError(t, err)
			_, err = AllOptions(outputs, run.House{Products: generators.All})
			var diags diag.List
			require.ErrorAs(t, err, &diags)
			assert.Equal(t, option.FileName+":"+test.want, diags.Sorted(dir)[0].String())
		})
	}
}

// TestOutputsInOneDirectory shares the output directory, of which only one output uses more than the checksums.
func TestOutputsInOneDirectory(t *testing.T) {
	outputs, err := config.Parse(filepath.Join(t.TempDir(), option.FileName), []byte("outputs:\n"+
		"  - {packages: [./a], only: [deepcopy, crd], crd-output-dir: a}\n"+
		"  - {packages: [./b], only: [register, crd], crd-output-dir: b}\n"+
		"  - {packages: [./c]}\n  - {packages: [./d], output-dir: d}\n"))
	require.NoError(t, err)
	all, err := AllOptions(outputs, run.House{Products: generators.All})
	require.NoError(t, err)
	for i, shared := range []bool{true, true, true, false} {
		assert.Equal(t, shared, all[i].Shared, i)
	}
}

// TestProblemsOfACommandLine has no configuration file.
func TestProblemsOfACommandLine(t *testing.T) {
	dir := t.TempDir()
	var values option.Values
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	values.Register(flags, nil)
	require.NoError(t, flags.Parse([]string{"--config=", "--only", "nope"}))
	outputs, err := config.CommandLine{Dir: dir, Given: flags, Values: &values}.Outputs()
	require.NoError(t, err)
	_, err = AllOptions(outputs, run.House{Products: generators.All})
	var usage option.UsageError
	require.ErrorAs(t, err, &usage)
	assert.EqualError(t, err, `--only: unknown generator "nope", must be one of deepcopy, defaults, register, conversion, applyconfiguration, clientset, listers, informers, controller, crd, rbac`)
}

// TestProblemsOfFlags checks values as a program gives them, and expects the problems in the order of the flags.
func TestProblemsOfFlags(t *testing.T) {
	f := option.Default()
	f.OutputPkg, f.ListersDir, f.ClientsetDir = "a b", "../x", "/tmp"
	f.PluralExceptions, f.Only, f.Skip = []string{"A"}, []string{"listers"}, []string{"listers"}
	_, err := optionsOf(config.Output{Values: f, Dir: "/dir"})
	var problems option.FlagErrors
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
	var one *option.FlagError
	require.ErrorAs(t, err, &one)
	assert.Equal(t, []string{"output-pkg"}, one.Flags)
}

// TestOptionsWithoutACommandLine fills in flags as a program does.
func TestOptionsWithoutACommandLine(t *testing.T) {
	f := option.Default()
	f.OutputDir, f.Skip = "gen", []string{"applyconfiguration"}
	opts, err := optionsOf(config.Output{Values: f, Dir: "/dir"})
	require.NoError(t, err)
	assert.Equal(t, []string{"./..."}, opts.Load.Patterns)
	assert.Equal(t, "/dir/gen", opts.Absolute(opts.Values.OutputDir))
	assert.Equal(t, "/abs", opts.Absolute("/abs"))
	assert.False(t, opts.Resolve.Apply)
	assert.True(t, opts.Generators.Has("listers"))
	assert.False(t, opts.Generators.Has("applyconfiguration"))
}

func TestDirectories(t *testing.T) {
	f := option.Default()
	f.Only, f.InformersDir = []string{"register", "listers", "informers"}, "inf/./x"
	opts, err := optionsOf(config.Output{Values: f, Dir: "/dir"})
	require.NoError(t, err)
	owned, other := opts.Directories()
	assert.Equal(t, []string{"listers", "inf/x"}, owned)
	assert.Equal(t, []string{"applyconfiguration", "clientset/versioned", "controllers"}, other)
	assert.Equal(t, []string{"zz_generated.register.go"}, opts.Generators.PackageFiles())
}

func TestLocate(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"m", "other"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, name), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, name, "go.mod"), []byte("module example.com/"+name+"\n"), 0o666))
	}
	dir := func(elements ...string) string { return filepath.Join(append([]string{root}, elements...)...) }
	main := func(name string) *load.Package {
		return &load.Package{Module: &load.Module{Dir: dir(name), Main: true}}
	}
	for name, test := range map[string]struct {
		outputDir, outputPkg string
		packages             []*load.Package
		want                 module.Place
		problem              string
	}{
		"by default in the module of the packages": {packages: []*load.Package{main("other")}, want: module.Place{Dir: dir("other/pkg/generated"), ImportPath: "example.com/other/pkg/generated"}},
		"for dependencies in that of the directory": {
			packages: []*load.Package{{Module: &load.Module{Dir: "/cache"}}, {}}, want: module.Place{Dir: dir("m/pkg/generated"), ImportPath: "example.com/m/pkg/generated"},
		},
		"relative":            {outputDir: "gen", want: module.Place{Dir: dir("m/gen"), ImportPath: "example.com/m/gen"}},
		"in another module":   {outputDir: "../other/gen", want: module.Place{Dir: dir("other/gen"), ImportPath: "example.com/other/gen"}},
		"with an import path": {outputDir: "/x", outputPkg: "example.org/x", want: module.Place{Dir: "/x", ImportPath: "example.org/x"}},
		"of several modules":  {packages: []*load.Package{main("m"), main("other")}, problem: "the packages are in several modules: set --output-dir"},
		"outside of modules":  {outputDir: "..", problem: "no go.mod in " + root + " or its parents: set --output-pkg"},
		"not an import path":  {outputDir: "my clients", problem: dir("m/my clients") + ` cannot be a Go package: malformed import path "example.com/m/my clients": invalid char ' '`},
	} {
		t.Run(name, func(t *testing.T) {
			opts := run.Options{Load: load.Config{Dir: dir("m")}, Values: option.Values{OutputDir: test.outputDir, OutputPkg: test.outputPkg}}
			place, err := placeOf(opts, &load.Result{Packages: test.packages})
			if test.problem != "" {
				require.EqualError(t, err, test.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, place)
		})
	}
}
