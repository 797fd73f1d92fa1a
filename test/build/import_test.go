package build_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
)

// TestImportGuide follows the example in docs/import.md from an empty directory.
func TestImportGuide(t *testing.T) {
	const page = "docs/import.md"
	text, err := os.ReadFile(root.Path(page))
	require.NoError(t, err)
	quoted := func(words string) string { // the page contains these words
		require.Contains(t, string(text), "`"+words+"`")
		return words
	}
	definitions, err := os.ReadFile(root.Path("examples/foreign/crds/brokers.yaml"))
	require.NoError(t, err)
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
	must(s, quoted("go mod init example.com/shop"))
	s.Write(quoted("crds/brokers.yaml"), string(definitions))
	code := map[string]string{}
	for _, b := range root.Blocks(t, page) {
		if b.Number == 1 {
			code[b.Language] = b.Code
		}
	}
	command, printed, _ := strings.Cut(strings.TrimPrefix(code["console"], "$ "), "\n")
	require.Equal(t, printed, must(s, command))
	lines := steps(must(s, quoted("informer-gen-lite generate")))
	require.NotEmpty(t, lines)
	require.Contains(t, lines[0], quoted("go get")+" ")
	must(s, lines[0])
	s.Write(quoted("main.go"), code["go"])
	assert.Equal(t, quoted("main has 3 servers and version 4.1")+"\n", must(s, quoted("go run .")))
	must(s, "informer-gen-lite verify && go mod tidy && go vet ./... && informer-gen-lite verify")
}

// TestImportSmallKind uses a kind whose name is not that of a Go type: its objects, apply configurations and controller have the kind's name.
func TestImportSmallKind(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/smallkind.txtar")
	require.NoError(t, err)
	s := doctest.Session{T: t, Root: root, Dir: t.TempDir(), Bin: bin(t)}
	for _, file := range archive.Files {
		s.Write(file.Name, string(file.Data))
	}
	must(s, "informer-gen-lite import")
	getMissing(s, must(s, "informer-gen-lite generate"))
	const crdfake = "github.com/informer-gen-lite/informer-gen-lite/crdfake"
	must(s, "go mod edit -require="+crdfake+"@v0.0.0 -replace="+crdfake+"=$REPOSITORY/crdfake && go mod tidy && go test ./... && informer-gen-lite verify")
}
