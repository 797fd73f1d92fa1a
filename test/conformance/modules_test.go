package conformance

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/allowed"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// shipping is a public module with clients for API types of its own or of a sibling module. Its directory in testdata/modules is
// a module that requires it, which also determines the version of client-go.
type shipping struct {
	name, path string
	// clients are the clientsets in the module, each with the listers, informers and apply configurations that belong to it.
	clients []shippedClients
	// generator is the release of code-generator that generated the clients, if it is not the release of client-go.
	generator string
	// allowed are the additions of our output, and outdated the packages that the module has not regenerated for long.
	allowed  []allowed.Addition
	outdated []outdatedPackage
	// always is true if the module is compared by default, and not only if all are.
	always bool
	// corrected are files in which upstream is wrong.
	corrected []correctedFile
	// unloadable is why upstream's generators cannot read the module from outside; "" if they can.
	unloadable string
	// differs is true if its code is compared with upstream's by default.
	differs bool
	// ahead is true if the module is also compared in the release that is not final.
	ahead bool
}

// shippedClients are the clients in one folder of a module, and the options with which the module's script generates them.
type shippedClients struct {
	folder string
	input  generate.Input
	// clientset, listers, informers and applyConfigurations are the subfolders; empty if the module has none.
	clientset, listers, informers, applyConfigurations string
}

// correctedFile is a generated file, as a pattern for the end of its path, with what upstream writes wrong.
type correctedFile struct{ file, reason string }

// outdatedPackage is a package of a module that its generator would write differently today.
type outdatedPackage struct{ path, reason string }

// TestModules generates clients from the API packages of public modules, and compares their exported API with that of the
// modules' own clients. No upstream generator runs here.
func TestModules(t *testing.T) {
	ours := buildOurs(t)
	rows := map[string]compatibility{}
	for _, m := range shippingModules {
		t.Run(m.name, func(t *testing.T) {
			m.skip(t)
			rows[m.name] = m.test(t, ours)
		})
	}
	if *writeCompatibility != "" && !t.Failed() {
		writeTable(t, *writeCompatibility, rows)
	}
}

func (m shipping) test(t *testing.T, ours generate.Ours) compatibility {
	t.Helper()
	start := time.Now()
	row := m.requirement(t)
	source := release{m.name, m.testdata()}.moduleDir(t, m.path)
	theirDir, ourDir := newest.scratchDir(t, "modules", m.name, "theirs"), newest.scratchDir(t, "modules", m.name, "ours")
	for _, dir := range []string{theirDir, ourDir} {
		require.NoError(t, scratch.NewModule(dir, clientsModule, m.testdata()))
	}
	rewrite := strings.NewReplacer(m.imports()...)
	for _, c := range m.clients {
		copyClients(t, filepath.Join(source, c.folder), filepath.Join(theirDir, c.folder), c.trees(), func(content string) (string, bool) {
			return rewrite.Replace(content), true
		})
		copyClients(t, filepath.Join(source, c.folder), filepath.Join(ourDir, c.folder), c.trees(), func(content string) (string, bool) {
			return rewrite.Replace(content), !generatedFile.MatchString(content)
		})
		summary, err := c.generate(ours, ourDir, m.generator)
		require.NoError(t, err)
		row.Kinds += countKinds(t, summary)
	}
	wanted, have := loadAPI(t, theirDir, clientsModule, "./..."), loadAPI(t, ourDir, clientsModule, "./...")
	for _, outdated := range m.outdated {
		require.Contains(t, wanted.Packages, outdated.path)
		delete(wanted.Packages, outdated.path)
		delete(have.Packages, outdated.path)
	}
	results := apicompare.Compare(wanted, have)
	failWith(t, "differences in the exported API", allowed.Differences(results, m.allowed))
	for _, c := range m.clients {
		compareSizes(t, filepath.Join(theirDir, c.folder), filepath.Join(ourDir, c.folder), c.trees()...)
	}
	compareImports(t, theirDir, ourDir, "./...")
	row.Packages, row.Additions, row.Outdated = len(wanted.Packages), additionsIn(results), len(m.outdated)
	row.Time = time.Since(start)
	logTime(t, m.name, start)
	return row
}

// testdata returns the directory of the module that requires this one.
func (m shipping) testdata() string {
	if ahead() && m.ahead {
		return newest.dir
	}
	return filepath.Join("testdata", "modules", m.name)
}

// requirement returns the versions that the module in testdata requires.
func (m shipping) requirement(t *testing.T) compatibility {
	t.Helper()
	versions := requiredVersions(t, m.testdata())
	require.Contains(t, versions, m.path)
	require.Contains(t, versions, clientGo)
	return compatibility{Module: m.path, Version: versions[m.path], ClientGo: versions[clientGo], Generator: m.generator}
}

// requiredVersions returns the versions that the go.mod of a directory selects, by the paths of modules.
func requiredVersions(t *testing.T, dir string) map[string]string {
	t.Helper()
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	file, err := modfile.Parse(name, text, nil)
	require.NoError(t, err)
	versions := map[string]string{}
	for _, r := range file.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range file.Replace {
		if r.New.Path == r.Old.Path {
			versions[r.Old.Path] = r.New.Version
		}
	}
	return versions
}

// imports returns pairs of import paths: those of the shipped clients, and those in the scratch module.
func (m shipping) imports() []string {
	var pairs []string
	for _, c := range m.clients {
		for _, tree := range c.trees() {
			from, to := path.Join(m.path, c.folder, tree), path.Join(clientsModule, c.folder, tree)
			pairs = append(pairs, `"`+from+`/`, `"`+to+`/`, `"`+from+`"`, `"`+to+`"`)
		}
	}
	return pairs
}

// trees returns the generated folders.
func (c shippedClients) trees() []string {
	trees := []string{c.clientset}
	for _, folder := range []string{c.listers, c.informers, c.applyConfigurations} {
		if folder != "" {
			trees = append(trees, folder)
		}
	}
	return trees
}

func (c shippedClients) generate(ours generate.Ours, dir, clientGo string) (string, error) {
	c.input.ClientGo = clientGo
	return ours.Generate(c.input, generate.Output{
		Dir: dir, Folder: c.folder, Package: path.Join(clientsModule, c.folder), Clientset: c.clientset,
		Listers: c.listers, Informers: c.informers, ApplyConfigurations: c.applyConfigurations,
	})
}

// generatedFile matches files written by any generator. Other files of a module are handwritten, such as expansions, and are part
// of our side too.
var generatedFile = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.?$`)

// copyClients copies the Go files of some trees that edit accepts.
func copyClients(t *testing.T, from, to string, trees []string, edit func(string) (string, bool)) {
	t.Helper()
	files, err := scratch.GoFiles(from, trees...)
	require.NoError(t, err)
	for name, content := range files {
		edited, wanted := edit(content)
		if !wanted || strings.HasSuffix(name, "_test.go") {
			continue
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, []byte(edited), 0o644))
	}
}

// additionsIn counts the symbols and packages that only our output has.
func additionsIn(results []apicompare.Result) int {
	n := 0
	for _, result := range results {
		n += len(result.Findings)
	}
	return n
}
