package generate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInputPackages(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":        "module a.example/apis\n",
		"plain/a.go":    "package plain\n\n// +genclient\ntype A struct{}\n",
		"tab/a.go":      "package tab\n\n//\t+genclient\ntype A struct{}\n",
		"block/a.go":    "package block\n\n/*\n+genclient\n*/\ntype A struct{}\n",
		"none/a.go":     "package none\n\n// no +genclient here\ntype A struct{}\n",
		"related/a.go":  "package related\n\n// +genclient:noStatus\ntype A struct{}\n",
		"tests/a.go":    "package tests\n",
		"tests/test.go": "package tests\n\n/* +genclient */\ntype A struct{}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
	}

	packages, err := Input{Patterns: []string{"./..."}}.packages(dir)
	require.NoError(t, err)
	var paths []string
	for _, p := range packages {
		paths = append(paths, p.ImportPath)
	}
	assert.Equal(t, []string{
		"a.example/apis/block", "a.example/apis/plain", "a.example/apis/tab", "a.example/apis/tests",
	}, paths)

	_, err = Input{Patterns: []string{"./none", "./related"}}.packages(dir)
	assert.ErrorContains(t, err, "no +genclient tag in ./none ./related")
}

func TestUpstreamFlags(t *testing.T) {
	in := Input{ApplyConfigurations: "a.example/apply", PluralExceptions: []string{"A:Aa", "B:Bb"}, PrefersProtobuf: true}
	out := Output{
		Dir: "/module", Folder: "pkg", Package: "a.example/pkg",
		Clientset: "clientset/versioned", Listers: "listers", Informers: "informers/externalversions",
	}
	assert.Equal(t, []string{
		"--output-dir", filepath.FromSlash("/module/pkg/clientset"), "--output-pkg", "a.example/pkg/clientset",
		"--plural-exceptions", "A:Aa,B:Bb",
		"--clientset-name", "versioned", "--input-base", "", "--input", "a.example/x/v1,a.example/y/v1",
		"--apply-configuration-package", "a.example/apply", "--prefers-protobuf",
	}, clientGen(in, out, []string{"a.example/x/v1", "a.example/y/v1"}))

	informers := []string{
		"--output-dir", filepath.FromSlash("/module/pkg/informers"), "--output-pkg", "a.example/pkg/informers",
		"--plural-exceptions", "A:Aa,B:Bb",
		"--versioned-clientset-package", "a.example/pkg/clientset/versioned", "--listers-package", "a.example/pkg/listers",
	}
	assert.Equal(t, informers, informerGen(in, out))
	out.Informers = "informers"
	assert.Equal(t, append(informers, "--single-directory"), informerGen(in, out))
}
