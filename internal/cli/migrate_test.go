package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
)

// TestMigrate runs migrate on the scripts of each archive. What it prints on stdout and stderr is compared with the files
// of these names; one without stdout has to fail. What comes out must be good as a configuration.
func TestMigrate(t *testing.T) {
	files, err := filepath.Glob("testdata/migrate/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), "fleet")
			args := []string{"migrate"}
			want := map[string]*txtar.File{}
			for i, f := range archive.Files {
				if f.Name == "stdout" || f.Name == "stderr" {
					want[f.Name] = &archive.Files[i]
					continue
				}
				writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
				if strings.HasSuffix(f.Name, ".sh") {
					args = append(args, filepath.FromSlash(f.Name))
				}
			}
			code, stdout, stderr := run(t, dir, args...)
			for name, got := range map[string]string{"stdout": stdout, "stderr": stderr} {
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
				assert.Equal(t, exitProblem, code)
				return
			}
			assert.Equal(t, exitDone, code)
			writeFile(t, filepath.Join(dir, configName), stdout)
			all, err := loadConfig(t, dir)
			require.NoError(t, err)
			assert.NotEmpty(t, all)
		})
	}
}

// TestMigrateKnowsEveryGenerator fails when there is a new generator, whose calls migrate should then translate.
func TestMigrateKnowsEveryGenerator(t *testing.T) {
	assert.Equal(t, []string{"deepcopy", "register", "applyconfiguration", "clientset", "listers", "informers", "controller"}, generators.Names())
}

func TestMigrateUsage(t *testing.T) {
	code, _, stderr := run(t, t.TempDir(), "migrate")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, "migrate needs the name of a script")

	code, _, stderr = run(t, t.TempDir(), "migrate", "nope.sh")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "nope.sh")

	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "gen.sh"), "client-gen\n")
	code, _, stderr = run(t, dir, "migrate", "gen.sh")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "no go.mod in "+dir)
}

// TestMigrateTwoScripts reads two scripts that make one output together.
func TestMigrateTwoScripts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n")
	writeFile(t, filepath.Join(dir, "a.sh"), "client-gen --input-base= --input example.com/m/api/v1 -p example.com/m/gen/clientset -n versioned\n")
	writeFile(t, filepath.Join(dir, "b.sh"), "lister-gen ./api/v1 -p example.com/m/gen/listers\n")
	code, stdout, stderr := run(t, dir, "migrate", "a.sh", "b.sh")
	assert.Equal(t, exitDone, code)
	assert.Empty(t, stderr)
	assert.Equal(t, "packages:\n  - ./api/v1\noutput-dir: gen\nonly:\n  - clientset\n  - listers\n", stdout)
}

func TestToolName(t *testing.T) {
	for text, want := range map[string]string{
		"client-gen":                      "client-gen",
		`"${GOPATH}/bin/client-gen"`:      "client-gen",
		`"${PKG}"/generate-groups.sh`:     "generate-groups.sh",
		"k8s.io/x/cmd/lister-gen@v0.27.0": "lister-gen",
		"${INFORMER_GEN}":                 "informer-gen",
		`"$deepcopygen"`:                  "deepcopy-gen",
		"$gen":                            "$gen",
	} {
		assert.Equal(t, want, toolName(argument{text: text}), text)
	}
}

// FuzzMigrate looks for scripts that make migrate fall over.
func FuzzMigrate(f *testing.F) {
	files, err := filepath.Glob("testdata/migrate/*.txtar")
	require.NoError(f, err)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(f, err)
		for _, a := range archive.Files {
			if strings.HasSuffix(a.Name, ".sh") {
				f.Add(string(a.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/fleet\n")
		writeFile(t, filepath.Join(dir, "gen.sh"), text)
		code, stdout, stderr := run(t, dir, "migrate", "gen.sh")
		if code == exitDone {
			assert.NotEmpty(t, stdout)
		} else {
			assert.NotEmpty(t, stderr)
		}
	})
}
