package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
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

// newest is the release that this module requires.
var newest = release{model.DefaultTarget.String(), "."}

// forReleases runs a test for each selected release concurrently: upstream's generators use one core each.
func forReleases(t *testing.T, test func(*testing.T, release)) {
	t.Helper()
	for _, target := range model.Targets() {
		if !allReleases() && target != model.OldestTarget && target != model.DefaultTarget {
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
