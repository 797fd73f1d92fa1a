package doctest_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/doctest"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// rows describe the files that a run writes for the kind in README.md: a pattern for their paths, and the row of the table for them.
var rows = []struct{ pattern, name, why string }{
	{`(\.\./)+apis/fleet/v1/zz_generated\.deepcopy\.go`, "zz_generated.deepcopy.go", "in the API package: [deep copies](#deep-copies)"},
	{`(\.\./)+apis/fleet/v1/zz_generated\.register\.go`, "zz_generated.register.go", "in the API package: [registration](#registration)"},
	{`applyconfiguration/fleet/.*`, "applyconfiguration/<group>/<version>/", "a builder for each type that a kind uses: [server-side apply](#apply-configurations)"},
	{`applyconfiguration/internal/.*`, "applyconfiguration/internal/", "the schema, by which fakes merge and `Extract…` finds fields"},
	{`applyconfiguration/utils\.go`, "applyconfiguration/utils.go", "the builder for a kind by its name, for fakes"},
	{`clientset/versioned/clientset\.go`, "clientset/versioned/clientset.go", "the clientset: a client for each group and version"},
	{`clientset/versioned/scheme/.*`, "clientset/versioned/scheme/", "the scheme with your types, by which clients encode and decode"},
	{`clientset/versioned/typed/fleet/v1/[^/]+`, "clientset/versioned/typed/<group>/<version>/", "the client of the group, and a client for each kind"},
	{`clientset/versioned/(typed/.*/)?fake/.*`, "clientset/versioned/…/fake/", "the [fake](#the-fake) clientset and its clients"},
	{`listers/.*`, "listers/<group>/<version>/", "a lister for each kind, which reads from an informer's cache"},
	{`informers/externalversions/fleet/.*`, "informers/externalversions/<group>/", "an informer for each kind, and the interfaces that lead to it"},
	{`informers/externalversions/(factory|generic|internalinterfaces/.*)\.go`, "informers/externalversions/", "the SharedInformerFactory, with its generic access and interfaces"},
	{`clientset/versioned/fake/strict_generated\.go`, "clientset/versioned/fake/strict_generated.go", "library: `NewStrictClientset`, which [answers as a server](testing.md)"},
	{`informers/externalversions/runtime\.go`, "informers/externalversions/runtime.go", "library: `New` and a source for each kind: [informers](informers.md)"},
	{`informers/externalversions/fields\.go`, "informers/externalversions/fields.go", "library: the fields of each kind, which managers [compare with definitions](operations.md#old-definitions)"},
	{`controllers/.*`, "controllers/<group>/<version>/", "library: a [controller](controllers.md) for each kind with the marker"},
}

// TestOutput compares the table in docs/output.md with what a run writes for the kind in README.md, without and with its controller.
func TestOutput(t *testing.T) {
	const name, marker = "../../../docs/output.md", "// +informergen:controller\n"
	var kind string
	for _, b := range root.Blocks(t, "README.md") {
		if strings.Contains(b.Code, "+groupName") {
			kind = b.Code
		}
	}
	require.Contains(t, kind, marker)
	plain, full := generated(t, strings.Replace(kind, marker, "", 1)), generated(t, kind)
	var table strings.Builder
	table.WriteString("| files | lines | |\n|---|--:|---|\n")
	total, count := 0, 0
	described := map[string]bool{}
	for _, row := range rows {
		pattern, lines, files := regexp.MustCompile("^("+row.pattern+")$"), 0, plain
		if strings.HasPrefix(row.why, "library") {
			files = full
		}
		for path, n := range files {
			if _, both := plain[path]; pattern.MatchString(path) && !described[path] && (both || strings.HasPrefix(row.why, "library")) {
				described[path] = true
				lines += n
				if both {
					total, count = total+n, count+1
				}
			}
		}
		assert.Positive(t, lines, "%s: no such files", row.name)
		fmt.Fprintf(&table, "| `%s` | %d | %s |\n", row.name, lines, row.why)
	}
	for path := range full {
		assert.True(t, described[path], "%s: describe this file", path)
	}
	fmt.Fprintf(&table, "| %d files without the library | %d | |\n", count, total)
	want, err := harness.Mark("output").InFile(name, table.String())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o666))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./test/internal/doctest -run TestOutput -update writes it")
}

// generated returns the lines of each file that a run writes for a package, by its path below the output directory, or below the module.
func generated(t *testing.T, source string) map[string]int {
	t.Helper()
	dir := t.TempDir()
	session := doctest.Session{T: t, Dir: dir}
	session.Write("go.mod", "module example.com/shop\n\ngo 1.26.0\n")
	session.Write("apis/fleet/v1/types.go", source)
	result, err := informergen.Generate(t.Context(), informergen.Config{Dir: dir})
	require.NoError(t, err)
	lines := map[string]int{}
	for _, file := range result.Files {
		lines[file.Path] = bytes.Count(file.Content, []byte("\n"))
	}
	return lines
}
