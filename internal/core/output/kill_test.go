package output

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
)

// children are programs that the test binary runs instead of the tests if their variable is in the environment.
var children = map[string]func(arg string){killChild: runKillChild}

func TestMain(m *testing.M) {
	for variable, child := range children {
		if arg, ok := os.LookupEnv(variable); ok {
			child(arg)
			return
		}
	}
	m.Run()
}

// killChild, in the environment, makes the test binary bring one version after the other to a directory, until it is
// killed. It prints how long the first one takes. Its value is the number of that version and the directory.
const killChild = "OUTPUT_TEST_KILL_CHILD"

func runKillChild(arg string) {
	first, root := int(arg[0]-'0'), arg[1:]
	versions := [2][]render.File{version(0), version(1)}
	for i := 0; ; i++ {
		start := time.Now()
		if err := generateVersion(root, versions[(first+i)%2]); err != nil {
			fmt.Fprintln(os.Stdout, err)
			return
		}
		if i == 0 {
			fmt.Fprintln(os.Stdout, time.Since(start))
		}
	}
}

// generateVersion brings a version to a directory; one of its files is in an API package in the next directory.
func generateVersion(root string, files []render.File) error {
	module := filepath.Join(filepath.Dir(root), "types")
	tree, err := Scan(root, root, []string{"a"}, PackageDir{Dir: "../types", Module: module, Names: mine.PackageFiles})
	if err != nil {
		return err
	}
	plan, err := tree.Plan(files, Options{Owned: []string{"a"}, PackageFiles: mine.PackageFiles})
	if err != nil {
		return err
	}
	return plan.Apply(context.Background())
}

// version returns one of two versions of a tree, which share some of their files. They take several
// pages each, so that one could be half written.
func version(v int) []render.File {
	var files []render.File
	for i := range 30 {
		switch body := strings.Repeat(fmt.Sprintf("// version %d of file %d\n", v, i), 400); {
		case i%5 == 0 && i/5%2 == v: // missing in the other
			files = append(files, file(fmt.Sprintf("a/only%d/v%d/x.go", v, i), "package x\n"+body))
		case i%5 == 1:
			files = append(files, file(fmt.Sprintf("a/same%d.go", i), "package a\n"))
		case i%5 > 1:
			files = append(files, file(fmt.Sprintf("a/group%d/x%d.go", i%3, i), "package x\n"+body))
		}
	}
	return append(files, file("../types/"+packageFile, fmt.Sprintf("package types // version %d\n", v)))
}

// contents returns what the files hold, by their paths relative to the directory above the output.
func contents(files []render.File) map[string]string {
	m := map[string]string{}
	for _, f := range files {
		m[path.Join("out", f.Path)] = string(f.Content)
	}
	return m
}

// TestKilled kills a process that replaces one version of a tree by another, at any moment, 200 times; 40 times with -short. On a machine
// with other work, few of the moments are in the middle, so it goes on until enough of them were.
func TestKilled(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 40
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "out")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "types"), 0o777))
	random := rand.New(rand.NewPCG(20, 26)) // the moments are to be the same in each run
	versions := []map[string]string{contents(version(0)), contents(version(1))}
	inBetween, next := 0, 0
	for n := 0; n < kills || inBetween <= kills/20 && n < 10*kills; n++ {
		killed(t, root, 1-next, random.Float64())
		if checkWhole(t, dir, versions) {
			inBetween++
		}
		// The next run may well generate something else than the one that was killed.
		next = random.IntN(2)
		require.NoError(t, generateVersion(root, version(next)))
		want := maps.Clone(versions[next])
		after := tree(t, dir)
		manifest := after["out/"+ManifestName]
		want["out/"+ManifestName] = manifest
		require.Len(t, after, len(want), "no temporary file is left, and no stale one")
		require.True(t, maps.Equal(want, after))
		require.Len(t, parseManifest([]byte(manifest), func(string) bool { return true }), len(versions[next]))
	}
	t.Logf("killed in the middle: %d times", inBetween)
	assert.Greater(t, inBetween, kills/20, "this test has to come in between")
}

// killed starts the child and kills it at a moment between the start and the end of a run.
func killed(t *testing.T, root string, first int, moment float64) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), fmt.Sprint(killChild, "=", first, root))
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	took, err := time.ParseDuration(strings.TrimSpace(line))
	require.NoError(t, err, line)
	time.Sleep(time.Duration(moment * float64(took)))
	require.NoError(t, child.Process.Kill())
	rest, err := lines.ReadString(0)
	assert.Empty(t, rest, err)
	require.Error(t, child.Wait(), "it does not end by itself")
}

// checkWhole checks that every Go file is whole, of either version, and reports whether both versions occur.
func checkWhole(t *testing.T, dir string, versions []map[string]string) (mixed bool) {
	t.Helper()
	found := tree(t, dir)
	for name, content := range found {
		if strings.Contains(name, "/.informer-gen-") {
			delete(found, name) // the go command ignores it too
		} else if strings.HasSuffix(name, ".go") {
			require.True(t, content == versions[0][name] || content == versions[1][name], "%s is half a file: %d bytes", name, len(content))
		}
	}
	delete(found, "out/"+ManifestName)
	return !maps.Equal(found, versions[0]) && !maps.Equal(found, versions[1])
}

// TestKilledBeforeItsDirectories is about runs that were killed after they removed a stale file, before the directories that this emptied.
func TestKilledBeforeItsDirectories(t *testing.T) {
	for name, removed := range map[string][]string{"the file": {"a/b/c/x.go"}, "the file and its directory": {"a/b/c/x.go", "a/b/c"}} {
		root := t.TempDir()
		require.NoError(t, generate(root, Options{}, file("a/x.go", "package a\n"), file("a/b/c/x.go", "package c\n")))
		for _, path := range removed {
			require.NoError(t, os.Remove(filepath.Join(root, filepath.FromSlash(path))))
		}
		require.NoError(t, generate(root, Options{}, file("a/x.go", "package a\n")))
		assert.NoDirExists(t, filepath.Join(root, "a", "b"), name)
		assert.FileExists(t, filepath.Join(root, "a", "x.go"), name)
	}
}

// TestKilledDuringAdopt is about runs that were killed after they removed a file of another generator, before its directory.
func TestKilledDuringAdopt(t *testing.T) {
	for name, adopt := range map[string]bool{"the next run adopts": true, "the next run does not": false} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			const theirs = "// Code generated by client-gen. DO NOT EDIT.\n\npackage c\n"
			write(t, root, "a/b/c/x.go", theirs)
			write(t, root, "a/d/x.go", theirs)
			require.NoError(t, os.MkdirAll(filepath.Join(root, "a", "empty"), 0o777))
			ours := file("a/x.go", "package a\n")
			plan, err := scan(t, root, "a").Plan([]render.File{ours}, Options{Owned: []string{"a"}, Adopt: true, Programs: programs})
			require.NoError(t, err)
			killed := newStaging()
			require.NoError(t, killed.addAll(t.Context(), plan))
			require.NoError(t, killed.move(t.Context(), killed.complete))
			require.NoError(t, os.Remove(filepath.Join(root, "a", "b", "c", "x.go")))

			require.NoError(t, generate(root, Options{Adopt: adopt, Programs: programs}, ours))
			assert.NoDirExists(t, filepath.Join(root, "a", "b"))
			assert.DirExists(t, filepath.Join(root, "a", "empty"), "the user's own")
			assert.NotContains(t, read(t, root, ManifestName), "/b/c/x.go")
			_, err = os.Stat(filepath.Join(root, "a", "d", "x.go"))
			assert.Equal(t, adopt, os.IsNotExist(err), "without --adopt, the files of others stay")
		})
	}
}
