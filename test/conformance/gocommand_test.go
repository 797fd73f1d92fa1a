package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// TestOutputDoesNotDependOnGo generates everything for k8s.io/api with the release of Go that runs the test and with a newer one, which each
// build the program, too. encoding/json.RawMessage, for example, is an alias of another type since Go 1.27.
func TestOutputDoesNotDependOnGo(t *testing.T) {
	next := os.Getenv("INFORMER_GEN_LITE_NEXT_GO")
	if next == "" {
		t.Skip("make ahead runs this")
	}
	input := generate.Input{Patterns: []string{apiModule + "/..."}, PluralExceptions: clientGoInput.PluralExceptions}
	var outputs []map[string]string
	for _, side := range []string{"go", "next-go"} {
		if side == "next-go" {
			t.Setenv("GOTOOLCHAIN", next)
		}
		bin, err := scratch.Build(ourModule, side, "./cmd/informer-gen-lite")
		require.NoError(t, err)
		ours := generate.Ours(filepath.Join(bin, "informer-gen-lite"))
		out := applied(clientsOutput(t, "go-commands", side))
		_, err = ours.Generate(input, out)
		require.NoError(t, err)
		clients, err := scratch.GoFiles(out.Dir, out.Folder)
		require.NoError(t, err)
		clone := newest.copyOf(t, apiModule, side)
		replaceDeepCopies(t, ours, clone)
		copies, err := scratch.GoFiles(clone, ".")
		require.NoError(t, err)
		for name, content := range copies {
			clients["api/"+name] = content
		}
		outputs = append(outputs, clients)
	}
	t.Logf("%d files", len(outputs[0]))
	failWith(t, "files depend on the release of Go", scratch.DiffFiles(outputs[0], outputs[1]))
}
