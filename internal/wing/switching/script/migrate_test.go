package script

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/pipeline"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata/scripts")

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}

// translate returns the configuration and the printed diagnostics.
func translate(t *testing.T, dir string, scripts ...string) (text, problems string, err error) {
	t.Helper()
	for i, name := range scripts {
		scripts[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return translateSource(Source{Products: generators.All, Dir: dir, Files: scripts})
}

func translateSource(source Source) (text, problems string, err error) {
	text, diags, err := Configuration(source)
	if failed, ok := errors.AsType[diag.List](err); ok {
		diags = append(diags, failed...)
	}
	for _, d := range diags.Sorted(source.Dir) {
		problems += d.String() + "\n"
	}
	return text, problems, err
}

// TestScripts translates the sources found in each archive, or the files named in its first line, and compares the configuration
// with the archive's stdout and the diagnostics with its stderr. An archive without stdout must fail. Every configuration must be
// valid, unless it has unknown values. With --manifests in the first line, manifests count as unchanged.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), "fleet")
			want := map[string]*txtar.File{}
			for i, f := range archive.Files {
				if f.Name == "stdout" || f.Name == "stderr" {
					want[f.Name] = &archive.Files[i]
					continue
				}
				writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
			}
			source := Source{Products: generators.All, Dir: dir}
			if named, ok := strings.CutPrefix(strings.SplitN(string(archive.Comment), "\n", 2)[0], "migrate "); ok {
				for name := range strings.FieldsSeq(named) {
					if name == "--manifests" {
						source.Prove = func(_, _ string) error { return nil }
						continue
					}
					source.Files = append(source.Files, filepath.Join(dir, filepath.FromSlash(name)))
				}
			}
			text, problems, err := translateSource(source)
			for name, got := range map[string]string{"stdout": text, "stderr": problems} {
				switch f := want[name]; {
				case f == nil:
					assert.Empty(t, got, name)
				case *update:
					f.Data = []byte(got)
				default:
					assert.Equal(t, string(f.Data), got, name)
				}
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
			if want["stdout"] == nil {
				assert.Error(t, err)
				return
			}
			if strings.Contains(text, option.Question+" ") {
				require.ErrorContains(t, err, "unknown ")
				return
			}
			require.NoError(t, err)
			checkConfiguration(t, dir, text)
		})
	}
}

// TestLimit checks that many recipes, or shells in containers, exceed the limit together, and that this is reported however the
// script is found.
func TestLimit(t *testing.T) {
	const function = "A := $(shell for i in {1..2000}; do :; done)\n"
	const loop = "for i in 1 2 3 4 5 6 7 8 9; do for j in {1..1000}; do :; done; done # not client-gen\n"
	for name, test := range map[string]struct{ file, text, want string }{
		"recipes":    {"Makefile", strings.Repeat("x:\n\tclient-gen\n\thack/loop.sh\n", 100), "hack/loop.sh:1:55: "},
		"functions":  {"Makefile", strings.Repeat(function, 100) + "x:\n\tclient-gen $(A)\n", "Makefile:9:24: "},
		"containers": {"hack/gen.sh", "for i in {1..100}; do docker run x sh -c 'hack/loop.sh; client-gen'; done\n", "hack/loop.sh:1:55: "},
		"calls":      {"hack/gen.sh", "for i in {1..2000}; do client-gen $i; done\n", "hack/gen.sh:1:24: "},
		"length":     {"Makefile", "x:\n\tclient-gen\n" + strings.Repeat("# x\n", 100_000), "Makefile:1: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "fleet")
			writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
			writeFile(t, filepath.Join(dir, "hack", "loop.sh"), loop)
			writeFile(t, filepath.Join(dir, filepath.FromSlash(test.file)), test.text)
			for _, files := range [][]string{{test.file}, nil} {
				_, problems, _ := translate(t, dir, files...)
				assert.Contains(t, problems, test.want+"stopped reading this script: it exceeds the limit of ")
			}
		})
	}
}

// TestLimitOfOthers checks that the limits of scripts that nobody named are one warning if the configuration exists.
func TestLimitOfOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
	writeFile(t, filepath.Join(dir, "hack", "gen.sh"), "lister-gen ./api/v1 --output-dir listers --output-pkg example.com/fleet/listers\n")
	for _, name := range []string{"a.sh", "b.sh", "c.sh"} {
		writeFile(t, filepath.Join(dir, "hack", name), "for i in {1..100}; do for j in {1..1000}; do :; done; done # not lister-gen\n")
	}
	text, problems, err := translate(t, dir)
	require.NoError(t, err)
	assert.Contains(t, text, "packages:\n  - ./api/v1\n")
	assert.Equal(t, "hack/a.sh:1:46: stopped reading this script and 2 others: it exceeds the limit of 32768 commands\n"+
		"\tcheck that the configuration has all packages and outputs: "+
		"hack/a.sh:1 has lister-gen, hack/b.sh:1 has lister-gen, hack/c.sh:1 has lister-gen\n", problems)
}

// TestSilence checks that nothing is said about scripts that exceed a limit, and that others are read, if no generator occurs in them and in
// what they source or call.
func TestSilence(t *testing.T) {
	const listers = "lister-gen ./api/v1 --output-dir listers --output-pkg example.com/fleet/listers\n"
	const long = "for i in {1..100}; do for j in {1..1000}; do :; done; done\n"
	const stopped = ":1:46: stopped reading this script: it exceeds the limit of 32768 commands\n" +
		"\tcheck that the configuration has all packages and outputs: "
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"called":                    {map[string]string{"Makefile": "a:\n\thack/long.sh\nb:\n\thack/gen.sh\n", "hack/long.sh": long}, ""},
		"called, with more":         {map[string]string{"Makefile": "a:\n\thack/long.sh\n", "hack/long.sh": long + ". hack/more.sh\n", "hack/more.sh": ""}, ""},
		"sourced":                   {map[string]string{"Makefile": "a:\n\t. hack/long.sh\n", "hack/long.sh": long}, ""},
		"a generator as a variable": {map[string]string{"Makefile": "a:\n\tG=client-gen hack/long.sh\n", "hack/long.sh": long}, "hack/long.sh" + stopped + "Makefile:2 has client-gen\n"},
		"calls what calls a generator": {
			map[string]string{
				"Makefile": "a:\n\thack/long.sh\n", "hack/long.sh": long + "source \"$D/lib.bash\"\n", "hack/lib.bash": "hack/all\n",
				"hack/all": "#!/bin/bash\nmore\n# informer-gen\n",
			},
			"hack/long.sh" + stopped + "hack/all:3 has informer-gen\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "fleet")
			writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
			writeFile(t, filepath.Join(dir, "hack", "gen.sh"), listers)
			for name, text := range test.files {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			}
			text, problems, err := translate(t, dir)
			require.NoError(t, err)
			assert.Contains(t, text, "packages:\n  - ./api/v1\n")
			assert.Equal(t, test.want, problems)
		})
	}
}

// TestNestedModule runs in a module whose scripts are above it, in a repository with or without a module at its root.
func TestNestedModule(t *testing.T) {
	const gen = "client-gen --clientset-name versioned --input-base '' --input ./api/v1 --output-dir ./api/gen --output-pkg example.com/fleet/api/gen"
	for name, test := range map[string]struct {
		files           map[string]string
		occurrence, run string
	}{
		"Makefile":         {map[string]string{"Makefile": "x:\n\t" + gen + "\n"}, "../../Makefile:2 has client-gen", "../../Makefile"},
		"script":           {map[string]string{"hack/gen.sh": gen, "go.mod": "module example.com/fleet\n"}, "../../hack/gen.sh:1 has client-gen", "../../hack/gen.sh"},
		"Makefile, script": {map[string]string{"Makefile": "x:\n\thack/gen.sh\n", "hack/gen.sh": gen}, "../../hack/gen.sh:1 has client-gen", "../../hack/gen.sh"},
		"other scripts": {map[string]string{
			"more/go.mod": "module example.com/more\n", "more/gen.sh": gen, "a.sh": "lister-gen\n", "b.sh": "\n" + gen,
		}, "../../b.sh:2 has client-gen", "../../b.sh"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "fleet")
			require.NoError(t, os.MkdirAll(filepath.Join(root, ".git"), 0o777))
			writeFile(t, filepath.Join(root, "api", "go.mod"), "module example.com/fleet/api\n")
			writeFile(t, filepath.Join(root, "api", "v1", "types.go"), "package v1\n\n// +genclient\ntype Robot struct{}\n")
			for name, text := range test.files {
				writeFile(t, filepath.Join(root, filepath.FromSlash(name)), text)
			}
			dir := filepath.Join(root, "api", "v1")
			_, problems, err := translateSource(Source{Products: generators.All, Dir: dir})
			require.NotErrorIs(t, err, ErrNothing)
			assert.Equal(t, "found no call of a generator here, but outside of the module: "+test.occurrence+
				"\n\trun informer-gen-lite migrate "+test.run+"\n", problems)
			text, problems, err := translate(t, dir, strings.Fields(test.run)...)
			require.NoError(t, err, problems)
			assert.Equal(t, "packages:\n  - ./v1\noutput-dir: gen\nclientset-dir: versioned\nonly:\n  - clientset\n", text)
		})
	}
}

// TestStdin reads the output of make -n, in which every line runs in a separate shell.
func TestStdin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
	text, diags, err := Configuration(Source{Products: generators.All, Dir: dir, Files: []string{Stdin}, Stdin: strings.NewReader(`make[1]: Entering directory '/x/y'
cd clients && lister-gen --output-dir listers --output-pkg example.com/fleet/clients/listers ../apis/v1
client-gen --clientset-name versioned --input-base "" --input ./apis/v1 --output-dir clients/clientset \
	--output-pkg example.com/fleet/clients/clientset
make[1]: Leaving directory '/x/y'
`)})
	require.NoError(t, err)
	assert.Empty(t, diags)
	assert.Equal(t, "packages:\n  - ./apis/v1\noutput-dir: clients\nonly:\n  - clientset\n  - listers\n", text)
}

// checkConfiguration checks that a text is accepted as the configuration of a module.
func checkConfiguration(t *testing.T, dir, text string) {
	t.Helper()
	outputs, err := config.Parse(filepath.Join(dir, option.FileName), []byte(text))
	require.NoError(t, err)
	all, err := pipeline.AllOptions(outputs, run.House{Products: generators.All})
	require.NoError(t, err)
	assert.NotEmpty(t, all)
}

// TestEveryGeneratorIsKnown fails if there is a new generator, whose calls should then be translated.
func TestEveryGeneratorIsKnown(t *testing.T) {
	want := []string{
		"deepcopy", "defaults", "register", "conversion", "applyconfiguration", "clientset", "listers", "informers", "controller", "crd", "rbac",
	}
	assert.Equal(t, want, generators.All.Names())
}

// FuzzMigrate searches for scripts and Makefiles that crash the translation.
func FuzzMigrate(f *testing.F) {
	files, err := filepath.Glob("testdata/scripts/*.txtar")
	require.NoError(f, err)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(f, err)
		for _, a := range archive.Files {
			if isMake := isMakefile(filepath.Base(a.Name)); isMake || strings.HasSuffix(a.Name, ".sh") {
				f.Add(string(a.Data), isMake)
			}
		}
	}
	f.Fuzz(func(t *testing.T, script string, isMake bool) {
		dir := t.TempDir()
		name := "gen.sh"
		if isMake {
			name = "Makefile"
		}
		writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
		writeFile(t, filepath.Join(dir, name), script)
		text, problems, err := translate(t, dir, name)
		if err == nil {
			assert.NotEmpty(t, text)
		} else {
			assert.NotEmpty(t, problems+err.Error())
		}
	})
}
