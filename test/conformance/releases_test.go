package conformance

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// release is a release of Kubernetes' libraries, including code-generator.
type release struct {
	// name is the minor release: v0.33.
	name string
	// dir is a module that builds with this release.
	dir string
}

// allVariable is the environment variable that makes the tests compare with all supported releases. By default they compare with
// the oldest and the newest.
const allVariable = "INFORMER_GEN_LITE_CONFORMANCE_ALL"

// allReleases reports whether the tests compare with all releases.
func allReleases() bool { return os.Getenv(allVariable) != "" }

// newest is the release that this module requires or, with the go command that aheadFile needs, the release of that file.
var newest = release{model.DefaultTarget.String(), "."}

// aheadFile has the requirements of a release that is not final, and that needs a go command newer than ours.
var aheadFile = model.NewestTarget.String() + ".mod"

// ahead reports whether the tests run for the release that is not final. Only a test that is compiled with its go command can read its
// packages.
func ahead() bool { return newest.name != model.DefaultTarget.String() }

func TestMain(m *testing.M) {
	if err := lookAhead(); err != nil {
		panic(err) //nolint:forbidigo // before the first test, there is nothing to report to
	}
	m.Run()
}

// lookAhead makes the release that is not final the newest, if the go command is the one that it needs.
func lookAhead() error {
	content, err := os.ReadFile(aheadFile)
	if err != nil {
		return err
	}
	mod, err := modfile.ParseLax(aheadFile, content, nil)
	if err != nil || version.Compare(runtime.Version(), "go"+mod.Go.Version) < 0 {
		return err
	}
	name := strings.TrimSuffix(aheadFile, ".mod")
	dir, err := scratch.Dir(name, "module")
	if err != nil {
		return err
	}
	newest = release{name, dir}
	return scratch.NewModule(dir, "conformance.example/ahead", aheadFile)
}

// needsFinal skips a test that compares with modules that no release ahead of the final ones has.
func needsFinal(t *testing.T) {
	t.Helper()
	if ahead() {
		t.Skip("it needs modules that require a final release")
	}
}

// forReleases runs a test for each selected release concurrently: upstream's generators use one core each.
func forReleases(t *testing.T, test func(*testing.T, release)) {
	t.Helper()
	if ahead() {
		t.Run(newest.name, func(t *testing.T) { test(t, newest) })
		return
	}
	for _, target := range model.Targets() {
		if !allReleases() && target != model.DefaultTarget && (testing.Short() || target != model.OldestTarget) {
			continue
		}
		r := newest
		if target != model.DefaultTarget {
			r = release{target.String(), filepath.Join(ourModule, "testdata", "targets", target.String())}
			require.FileExists(t, filepath.Join(r.dir, "go.mod"))
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			test(t, r)
		})
	}
}
