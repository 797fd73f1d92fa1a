package conformance

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// gatewayApplyConfigurations is the package of the apply configurations that gateway-api ships. They were made with a
// schema.
const gatewayApplyConfigurations = "sigs.k8s.io/gateway-api/applyconfiguration"

// turnedName is a name that the program with which gateway-api prints its schema has turned round, though it was the
// right way round already. Nothing outside the schema knows the types of these names.
var turnedName = regexp.MustCompile(`\b(\w+)\.v1\.meta\.apis\.pkg\.apimachinery\.k8s\.io\b`)

// shipGatewayApplyConfigurations gives the apply configurations that upstream wrote without a schema the content of those
// that gateway-api ships. What it ships beside them is left from older versions: upstream does not write it any more, and
// nothing refers to it.
func shipGatewayApplyConfigurations(t *testing.T, out generate.Output) {
	t.Helper()
	shipped, err := scratch.GoFiles(newest.moduleDir(t, path.Dir(gatewayApplyConfigurations)), applyConfigurations)
	require.NoError(t, err)
	root := filepath.Join(out.Dir, filepath.FromSlash(out.Folder))
	written, err := scratch.GoFiles(root, applyConfigurations)
	require.NoError(t, err)
	require.NotEmpty(t, written)
	for name := range written {
		require.Contains(t, shipped, name)
		content := strings.ReplaceAll(shipped[name], gatewayApplyConfigurations+"/", path.Join(out.Package, applyConfigurations)+"/")
		content = turnedName.ReplaceAllString(content, "io.k8s.apimachinery.pkg.apis.meta.v1.$1")
		require.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(content), 0o644))
	}
	t.Logf("%d of %d files that gateway-api ships", len(written), len(shipped))
}

// moveGatewayGroup gives upstream's output the folder names of ours, so that all the rest can be compared.
func moveGatewayGroup(t *testing.T, out generate.Output) {
	t.Helper()
	root := filepath.Join(out.Dir, out.Folder)
	var imports []string
	parents := []string{out.Clientset + "/typed", out.Listers, out.Informers}
	if out.ApplyConfigurations != "" {
		parents = append(parents, out.ApplyConfigurations)
	}
	for _, parent := range parents {
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
