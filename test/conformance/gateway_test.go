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

// gatewayApplyConfigurations is the package of the apply configurations in gateway-api. They were generated with a schema.
const gatewayApplyConfigurations = "sigs.k8s.io/gateway-api/applyconfiguration"

// turnedName matches names that gateway-api's schema printer has reversed by mistake. Nothing outside the schema uses these
// names.
var turnedName = regexp.MustCompile(`\b(\w+)\.v1\.meta\.apis\.pkg\.apimachinery\.k8s\.io\b`)

// shipGatewayApplyConfigurations replaces the apply configurations that upstream wrote without a schema by those in gateway-api.
// Additional files in gateway-api are left over from older versions and unused.
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
