package cli

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var edits = flag.Int("edits", 60, "the number of changes that TestRandomEdits makes")

// TestRandomEdits changes an API at random. After each change, a run with a memory of the last one leaves the same files as a run
// without.
func TestRandomEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 100))
	with, without := editedModule(t), editedModule(t)
	api := &editedAPI{random: random}
	versions := [][10]int{api.forms}
	inBoth := func(change func(dir string)) {
		for _, dir := range []string{with, without} {
			change(dir)
		}
	}
	write := func(dir string) { api.write(t, dir) }
	types := func(dir string) string { return filepath.Join(dir, "fleet", "v1", "types.go") }
	setTime := func(dir string, at time.Time) { require.NoError(t, os.Chtimes(types(dir), at, at)) }
	duringRun := func(change func()) {
		var run sync.WaitGroup
		run.Go(func() { _, _, _ = remembering(t, with) }) // of the state before or after the change, or with an error
		change()
		run.Wait()
	}
	changes := []struct {
		name string
		make func()
	}{
		{"an edit", func() { api.edit(); inBoth(write) }},
		{"two edits", func() { api.edit(); api.edit(); inBoth(write) }},
		{"a touch", func() { inBoth(func(dir string) { setTime(dir, time.Now()) }) }},
		{"another version checked out", func() {
			api.forms = versions[random.IntN(len(versions))]
			inBoth(func(dir string) {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, "parts")))
				require.NoError(t, os.Remove(types(dir)))
				write(dir)
			})
		}},
		{"an edit, and the clock is wrong", func() {
			api.edit()
			at := time.Now().Add(time.Duration(random.IntN(200)-100) * time.Hour)
			inBoth(func(dir string) { write(dir); setTime(dir, at) })
		}},
		{"an edit with the time of the version before", func() {
			api.edit()
			inBoth(func(dir string) {
				before, err := os.Stat(types(dir))
				require.NoError(t, err)
				write(dir)
				setTime(dir, before.ModTime())
			})
		}},
		{"a generated file removed", func() {
			generated := slices.DeleteFunc(slices.Sorted(maps.Keys(filesBelow(t, without))), func(name string) bool {
				return !strings.HasPrefix(name, "pkg/generated/") && !strings.HasPrefix(filepath.Base(name), "zz_generated.")
			})
			if len(generated) > 0 {
				name := generated[random.IntN(len(generated))]
				inBoth(func(dir string) { _ = os.Remove(filepath.Join(dir, filepath.FromSlash(name))) })
			}
		}},
		{"an edit during a run", func() { api.edit(); inBoth(write); duringRun(func() { api.edit(); inBoth(write) }) }},
		{"an edit during a run, undone after it", func() {
			before := api.forms
			duringRun(func() { api.edit(); inBoth(write) })
			api.forms = before
			inBoth(write)
		}},
	}
	inBoth(write)
	succeeded := 0
	for round := range *edits {
		change := changes[random.IntN(len(changes))]
		if round > 0 {
			change.make()
		}
		versions = append(versions, api.forms)
		wantCode, want := forgetful(t, without)
		code, got, _ := remembering(t, with)
		require.Equal(t, wantCode, code, "round %d, %s: %s\n%s", round, change.name, got, want)
		wantFiles, files := filesBelow(t, without), filesBelow(t, with)
		require.Equal(t, slices.Sorted(maps.Keys(wantFiles)), slices.Sorted(maps.Keys(files)), "round %d, %s", round, change.name)
		for name, content := range wantFiles {
			require.Equal(t, content, files[name], "round %d, %s: %s", round, change.name, name)
		}
		verified, said, _ := remembering(t, with, "verify")
		require.Equal(t, wantCode, verified, "round %d, %s: %s", round, change.name, said)
		if code == exitDone {
			succeeded++
		}
	}
	require.Greater(t, succeeded, *edits/2)
}

// editedModule returns the directory of a module with the requirements of this one.
func editedModule(t *testing.T) string {
	t.Helper()
	parent, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(parent, "m")
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join("..", "..", name))
		require.NoError(t, err)
		writeFile(t, filepath.Join(dir, name), strings.Replace(string(content), "module github.com/informer-gen-lite/informer-gen-lite", "module example.com/m", 1))
	}
	return dir
}

// editedAPI is an API of two packages. Numbers choose between the forms of its parts.
type editedAPI struct {
	random *rand.Rand
	forms  [10]int
}

// edit chooses another form of one part.
func (a *editedAPI) edit() { a.forms[a.random.IntN(len(a.forms))] = a.random.IntN(4) }

// pick returns the form of a part.
func (a *editedAPI) pick(part int, forms ...string) string { return forms[a.forms[part]%len(forms)] }

// write writes the files of the API.
func (a *editedAPI) write(t *testing.T, dir string) {
	t.Helper()
	kind := a.pick(0, "Robot", "Robot", "Engine")
	types := "// +groupName=" + a.pick(1, "fleet", "fleet", "works") + ".example.com\npackage v1\n\n" +
		"import (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\t\"example.com/m/parts\"\n)\n\n" +
		"// +genclient\n" + a.pick(2, "", "// +genclient:nonNamespaced\n", "// +genclient:noStatus\n") + a.pick(3, "", "// +informergen:index=field=spec.name\n") +
		fmt.Sprintf("type %s struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec Spec `json:\"spec\"`\n}\n\n", kind) +
		fmt.Sprintf("type %[1]sList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata,omitempty\"`\n\tItems []%[1]s `json:\"items\"`\n}\n\n", kind) +
		a.pick(4, "", "// Spec says what is wanted.\n") +
		"type Spec struct {\n\tName string `json:\"name\"`\n\tArm parts.Arm `json:\"arm\"`\n" +
		a.pick(5, "", "\tSize *int `json:\"size,omitempty\"`\n", "\tSize []string `json:\"size\"`\n", "\t// +listType=set\n\tSize []string `json:\"size\"`\n") + "}\n"
	parts := "// +k8s:deepcopy-gen=package\npackage parts\n\n// Arm is a part.\ntype Arm struct {\n\tLength int `json:\"length\"`\n" +
		a.pick(6, "", "\tTools map[string][]Tool `json:\"tools,omitempty\"`\n", "\tTools []*Tool `json:\"tools,omitempty\"`\n") + "}\n\ntype Tool struct {\n\tName string `json:\"name\"`\n" +
		a.pick(7, "", "\tUses *int `json:\"uses\"`\n") + "}\n"
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), types)
	writeFile(t, filepath.Join(dir, "parts", "parts.go"), parts)
	writeFile(t, filepath.Join(dir, ".informer-gen.yaml"), a.pick(8, "{}\n", "plural-exceptions: [\"Robot:Robotz\"]\n", "prefers-protobuf: true\n"))
	second := filepath.Join(dir, "sea", "v1", "types.go")
	if a.forms[9]%2 == 0 {
		require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(second))))
		return
	}
	writeFile(t, second, "// +groupName=sea.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// +genclient\n"+
		"type Boat struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n\n"+
		"type BoatList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata,omitempty\"`\n\tItems []Boat `json:\"items\"`\n}\n")
}
