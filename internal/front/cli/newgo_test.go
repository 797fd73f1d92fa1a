package cli

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// genericMethods are types that require Go 1.27.
const genericMethods = oneKind + `
type Box[T any] struct{ Value T }

func (b Box[T]) As[U any](convert func(T) U) U { return convert(b.Value) }
`

// moduleFor returns the directory of a module that requires a release of Go and has generic methods.
func moduleFor(t *testing.T, release string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo "+strings.TrimPrefix(release, "go")+"\n")
	writeFile(t, filepath.Join(dir, "fleet", "v1", "types.go"), "// +groupName=fleet.example.com\n"+genericMethods)
	return dir
}

// TestSourceNewerThanProgram needs the next release of Go, which make ahead provides.
func TestSourceNewerThanProgram(t *testing.T) {
	next := os.Getenv("INFORMER_GEN_LITE_NEXT_GO")
	if next == "" || version.Compare(version.Lang(next), version.Lang(runtime.Version())) <= 0 {
		t.Skip("make ahead runs this")
	}
	t.Setenv("GOTOOLCHAIN", next)
	code, _, stderr := execute(t, moduleFor(t, next), "--only=clientset")
	assert.Equal(t, exitProblem, code)
	assert.Contains(t, stderr, "fleet/v1/types.go:")
	assert.Contains(t, stderr, "this program was built with "+version.Lang(runtime.Version())+", but module example.com/m requires go "+
		strings.TrimPrefix(next, "go")+"\n\trebuild it with "+version.Lang(next)+" or later")
}

// TestGenericMethods reads generic methods, if the parser of the release that built the test does.
func TestGenericMethods(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.27") < 0 {
		t.Skip("make ahead runs this with a release that has generic methods")
	}
	code, _, stderr := execute(t, moduleFor(t, "go1.27.0"), "--only=clientset,deepcopy")
	require.Equal(t, exitDone, code, stderr)
}
