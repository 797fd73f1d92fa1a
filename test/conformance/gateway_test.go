package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/generate"
	"github.com/informer-gen-lite/informer-gen-lite/test/conformance/internal/scratch"
)

// A group's folder is named after the folder above the versions, but we do not take "apis" for the name of a group:
// the clients of gateway-api's main group are in "gateway" with us, and in "apis" with upstream. That is the one
// difference in package paths, and a wanted one.
const (
	upstreamGatewayFolder = "apis"
	ourGatewayFolder      = "gateway"
)

// moveGatewayGroup gives upstream's output the folder names of ours, so that all the rest can be compared.
func moveGatewayGroup(t *testing.T, out generate.Output) {
	t.Helper()
	root := filepath.Join(out.Dir, out.Folder)
	var imports []string
	for _, parent := range []string{out.Clientset + "/typed", out.Listers, out.Informers} {
		from, to := parent+"/"+upstreamGatewayFolder, parent+"/"+ourGatewayFolder
		require.NoError(t, os.Rename(filepath.Join(root, from), filepath.Join(root, to)))
		imports = append(imports, from+"/", to+"/", from+`"`, to+`"`)
	}
	rewrite := strings.NewReplacer(append(imports,
		"\npackage "+upstreamGatewayFolder+"\n", "\npackage "+ourGatewayFolder+"\n")...)
	files, err := scratch.GoFiles(root, ".")
	require.NoError(t, err)
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(rewrite.Replace(content)), 0o644))
	}
}
