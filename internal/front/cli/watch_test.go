package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/front/config"
)

// lines is a writer that delivers one line after the other.
type lines struct {
	ch   chan string
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		l.ch <- string(l.rest[:i])
		l.rest = l.rest[i+1:]
	}
}

// await skips lines until one contains the text. Its limit is for a run that never prints it, not for a slow machine.
func (l *lines) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(5 * time.Minute)
	var seen []string
	for {
		select {
		case line := <-l.ch:
			if strings.Contains(line, text) {
				return
			}
			seen = append(seen, line)
		case <-deadline:
			require.Fail(t, "nothing with "+text, strings.Join(seen, "\n"))
		}
	}
}

func newWatch(t *testing.T, dir string, out *lines) (*watch, *fsnotify.Watcher) {
	t.Helper()
	var f option.Values
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Register(flags, nil)
	a := app{dir: dir, stdout: out, stderr: out, report: &reporter{format: "text"}, house: complete}
	owner, _ := module.Owner(dir)
	given := config.CommandLine{Dir: dir, Module: owner.Dir, Given: flags, Values: &f}
	file, err := given.File()
	require.NoError(t, err)
	notify, err := fsnotify.NewWatcher()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, notify.Close()) })
	call := &run.Call{Front: a.front(), Dir: dir, Flags: flags, Config: configuration{given, a.house}, Stdout: out, Prose: out}
	return &watch{app: a, call: call, config: file, files: newWatched(notify, time.Millisecond)}, notify
}

// startWatch watches a directory until the test ends, and returns what the watch prints.
func startWatch(t *testing.T, dir string) *lines {
	t.Helper()
	out := &lines{ch: make(chan string, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	w, _ := newWatch(t, dir, out)
	go func() { done <- w.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.ErrorIs(t, <-done, errWatching)
	})
	return out
}

func TestWatchOfReferencedPackages(t *testing.T) {
	dir := configured(t, "packages: [./fleet/...]\n")
	scaled := strings.Replace(oneKind, "// +genclient\n", "// +genclient\n// +genclient:method=GetScale,verb=get,subresource=scale,result=example.com/m/other.Scale\n", 1)
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), fleetGroup+scaled)
	other := filepath.Join(dir, "other", "types.go")
	writeFile(t, other, "package other\n")
	out := startWatch(t, dir)
	out.await(t, "type Scale is not declared in package example.com/m/other")
	out.await(t, "watching for changes until interrupted")
	replaceFile(t, other, "package other\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype Scale struct{ metav1.TypeMeta }\n\nfunc (in *Scale) DeepCopyObject() runtime.Object { return in }\n")
	out.await(t, "1 kind in")
}

func TestWatchOfRoles(t *testing.T) {
	dir := configured(t, "packages: [./fleet/...]\nrbac-output-dir: config/rbac\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), fleetGroup+oneKind)
	reconciler := filepath.Join(dir, "internal", "robots", "reconciler.go")
	writeFile(t, reconciler, "package robots\n")
	out := startWatch(t, dir)
	out.await(t, "watching for changes until interrupted")
	replaceFile(t, reconciler, "package robots\n\n// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get\n")
	out.await(t, "1 kind in")
	assert.FileExists(t, filepath.Join(dir, "config", "rbac", "role.yaml"))
}

// TestWatchOfImports changes a source.
func TestWatchOfImports(t *testing.T) {
	dir := importModule(t)
	runDone(t, dir, "import", "crds/ships.yaml")
	out := startWatch(t, dir)
	out.await(t, "2 kinds in")
	out.await(t, "watching for changes until interrupted")
	source := filepath.Join(dir, "crds", "ships.yaml")
	replaceFile(t, source, strings.Replace(ships, "type: integer", "type: whole", 1))
	out.await(t, `unknown type "whole"`)
	replaceFile(t, source, strings.Replace(ships, "crew:", "sailors:", 1))
	out.await(t, "written  apis/sea/v1/types.go")
	out.await(t, "2 kinds in")
}

// replaceFile replaces a file atomically, as many editors do.
func replaceFile(t *testing.T, name, content string) {
	t.Helper()
	hidden := filepath.Join(filepath.Dir(name), ".new")
	writeFile(t, hidden, content)
	require.NoError(t, os.Rename(hidden, name))
}

const fleetGroup = "// +groupName=fleet.example.com\n"

func TestWatch(t *testing.T) {
	dir := configured(t, "# defaults\n")
	types := filepath.Join(dir, "fleet", "v1", "types.go")
	writeFile(t, types, fleetGroup+oneKind)
	out := startWatch(t, dir)
	out.await(t, "1 kind in")
	out.await(t, "watching for changes until interrupted")

	replaceFile(t, types, fleetGroup+oneKind+strings.ReplaceAll(strings.TrimPrefix(oneKind, "package v1\n"), "Robot", "Drone"))
	out.await(t, "2 kinds")

	replaceFile(t, types, fleetGroup+strings.ReplaceAll(oneKind, "onlyVerbs=get", "onlyVerbs=gte"))
	out.await(t, "fleet/v1/types.go:5:")

	replaceFile(t, types, fleetGroup+oneKind)
	out.await(t, "1 kind in")

	writeFile(t, filepath.Join(dir, "apps", "v1", "types.go"), "// +groupName=apps.example.com\n"+oneKind)
	out.await(t, "2 groups")

	replaceFile(t, filepath.Join(dir, option.FileName), "output-dirs: gen\n")
	out.await(t, option.FileName+":1:1: unknown key output-dirs")

	replaceFile(t, filepath.Join(dir, option.FileName), "output-dir: gen\n")
	out.await(t, "2 kinds in gen")

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "apps")))
	out.await(t, "1 group,")
}

// TestWatchIgnoresItsOwnOutput checks all events of a run that writes and removes files.
func TestWatchIgnoresItsOwnOutput(t *testing.T) {
	dir := configured(t, "")
	types := filepath.Join(dir, "fleet", "v1", "types.go")
	writeFile(t, types, fleetGroup+oneKind)
	w, notify := newWatch(t, dir, &lines{ch: make(chan string, 1000)})
	require.NoError(t, w.generateOnce(t.Context()))
	require.NoError(t, w.generateOnce(t.Context())) // from now on, the output is watched too
	writeFile(t, types, fleetGroup+strings.ReplaceAll(oneKind, "Robot", "Drone"))
	assert.True(t, w.mattersUntil(t, notify, filepath.Join(dir, "one.txt")), "the change of the type")
	require.NoError(t, w.generateOnce(t.Context()))
	assert.FileExists(t, filepath.Join(dir, "pkg", "generated", "clientset", "versioned", "typed", "fleet", "v1", "drone.go"))
	assert.False(t, w.mattersUntil(t, notify, filepath.Join(dir, "two.txt")), "the output that follows from it")
}

// mattersUntil creates a file and reports whether any event before that of the file matters.
func (w *watch) mattersUntil(t *testing.T, notify *fsnotify.Watcher, name string) (matters bool) {
	t.Helper()
	writeFile(t, name, "")
	for {
		event := <-notify.Events
		if event.Name == name {
			return matters
		}
		matters = w.files.matters(event) || matters
	}
}

func TestWatchedFiles(t *testing.T) {
	dir := configured(t, "go-header-file: hack/header.txt\ncrd-dir: crds\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), fleetGroup+oneKind)
	writeFile(t, filepath.Join(dir, "hack", "header.txt"), "// Header\n")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "crds"), 0o777))
	w, _ := newWatch(t, dir, &lines{ch: make(chan string, 1000)})
	require.NoError(t, w.generateOnce(t.Context()))
	clientset := "pkg/generated/clientset/versioned/typed/fleet/v1/"
	writeFile(t, filepath.Join(dir, clientset+"robot_expansion.go"), "package v1\n")
	for name, want := range map[string]bool{
		"fleet/v1/types.go":                true,
		"fleet/v1/removed.go":              true,
		"fleet/v1/types_test.go":           false,
		"fleet/v1/.types.go.swp":           false,
		"fleet/v1/README.md":               false,
		"go.mod":                           true,
		option.FileName:                    true,
		"hack/header.txt":                  true,
		"hack/other.txt":                   false,
		"crds/robots.yaml":                 true,
		"other.yaml":                       false,
		clientset + "robot.go":             false,
		clientset + "robot_expansion.go":   true,
		clientset + "generated_removed.go": false,
	} {
		event := fsnotify.Event{Name: filepath.Join(dir, filepath.FromSlash(name)), Op: fsnotify.Write}
		assert.Equal(t, want, w.files.matters(event), name)
		event.Op = fsnotify.Chmod
		assert.False(t, w.files.matters(event), name)
	}
}

func TestWatchUsageError(t *testing.T) {
	code, _, stderr := execute(t, t.TempDir(), "generate", "--watch", "--only", "nope")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, `unknown generator "nope"`)
}

func TestWatchEndsWithTheContext(t *testing.T) {
	dir := configured(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	assert.Equal(t, exitInterrupted, app{dir: dir, stdout: &out, stderr: &out}.run(ctx, []string{"--watch"}))
	assert.Equal(t, "informer-gen-lite: interrupted, nothing was changed\n", out.String())
}
