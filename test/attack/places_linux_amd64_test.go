package attack

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func fleet(t *testing.T) string {
	t.Helper()
	return newModule(t, map[string]string{"fleet/v1/types.go": api("fleet", "Robot")})
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	config := []string{"-c", "protocol.file.allow=always", "-c", "user.name=attack", "-c", "user.email=attack@example.com"}
	cmd := exec.Command("git", append(config, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// repository turns a directory into a git repository and commits everything in it.
func repository(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "all")
}

func TestWorktreeAndSubmodule(t *testing.T) {
	origin := fleet(t)
	repository(t, origin)
	worktree := filepath.Join(t.TempDir(), "worktree")
	git(t, origin, "worktree", "add", "-q", worktree)
	super := filepath.Join(t.TempDir(), "super")
	require.NoError(t, os.MkdirAll(super, 0o777))
	git(t, super, "init", "-q")
	git(t, super, "submodule", "--quiet", "add", origin, "sub")
	submodule := filepath.Join(super, "sub")
	succeed(t, origin)
	want := tree(t, filepath.Join(origin, "pkg"))
	for _, dir := range []string{worktree, submodule} {
		succeed(t, dir)
		sameTree(t, want, tree(t, filepath.Join(dir, "pkg")), dir)
		succeed(t, dir, "verify")
		assert.Equal(t, "?? fleet/v1/zz_generated.deepcopy.go\n?? fleet/v1/zz_generated.register.go\n?? pkg/\n", git(t, dir, "status", "--porcelain"))
	}
	o := run(t, super, "./sub/...") // the module around it has no go.mod
	t.Log("from the repository around the submodule: ", o, " ", tail(o.out))
}

func TestVendorDirectory(t *testing.T) {
	dir := fleet(t)
	library := filepath.Join(filepath.Dir(dir), "library")
	write(t, filepath.Join(library, "go.mod"), "module example.com/library\n\ngo 1.26.0\n")
	write(t, filepath.Join(library, "library.go"), "package library\n\ntype Part struct{ Names []string }\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire example.com/library v0.0.0\n\nreplace example.com/library => ../library\n")
	src := strings.Replace(api("fleet", "Robot"), "Arms []string", "Arms []library.Part", 1)
	write(t, filepath.Join(dir, "fleet/v1/types.go"), strings.Replace(src, "import ", "import \"example.com/library\"\nimport ", 1))
	succeed(t, dir)
	want := tree(t, filepath.Join(dir, "pkg"))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "pkg")))
	write(t, filepath.Join(dir, "vendor/modules.txt"), "# example.com/library v0.0.0 => ../library\n## explicit; go 1.26.0\nexample.com/library\n# example.com/library => ../library\n")
	write(t, filepath.Join(dir, "vendor/example.com/library/library.go"), "package library\n\ntype Part struct{ Names []string }\n")
	require.NoError(t, os.RemoveAll(library))
	vendored := tree(t, filepath.Join(dir, "vendor"))
	succeed(t, dir)
	sameTree(t, want, tree(t, filepath.Join(dir, "pkg")), "vendored")
	sameTree(t, vendored, tree(t, filepath.Join(dir, "vendor")), "what is vendored")
	succeed(t, dir, "verify")
}

// TestClock changes types while the clock goes back, stands still and is in the future: files look older than the output
// generated from them, or have the same time and size as before.
func TestClock(t *testing.T) {
	dir := fleet(t)
	name := filepath.Join(dir, "fleet/v1/types.go")
	for i, when := range []time.Duration{0, 24 * time.Hour, -24 * time.Hour, 20 * 365 * 24 * time.Hour, -40 * 365 * 24 * time.Hour, -24 * time.Hour} {
		field := fmt.Sprintf("Arms%d", i) // of the same length
		write(t, name, strings.Replace(api("fleet", "Robot"), "Arms ", field+" ", 1))
		at := time.Now().Add(when)
		require.NoError(t, os.Chtimes(name, at, at))
		succeed(t, dir)
		content, err := os.ReadFile(filepath.Join(dir, "pkg/generated/applyconfiguration/fleet/v1/robotspec.go"))
		require.NoError(t, err)
		require.Contains(t, string(content), "With"+field, when)
		require.NoError(t, filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
			return assertNil(err, os.Chtimes(name, at, at))
		}))
		succeed(t, dir, "verify")
		again := succeed(t, dir)
		assert.Contains(t, again.out, "0 files written", when)
	}
	info, err := os.Stat(name)
	require.NoError(t, err)
	write(t, name, strings.Replace(api("fleet", "Robot"), "Arms ", "Legs5 ", 1))
	require.NoError(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	assert.Equal(t, 1, run(t, dir, "verify").code, "the same size and time")
	succeed(t, dir)
	assert.Contains(t, tree(t, dir)["pkg/generated/applyconfiguration/fleet/v1/robotspec.go"], "WithLegs5")
}

func assertNil(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestEditsDuringARun edits the types and a handwritten file at system calls of a run. Edits are kept, and the next run uses the
// edited types.
func TestEditsDuringARun(t *testing.T) {
	s := &scene{name: "edits", edit: func(*testing.T, string) {}}
	s.layOut(t)
	edited := api("fleet", "Robot", "Wheel")
	goal := s.copy(t)
	write(t, filepath.Join(goal, "fleet/v1/types.go"), edited)
	succeed(t, goal)
	want := tree(t, goal)
	want[expansion] = "package v1\n\n// edited\n"
	step := max(1, len(s.calls)*4 / *kills)
	runs, made := 0, 0
	for number := 1; number <= len(s.calls); number += step {
		runs++
		dir := s.copy(t)
		last := 0
		code, err := trace(dir, nil, s.log(t, dir), func(c change) action {
			if last = c.number; c.number == number {
				assert.NoError(t, os.WriteFile(filepath.Join(dir, "fleet/v1/types.go"), []byte(edited), 0o666))
				assert.NoError(t, os.WriteFile(filepath.Join(dir, expansion), []byte(want[expansion]), 0o666))
			}
			return proceed
		})
		require.NoError(t, err)
		if last < number {
			continue // goroutines that make the same directory may need fewer calls than last time
		}
		made++
		require.Contains(t, []int{0, 1}, code, s.printed(t, dir))
		assert.Equal(t, want[expansion], tree(t, dir)[expansion])
		succeed(t, dir)
		sameTree(t, want, tree(t, dir), fmt.Sprintf("edited at change %d", number))
		require.NoError(t, os.RemoveAll(dir))
	}
	assert.Greater(t, made, runs*9/10)
}

// TestAnotherUser verifies and generates as a user who can read everything and write nothing.
func TestAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	dir := fleet(t)
	// The user cannot access the module cache of root.
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery v0.37.2\n\nreplace k8s.io/apimachinery => ../apimachinery\n")
	library := filepath.Join(filepath.Dir(dir), "apimachinery")
	write(t, filepath.Join(library, "go.mod"), "module k8s.io/apimachinery\n\ngo 1.26.0\n")
	write(t, filepath.Join(library, "pkg/apis/meta/v1/types.go"), "package v1\n\ntype TypeMeta struct {\n\tKind string `json:\"kind\"`\n}\n\nfunc (*TypeMeta) GetObjectKind() any { return nil }\n\ntype ObjectMeta struct {\n\tName string `json:\"name\"`\n}\n\ntype ListMeta struct{}\n")
	succeed(t, dir)
	for parent := filepath.Dir(dir); parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		require.NoError(t, os.Chmod(parent, 0o755))
	}
	home, err := os.MkdirTemp("", "attack-home") //nolint:usetesting // another user cannot enter t.TempDir()
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	require.NoError(t, os.Chown(home, 65534, 65534))
	as := func(args ...string) outcome {
		cmd := command(context.Background(), dir, args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOPROXY=off", "GOFLAGS=-mod=mod"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		return measure(t, cmd)
	}
	before := tree(t, dir)
	o := as("verify")
	assert.Equal(t, 0, o.code, o.out)
	o = as()
	assert.Equal(t, 0, o.code, o.out)
	write(t, filepath.Join(dir, "fleet/v1/types.go"), api("fleet", "Robot", "Wheel"))
	before["fleet/v1/types.go"] = api("fleet", "Robot", "Wheel")
	o = as("verify")
	assert.Equal(t, 1, o.code, o.out)
	o = as()
	assert.Equal(t, 1, o.code)
	assert.Contains(t, o.out, "permission denied")
	sameTree(t, before, tree(t, dir), "nothing was changed")
}

// TestShuffledDirectories generates with directory entries in other orders. Files and messages are the same.
func TestShuffledDirectories(t *testing.T) {
	requireShuffle(t)
	for _, s := range scenes() {
		s.layOut(t)
		want := s.printed(t, s.twin)
		listed := 0
		for i := range max(2, *kills/10) {
			random := rand.New(rand.NewPCG(*seed, uint64(i)))
			dir := s.copy(t)
			shuffled := &tracer{dir: dir, at: func(change) action { return proceed }, shuffle: func(n int, swap func(i, j int)) {
				listed += n
				random.Shuffle(n, swap)
			}}
			code, err := shuffled.run(append([]string{program}, s.args...), s.log(t, dir))
			require.NoError(t, err)
			require.Equal(t, 0, code, s.printed(t, dir))
			assert.Equal(t, withoutTime(want), withoutTime(s.printed(t, dir)))
			sameTree(t, s.after, tree(t, dir), s.name)
			require.NoError(t, os.RemoveAll(dir))
		}
		t.Logf("%s: %d entries listed", s.name, listed)
		assert.Greater(t, listed, 100)
	}
}

// requireShuffle checks that the shuffled order is effective.
func requireShuffle(t *testing.T) {
	t.Helper()
	ls, err := exec.LookPath("ls")
	require.NoError(t, err)
	dir := newModule(t, map[string]string{"a": "", "b": "", "c": "", "d": ""})
	list := func(reverse bool) []string {
		out, err := os.Create(dir + ".log")
		require.NoError(t, err)
		defer func() { _ = out.Close() }()
		shuffled := &tracer{dir: dir, at: func(change) action { return proceed }, shuffle: func(n int, swap func(i, j int)) {
			for i := range n / 2 {
				if reverse {
					swap(i, n-1-i)
				}
			}
		}}
		code, err := shuffled.run([]string{ls, "-U"}, out)
		require.NoError(t, err)
		require.Equal(t, 0, code)
		printed, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		return strings.Fields(string(printed))
	}
	backward := list(true)
	slices.Reverse(backward)
	require.Equal(t, list(false), backward)
}

var duration = regexp.MustCompile(`\([0-9.]+m?s\)`)

func withoutTime(printed string) string { return duration.ReplaceAllString(printed, "") }

// TestDirectoriesThatExist generates into existing directories. It checks that runs do not create them again: file systems that
// are read-only or belong to another user differ in whether they fail with EEXIST, EROFS or EACCES.
func TestDirectoriesThatExist(t *testing.T) {
	dir := fleet(t)
	succeed(t, dir)
	write(t, filepath.Join(dir, "fleet/v1/types.go"), api("fleet", "Robot", "Wheel"))
	write(t, filepath.Join(dir, "edge/v1/types.go"), api("edge", "Site"))
	out, err := os.Create(dir + ".log")
	require.NoError(t, err)
	defer func() { _ = out.Close() }()
	made := 0
	code, err := trace(dir, nil, out, func(c change) action {
		if c.call == "mkdir" {
			made++
			if !temporary.MatchString(c.path) { // trees with temporary names are the run's own, and made concurrently
				assert.NoDirExists(t, c.path)
			}
		}
		return proceed
	})
	require.NoError(t, err)
	require.Equal(t, 0, code)
	assert.Positive(t, made)
}
