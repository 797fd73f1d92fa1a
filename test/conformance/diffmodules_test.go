package conformance

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// skip skips a module that is not compared by default, or not in a release that is not final.
func (m shipping) skip(t *testing.T) {
	t.Helper()
	switch {
	case ahead() && !m.ahead:
		t.Skip("it needs a final release")
	case !ahead() && !m.always && !allReleases():
		t.Skip("set " + allVariable + " to compare with all modules")
	}
}

// generators returns the release whose generators made the clients of the module.
func (m shipping) generators(t *testing.T) release {
	t.Helper()
	row := m.requirement(t)
	name := row.Generator
	if name == "" {
		name = semver.MajorMinor(row.ClientGo)
	}
	if name == newest.name {
		return newest
	}
	require.Contains(t, targetNames(), name)
	return release{name, filepath.Join(ourModule, "testdata", "targets", name)}
}

func targetNames() (names []string) {
	for _, target := range model.Targets() {
		names = append(names, target.String())
	}
	return names
}

// diff compares the output for the API packages of a module, with the options of the module, with that of code-generator.
func (m shipping) diff(t *testing.T) diffRow {
	t.Helper()
	r := m.generators(t)
	row := diffRow{name: m.path, release: r.name}
	patterns, corrected := []string{}, map[string]bool{}
	for _, c := range m.clients {
		in := c.input
		in.NoSchema, in.ClientGo = true, m.generator
		out := usualOutput()
		out.Folder = path.Join("client", c.folder)
		out.Package = path.Join(clientsModule, out.Folder)
		out.Clientset, out.Listers, out.Informers, out.ApplyConfigurations = c.clientset, c.listers, c.informers, c.applyConfigurations
		if out.Listers == "" {
			out.Listers, out.Informers = usual.listers, usual.informers
		}
		row.clients.add(r.diff(t, scratchModule{path.Join(m.name, c.folder), m.testdata(), ""}, in, out, m.corrects(r.intends(t), corrected)))
		patterns = append(patterns, in.Patterns...)
	}
	assert.Len(t, corrected, len(m.corrected), "each corrected file differs")
	row.copies = r.diffCopies(t, m.name, m.testdata(), patterns...)
	return row
}

// corrects returns a function that reports the same as another one, without the corrected files of the module, which it counts in used.
func (m shipping) corrects(intends func(string, changed), used map[string]bool) func(string, changed) {
	return func(file string, lines changed) {
		i := slices.IndexFunc(m.corrected, func(c correctedFile) bool { return strings.HasSuffix(file, c.file) })
		if i < 0 {
			intends(file, lines)
			return
		}
		used[m.corrected[i].file] = true
	}
}

// diffCopies compares the deep copies and registrations of packages that have files of deepcopy-gen or register-gen. Both programs write
// into copies of the packages, with the packages of the same module that they import.
func (r release) diffCopies(t *testing.T, name, requires string, patterns ...string) (found measured) {
	t.Helper()
	from := r.scratchDir(t, "helpers", name, "from")
	require.NoError(t, scratch.NewModule(from, clientsModule, requires))
	module, have := "", map[string][]string{}
	for _, pkg := range listPackages(t, from, patterns...) {
		for _, program := range helpersOf(t, pkg) {
			module = pkg.Module.Path
			have[program] = append(have[program], pkg.ImportPath)
		}
	}
	for program, packages := range have {
		var sides [2]string
		for i, side := range []string{"upstream", "ours"} {
			sides[i] = r.scratchDir(t, "helpers", name, program, side)
			require.NoError(t, scratch.NewModule(sides[i], module, requires))
			run(t, sides[i], "go", "mod", "edit", "-droprequire="+module)
			for _, pkg := range listPackages(t, from, append([]string{"-deps"}, packages...)...) {
				without := ""
				if slices.Contains(packages, pkg.ImportPath) {
					without = program
				}
				if pkg.Module != nil && pkg.Module.Path == module {
					copyWithout(t, pkg, without, filepath.Join(sides[i], filepath.FromSlash(strings.TrimPrefix(pkg.ImportPath, module))))
				}
			}
		}
		found.add(r.diffHelper(t, program, sides, packages))
	}
	return found
}

// helpersOf returns the programs that wrote files of a package.
func helpersOf(t *testing.T, pkg scratch.Package) (programs []string) {
	t.Helper()
	for _, file := range pkg.GoFiles {
		content, err := os.ReadFile(filepath.Join(pkg.Dir, file))
		require.NoError(t, err)
		if match := writtenByHelper.FindSubmatch(content); match != nil {
			programs = append(programs, string(match[1]))
		}
	}
	return programs
}

// copyWithout copies the files of a package that a program did not write, or all for no program.
func copyWithout(t *testing.T, pkg scratch.Package, program, to string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(to, 0o755))
	for _, file := range pkg.GoFiles {
		content, err := os.ReadFile(filepath.Join(pkg.Dir, file))
		require.NoError(t, err)
		if match := writtenByHelper.FindSubmatch(content); match == nil || string(match[1]) != program {
			require.NoError(t, os.WriteFile(filepath.Join(to, file), content, 0o644))
		}
	}
}

var writtenByHelper = regexp.MustCompile(`(?m)^// Code generated by (deepcopy|register)-gen\. DO NOT EDIT\.$`)

// diffHelper runs one of the programs, and ours, for some packages.
func (r release) diffHelper(t *testing.T, program string, sides [2]string, packages []string) measured {
	t.Helper()
	file := "zz_generated." + program + ".go"
	bin, err := scratch.Build(r.dir, r.name, "k8s.io/code-generator/cmd/"+program+"-gen")
	require.NoError(t, err)
	run(t, sides[0], filepath.Join(bin, program+"-gen"), append([]string{"--output-file", file}, packages...)...)
	run(t, sides[1], string(buildOurs(t)), append([]string{"generate", "--only", program}, packages...)...)
	var files [2]map[string]string
	for i, dir := range sides {
		files[i] = generatedIn(t, dir, ".")
		maps.DeleteFunc(files[i], func(name, _ string) bool { return path.Base(name) != file })
	}
	found, different := r.compareCode(t, files[0], files[1])
	if program == "register" {
		for name, lines := range different {
			assert.Equal(t, changed{added: 3}, lines, "%s: the function Kind is new", name)
		}
		return found
	}
	assert.LessOrEqual(t, found.removed+found.added, found.lines/200, "lines of deepcopy-gen that change: %v in %v", &found, different)
	return found
}

// listPackages lists packages.
func listPackages(t *testing.T, dir string, args ...string) []scratch.Package {
	t.Helper()
	packages, err := scratch.ListPackages(dir, args...)
	require.NoError(t, err)
	return packages
}

const (
	diffBegin = "<!-- made by make compatibility: code -->\n"
	diffHead  = "| packages of | generators | client files | of these equal | lines of code | changed | deep copies and registration | changed |\n|---|---|--:|--:|--:|--:|--:|--:|\n"
)

// identity is the part of a row that does not depend on a run.
func (d diffRow) identity() string { return fmt.Sprintf("| `%s` | %s |", d.name, d.release) }

func (d diffRow) String() string {
	return fmt.Sprintf("%s %d | %d | %d | %s | %d | %s |\n", d.identity(),
		d.clients.files, d.clients.equal, d.clients.lines, d.clients.percent(), d.copies.lines, d.copies.percent())
}

// percent returns the share of lines that change.
func (m *measured) percent() string {
	if m.lines == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(m.removed+m.added)/float64(m.lines))
}

// writeDiff replaces the table of code in the document.
func writeDiff(t *testing.T, name string, rows []diffRow) {
	t.Helper()
	before, old, after := cutTable(t, name, diffBegin)
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(old, diffHead)) {
		if !slices.ContainsFunc(rows, func(row diffRow) bool { return strings.HasPrefix(line, row.identity()) }) {
			lines = append(lines, line) // of an input that this run did not compare
		}
	}
	for _, row := range rows {
		lines = append(lines, row.String())
	}
	slices.Sort(lines)
	require.NoError(t, os.WriteFile(name, []byte(before+diffHead+strings.Join(lines, "")+after), 0o644))
}
