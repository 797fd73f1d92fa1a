package conformance

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// intended are the files that differ on purpose, by patterns for the ends of their paths, with the lines that change for each release from
// the oldest on.
var intended = []struct {
	file, why string
	lines     [6]changed
}{
	{
		"fake/clientset_generated.go",
		"The fake generates names, deletes collections, does not store objects of subresources as the object itself, and applies without a " +
			"schema. All functions for it follow the code that both have. v0.33 and v0.34 misspell a variable.",
		[6]changed{{8, 88}, {6, 86}, {4, 84}, {4, 84}, {4, 84}, {4, 84}},
	},
	{
		"internal/internal.go", "The message of a panic.",
		[6]changed{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
	},
	{
		"*/factory.go",
		"A transform or a shard selector that cannot be set is reported.",
		[6]changed{{2, 7}, {2, 7}, {2, 7}, {1, 5}, {1, 5}, {2, 8}},
	},
}

// intendedFor returns the lines of a file that may change in a release.
func intendedFor(t *testing.T, file, release string) changed {
	t.Helper()
	for _, row := range intended {
		end := path.Join(path.Base(path.Dir(file)), path.Base(file))
		if matches, err := path.Match(row.file, end); matches || err != nil {
			require.NoError(t, err)
			return row.lines[slices.IndexFunc(append(model.Targets(), model.NewestTarget), func(target model.Target) bool {
				return target.String() == release
			})]
		}
	}
	return changed{}
}

// diffRow is what TestDiff has found for one input: clients with all that belongs to them, and deep copies with registrations.
type diffRow struct {
	name, release   string
	clients, copies measured
}

// diffRows collects the rows of concurrent tests.
type diffRows struct {
	sync.Mutex
	rows []diffRow
}

func (d *diffRows) add(row diffRow) {
	d.Lock()
	defer d.Unlock()
	d.rows = append(d.rows, row)
}

// TestDiff compares the code that a maintainer reviews who switches to informer-gen-lite, without comments, blank lines and names of
// imports, with what the generators of code-generator write for the same packages and the same release: everything is the same, except
// for intended differences.
func TestDiff(t *testing.T) {
	var found diffRows
	t.Run("releases", func(t *testing.T) {
		forReleases(t, func(t *testing.T, r release) {
			input := generate.Input{Patterns: []string{"./apis/..."}, NoSchema: true}
			r.diff(t, scratchModule{"diff", r.dir, filepath.Join("testdata", "diff")}, input, usualOutput(), func(file string, lines changed) {
				assert.Equal(t, intendedFor(t, file, r.name), lines, file)
			})
			if allReleases() || ahead() { // otherwise, TestClientGo compares the clients of k8s.io/api
				found.add(r.diffAPI(t))
			}
		})
	})
	for _, m := range shippingModules {
		t.Run(m.name, func(t *testing.T) {
			m.skip(t)
			if m.unloadable != "" {
				t.Skip(m.unloadable)
			}
			if !m.differs && !allReleases() {
				t.Skip("set " + allVariable + " to compare with upstream's output for all modules")
			}
			found.add(m.diff(t))
		})
	}
	if *writeCompatibility != "" && !t.Failed() {
		writeDiff(t, *writeCompatibility, found.rows)
	}
}

// usualOutput has all outputs in the folders of kube_codegen.sh.
func usualOutput() generate.Output {
	return generate.Output{
		Folder: "client", Package: path.Join(clientsModule, "client"),
		Clientset: usual.clientset, Listers: usual.listers, Informers: usual.informers, ApplyConfigurations: applyConfigurations,
	}
}

// scratchModule is a module in the scratch folder that requires what the module in another directory requires, and has a copy of the packages
// in apis, if that is not empty.
type scratchModule struct{ name, requires, apis string }

// diff generates clients with both programs in new modules, and reports each file that differs.
func (r release) diff(t *testing.T, m scratchModule, input generate.Input, out generate.Output, differs func(string, changed)) measured {
	t.Helper()
	var sides [2]generate.Output
	for i, side := range []string{"upstream", "ours"} {
		out.Dir = r.scratchDir(t, "diff", m.name, side)
		require.NoError(t, scratch.NewModule(out.Dir, clientsModule, m.requires))
		if m.apis != "" {
			require.NoError(t, scratch.CopyModule(m.apis, filepath.Join(out.Dir, "apis")))
		}
		sides[i] = out
	}
	r.generateBoth(t, input, sides[0], sides[1])
	all, different := r.compareCode(t, generatedIn(t, sides[0].Dir, out.Folder), generatedIn(t, sides[1].Dir, out.Folder))
	for file, lines := range different {
		differs(file, lines)
	}
	return all
}

// diffAPI compares the output for k8s.io/api with the settings of client-go.
func (r release) diffAPI(t *testing.T) diffRow {
	t.Helper()
	input := clientGoInput
	input.ApplyConfigurations, input.NoSchema = "", true
	return diffRow{
		name: apiModule, release: r.name,
		clients: r.diff(t, scratchModule{"api", r.dir, ""}, input, usualOutput(), r.intends(t)),
		copies:  r.diffCopies(t, "api", r.dir, apiModule+"/..."),
	}
}

// intends returns a function that reports unintended changes: of other files, and of more lines.
func (r release) intends(t *testing.T) func(string, changed) {
	t.Helper()
	return func(file string, lines changed) {
		most := intendedFor(t, file, r.name)
		if strings.Contains(file, "/fake/") {
			most.removed, most.added = most.removed+4, most.added+60 // a tracker, if there is no schema; subresources of other types
		}
		assert.True(t, lines.removed <= most.removed && lines.added <= most.added, "%s: %v, but %v is intended", file, lines, most)
	}
}
