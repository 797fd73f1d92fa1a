package foreign

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/objects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/projects"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/scratch"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

const (
	// allVariable is the environment variable that selects all projects. By default, the tests take a few.
	allVariable = "INFORMER_GEN_LITE_FOREIGN_ALL"
	// onlyVariable selects projects by name, separated by commas.
	onlyVariable = "INFORMER_GEN_LITE_FOREIGN_ONLY"

	// modulePath is the path of the scratch modules.
	modulePath = "foreign.example"
	repository = "../.."
	// requirements is the root of the module of this test. Scratch modules have the same requirements.
	requirements = ".."
)

// few are the projects that the tests take by default: small ones, with rules in CEL, lists of type map, and several versions.
var few = []string{"external-snapshotter", "keda", "mcs-api"}

// imported is a project with its definitions.
type imported struct {
	projects.Project
	files []string
	crds  []*apiextensionsv1.CustomResourceDefinition
	// versions are the served versions of each definition.
	versions []objects.Version
}

// Alias is a name for imports of the project's packages.
func (p imported) Alias() string { return strings.ReplaceAll(p.Name, "-", "") }

// corpus returns the selected projects. A definition that an earlier project has, too, is left out.
func corpus(t *testing.T) []imported {
	t.Helper()
	all, err := loadCorpus()
	require.NoError(t, err)
	return all
}

var loadCorpus = sync.OnceValues(func() ([]imported, error) {
	table, err := projects.Read("testdata/modules.txt")
	if err != nil {
		return nil, err
	}
	selected := few
	if only := os.Getenv(onlyVariable); only != "" {
		selected = strings.Split(only, ",")
	}
	var all []imported
	for _, project := range table {
		if os.Getenv(allVariable) == "" && !slices.Contains(selected, project.Name) {
			continue
		}
		p := imported{Project: project}
		if p.files, err = p.Files(); err != nil {
			return nil, err
		}
		if p.crds, err = projects.Definitions(p.files); err != nil {
			return nil, err
		}
		for _, crd := range p.crds {
			versions, err := objects.Versions(crd)
			if err != nil {
				return nil, err
			}
			p.versions = append(p.versions, versions...)
		}
		all = append(all, p)
	}
	return all, nil
})

// tree is a scratch module with the imported types of projects.
type tree struct {
	dir string
	// took is the CPU time of all imports: a busy machine makes the time on the clock longer.
	took time.Duration
}

// program compiles informer-gen-lite once and returns its path.
var program = sync.OnceValues(func() (string, error) {
	name, err := scratch.Dir("bin", "informer-gen-lite")
	if err != nil {
		return "", err
	}
	_, err = scratch.Run(repository, "go", "build", "-o", name, "./cmd/informer-gen-lite")
	return name, err
})

// run runs informer-gen-lite in a tree and returns its output.
func (tr tree) run(t *testing.T, args ...string) string {
	t.Helper()
	name, err := program()
	require.NoError(t, err)
	out, err := scratch.Run(tr.dir, name, args...)
	require.NoError(t, err)
	return out
}

// newTree imports the definitions of the projects into a module with the requirements of another one.
func newTree(t *testing.T, name, from string, flags ...string) tree {
	t.Helper()
	dir, err := scratch.Dir(name)
	require.NoError(t, err)
	require.NoError(t, scratch.NewModule(dir, modulePath, from))
	tr := tree{dir: dir}
	_, err = program() // its compilation does not count
	require.NoError(t, err)
	for _, p := range corpus(t) {
		definitions := filepath.Join("definitions", p.Name)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, definitions), 0o755))
		for _, file := range p.files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			// Files of different directories have different names.
			require.NoFileExists(t, filepath.Join(dir, definitions, filepath.Base(file)))
			require.NoError(t, os.WriteFile(filepath.Join(dir, definitions, filepath.Base(file)), text, 0o644))
		}
		before := harness.ChildCPUTime()
		tr.run(t, slices.Concat([]string{"import", definitions, "--into", p.apis()}, flags)...)
		tr.took += harness.ChildCPUTime() - before
	}
	// generate would import again, and take its packages from the configuration.
	require.NoError(t, os.Remove(filepath.Join(dir, ".informer-gen.yaml")))
	return tr
}

// apis and generated are the directories of the project's types and of the code that is generated from them.
func (p imported) apis() string      { return "projects/" + p.Name + "/apis" }
func (p imported) generated() string { return "projects/" + p.Name + "/generated" }

// generate generates clients for each project.
func (tr tree) generate(t *testing.T, flags ...string) {
	t.Helper()
	for _, p := range corpus(t) {
		tr.run(t, slices.Concat([]string{"generate", "--output-dir", p.generated(), "./" + p.apis() + "/..."}, flags)...)
	}
}

// packages returns the import paths of the project's API packages.
func (tr tree) packages(t *testing.T, p imported) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(tr.dir, p.apis()), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "doc.go" {
			dir, relErr := filepath.Rel(tr.dir, filepath.Dir(name))
			require.NoError(t, relErr)
			paths = append(paths, modulePath+"/"+filepath.ToSlash(dir))
		}
		return err
	}))
	require.NotEmpty(t, paths)
	return paths
}

var skipMarker = regexp.MustCompile(`(?m)^// ?\+kubebuilder:skip\n`)

// definitions generates definitions from the types, and returns those of a project by name. The importer excludes its packages from
// that, because somebody else owns the definitions, so the marker is removed first.
func (tr tree) definitions(t *testing.T, p imported, options string) map[string]*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	for _, path := range tr.packages(t, p) {
		name := filepath.Join(tr.dir, strings.TrimPrefix(path, modulePath), "doc.go")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, skipMarker.ReplaceAll(text, nil), 0o644))
	}
	out := "generated-definitions/" + p.Name
	tr.run(t, "generate", "--only", "crd", "--crd-output-dir", out, "--crd-options", "allowDangerousTypes=true"+options, "./"+p.apis()+"/...")
	files, err := filepath.Glob(filepath.Join(tr.dir, out, "*.yaml"))
	require.NoError(t, err)
	crds, err := projects.Definitions(files)
	require.NoError(t, err)
	byName := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for _, crd := range crds {
		byName[crd.Name] = crd
	}
	return byName
}

// writeDriver writes the driver for the types, and for the clients if there are any.
func (tr tree) writeDriver(t *testing.T, clients bool) {
	t.Helper()
	type project struct {
		imported
		Packages  []string
		Clientset string
	}
	var data struct{ Projects []project }
	for _, p := range corpus(t) {
		row := project{imported: p, Packages: tr.packages(t, p)}
		if clients {
			row.Clientset = modulePath + "/" + p.generated() + "/clientset/versioned"
		}
		data.Projects = append(data.Projects, row)
	}
	writeDriver(t, "main.go.tmpl", filepath.Join(tr.dir, "driver"), data)
}
