package output

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDefinitionDirs(t *testing.T) {
	const made = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n" +
		"    controller-gen.kubebuilder.io/version: v0.23.0\n"
	const handwritten = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	for name, test := range map[string]struct {
		files       map[string]string
		generated   []string
		handwritten bool
	}{
		"none":        {map[string]string{"deploy/pod.yaml": "kind: Pod\n"}, nil, false},
		"one place":   {map[string]string{"config/crd/bases/a.yaml": made, "config/crd/bases/b.yaml": made}, []string{"config/crd/bases"}, false},
		"the root":    {map[string]string{"a.yaml": made}, []string{"."}, false},
		"two places":  {map[string]string{"config/crd/a.yaml": made, "chart/crds/a.yaml": made}, []string{"chart/crds", "config/crd"}, false},
		"handwritten": {map[string]string{"deploy/crd.yml": handwritten}, nil, true},
		"both":        {map[string]string{"config/crd/a.yaml": made, "deploy/crd.yaml": handwritten}, []string{"config/crd"}, true},
		"not ours":    {map[string]string{"vendor/x/a.yaml": made, "testdata/b.yaml": made, ".hidden/c.yaml": made}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, content := range test.files {
				file = filepath.Join(root, filepath.FromSlash(file))
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
			}
			generated, handwritten := DefinitionDirs(root)
			assert.Equal(t, test.generated, generated)
			assert.Equal(t, test.handwritten, handwritten)
		})
	}
}
