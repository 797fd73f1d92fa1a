package snapshot

import (
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contents returns what a reader of a directory can see: names, modes and contents.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(name)
		found[name] = info.Mode().String() + " " + string(content)
		return err
	}))
	return found
}

// aged returns the snapshot as it would be of files that have been there for long.
func (s *Snapshot) aged() *Snapshot {
	old := *s
	old.Taken = old.Taken.Add(time.Hour)
	old.Files = map[string]File{}
	for name, file := range s.Files {
		file.Sum = ""
		old.Files[name] = file
	}
	return &old
}

// awaitTick returns when the clock of the file system has gone on, which takes it some milliseconds.
func awaitTick(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, "tick")
	var first int64
	for {
		require.NoError(t, os.WriteFile(name, nil, 0o666))
		info, err := os.Stat(name)
		require.NoError(t, err)
		if now := info.ModTime().UnixNano(); first == 0 {
			first = now
		} else if now != first {
			return
		}
	}
}

// TestRandomChanges changes files in ways that are hard to see, and compares what the snapshot says with what is there.
func TestRandomChanges(t *testing.T) {
	dir, ticks := t.TempDir(), t.TempDir()
	random := rand.New(rand.NewPCG(16, 500))
	name := func() string {
		return filepath.Join(dir, fmt.Sprint("d", random.IntN(3)), fmt.Sprint("f", random.IntN(4)))
	}
	write := func(name string) error {
		return os.WriteFile(name, fmt.Appendf(nil, "%04d", random.IntN(10000)), 0o644) // of the same size
	}
	for d := range 3 {
		require.NoError(t, os.Mkdir(filepath.Join(dir, fmt.Sprint("d", d)), 0o755))
	}
	changes := map[string]func(name, other string) error{
		"nothing":             func(string, string) error { return nil },
		"write":               func(name, _ string) error { return write(name) },
		"write and set times": func(name, _ string) error { return restoringTimes(name, write) },
		"write the same":      func(name, _ string) error { return rewrite(name) },
		"touch":               func(name, _ string) error { return os.Chtimes(name, time.Time{}, time.Now()) },
		"rename":              os.Rename,
		"remove":              func(name, _ string) error { return os.Remove(name) },
		"check out":           func(name, _ string) error { _ = os.Remove(name); return write(name) },
		"link":                os.Link,
		"change mode":         func(name, _ string) error { return os.Chmod(name, 0o600+fs.FileMode(random.IntN(2))*0o44) },
	}
	var kinds []string
	for kind := range changes {
		kinds = append(kinds, kind)
	}
	seen := map[bool]int{}
	for range 500 {
		young, err := Take([]string{dir}, nil, nil)
		require.NoError(t, err)
		before := contents(t, dir)
		snapshots := []*Snapshot{young, young.aged()}
		awaitTick(t, ticks)
		kind := kinds[random.IntN(len(kinds))]
		_ = changes[kind](name(), name()) // fails for files that are not there, or are there already
		same := assert.ObjectsAreEqual(before, contents(t, dir))
		for age, s := range snapshots {
			now, err := Take([]string{dir}, nil, nil)
			require.NoError(t, err)
			_, unchanged := now.Unchanged(s)
			if unchanged {
				require.True(t, same, "%s, age %d: not seen", kind, age)
			}
			if kind == "nothing" || age == 0 && same {
				require.True(t, unchanged, "%s, age %d: seen", kind, age)
			}
			seen[unchanged]++
		}
	}
	assert.Greater(t, seen[true], 100)
	assert.Greater(t, seen[false], 100)
}

func restoringTimes(name string, write func(string) error) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if err := write(name); err != nil {
		return err
	}
	return os.Chtimes(name, info.ModTime(), info.ModTime())
}

func rewrite(name string) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

// TestWrittenWithinOneStep has a file that was changed without any difference in size and times, as within a step of the clock.
func TestWrittenWithinOneStep(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(name, []byte("before"), 0o666))
	before, err := Take(nil, []string{name}, nil)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, []byte("after!"), 0o666))
	now, err := Take(nil, []string{name}, nil)
	require.NoError(t, err)
	file := before.Files[name]
	sum := file.Sum
	file = now.Files[name]
	file.Sum = sum
	before.Files[name] = file
	_, unchanged := now.Unchanged(before)
	assert.False(t, unchanged)

	before.Taken = before.Taken.Add(-time.Hour)
	_, unchanged = now.Unchanged(before)
	assert.False(t, unchanged, "a clock that went back makes all files young")
}

// TestStill creates and removes a file, which leaves nothing but another time of the directory.
func TestStill(t *testing.T) {
	dir := t.TempDir()
	edited, missing := filepath.Join(dir, "edited"), filepath.Join(dir, "missing")
	require.NoError(t, os.WriteFile(edited, nil, 0o666))
	s, err := Take([]string{dir}, nil, nil)
	require.NoError(t, err)
	assert.True(t, s.Still([]string{edited, missing}))
	assert.False(t, s.Still([]string{filepath.Join(t.TempDir(), "..")}), "it is not in the snapshot")
	awaitTick(t, t.TempDir())
	require.NoError(t, os.WriteFile(edited, nil, 0o666))
	assert.False(t, s.Still([]string{edited}))
	assert.True(t, s.Still(nil), "After looks at other files")
	name := filepath.Join(dir, "f")
	require.NoError(t, os.WriteFile(name, nil, 0o666))
	assert.False(t, s.Still(nil))
	require.NoError(t, os.Remove(name))
	assert.False(t, s.Still(nil))
	now, err := Take([]string{dir}, nil, nil)
	require.NoError(t, err)
	_, unchanged := now.Unchanged(s)
	assert.True(t, unchanged, "between runs that makes no difference")

	require.NoError(t, os.Mkdir(filepath.Join(dir, "vendor"), 0o777))
	now, err = Take([]string{dir}, nil, nil)
	require.NoError(t, err)
	_, unchanged = now.Unchanged(s)
	assert.False(t, unchanged, "an empty directory may make one")
}

func TestWhatCannotBeTold(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d", "f"), nil, 0o666))
	require.NoError(t, os.Symlink("f", filepath.Join(dir, "d", "link")))
	s, err := Take([]string{dir}, []string{filepath.Join(dir, "missing")}, nil)
	require.NoError(t, err)
	assert.Len(t, s.Files, 4, "two directories, a file and a link")
	require.NoError(t, os.Symlink("d", filepath.Join(dir, "link")))
	_, err = Take([]string{dir}, nil, nil)
	require.ErrorIs(t, err, ErrUnsupported)
	s, err = Take([]string{filepath.Join(dir, "missing")}, nil, nil)
	require.NoError(t, err)
	assert.Empty(t, s.Files)
	_, err = Take(nil, nil, []string{filepath.Join(dir, "missing")})
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestOfModule(t *testing.T) {
	dir := t.TempDir()
	resolved, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	for name, content := range map[string]string{
		"work/go.work":     "go 1.26\n\nuse ./a\nuse ./b\n\nreplace example.com/d => ../d\n",
		"work/a/go.mod":    "module example.com/a\n\nreplace example.com/c => ../../c\n\nreplace example.com/x => example.com/y v1.0.0\n",
		"work/a/in/x.go":   "package in\n",
		"work/a/.git/HEAD": "changes all the time",
		"work/b/go.mod":    "module example.com/b\n",
		"c/go.mod":         "module example.com/c\n",
		"d/go.mod":         "module example.com/d\n",
		"other/x.go":       "package other\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	s, err := OfModule(filepath.Join(resolved, "work", "a", "in"), []string{filepath.Join(resolved, "c", "in"), filepath.Join(resolved, "e")}, []string{filepath.Join(resolved, "more")})
	require.NoError(t, err)
	for name, held := range map[string]bool{"work/a": true, "work/a/in": true, "work/b/x": true, "c": true, "d": true, "e/f": true, "work": false, "other": false} {
		assert.Equal(t, held, s.Holds(filepath.Join(resolved, name)), name)
	}
	assert.Contains(t, s.Files, filepath.Join(resolved, "work", "go.work"))
	assert.NotContains(t, s.Files, filepath.Join(resolved, "work", "a", ".git", "HEAD"))
	assert.Subset(t, s.Singles, []string{filepath.Join(resolved, "go.work"), filepath.Join(resolved, "work", "go.mod"), filepath.Join(resolved, "more")})

	t.Setenv("GOWORK", "off")
	s, err = OfModule(filepath.Join(resolved, "work", "a"), nil, nil)
	require.NoError(t, err)
	assert.False(t, s.Holds(filepath.Join(resolved, "work", "b")))

	require.NoError(t, s.AddFlats([]string{filepath.Join(build.Default.GOROOT, "src", "fmt")}), "files that have been there for a while")
	assert.ErrorIs(t, s.AddFlats([]string{filepath.Join(resolved, "other")}), ErrUnsupported, "a file that may have changed since")

	require.NoError(t, os.Symlink(filepath.Join(resolved, "work", "a"), filepath.Join(resolved, "link")))
	_, err = OfModule(filepath.Join(resolved, "link"), nil, nil)
	require.ErrorIs(t, err, ErrUnsupported, "its parents are not those of the directory")
	fork := "module example.com/a\n\nreplace k8s.io/client-go => example.com/fork v1.0.0\n"
	require.NoError(t, os.WriteFile(filepath.Join(resolved, "other", "go.mod"), []byte(fork), 0o666))
	_, err = OfModule(filepath.Join(resolved, "other"), nil, nil)
	require.ErrorIs(t, err, ErrUnsupported)
	require.NoError(t, os.Remove(filepath.Join(resolved, "other", "go.mod")))
	goEnv := filepath.Join(resolved, "env")
	require.NoError(t, os.WriteFile(goEnv, []byte("GOWORK=/w/go.work\n"), 0o666))
	t.Setenv("GOENV", goEnv)
	_, err = OfModule(filepath.Join(resolved, "work", "a"), nil, nil)
	require.ErrorIs(t, err, ErrUnsupported)
	t.Setenv("GOENV", "off")

	t.Setenv("GOFLAGS", "-mod=mod '-modfile=other.mod'")
	_, err = OfModule(filepath.Join(resolved, "work", "a"), nil, nil)
	assert.ErrorIs(t, err, ErrUnsupported)
	t.Setenv("GOFLAGS", "")
	_, err = OfModule(filepath.Join(resolved, "other"), nil, nil)
	assert.ErrorIs(t, err, ErrUnsupported, "no module")
}
