package attack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: robots.fleet.example.com}
spec:
  group: fleet.example.com
  scope: Namespaced
  names: {kind: Robot, listKind: RobotList, plural: robots, singular: robot}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: %s
`

// laughs declares nine aliases. Each is a list of nine of the previous one, so the last stands for 9⁹ strings.
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	return b.String()
}

// TestBombs runs the command on small files that expand to large ones, self-referential files, and large files. Each run ends in
// bounded time and memory, and errors name the file.
func TestBombs(t *testing.T) {
	size := *megabytes << 20
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for name, content := range map[string]string{
		"laughs.yaml":        laughs() + fmt.Sprintf(definition, "{type: object}"),
		"laughs-inside.yaml": fmt.Sprintf(definition, "{type: object}") + laughs(),
		"itself.yaml":        fmt.Sprintf(definition, "&self {type: object, properties: {next: *self}}"),
		"merge.yaml":         fmt.Sprintf(definition, "&self {<<: *self, type: object}"),
		"deep-flow.yaml":     fmt.Sprintf(definition, deep("{type: array, items: ", "{type: string}", "}", 5000)),
		"deep-brackets.yaml": deep("[", "", "]", 200000),
		"deep-block.yaml":    deep("- ", "x", "", 100000),
		"enum.yaml":          fmt.Sprintf(definition, "{type: string, enum: ["+strings.TrimSuffix(strings.Repeat("value,", size/6), ",")+"]}"),
		"properties.yaml":    fmt.Sprintf(definition, "{type: object, properties: {"+manyProperties(size, "p%d: {type: string}")+"}}"),
		"description.yaml":   fmt.Sprintf(definition, "{type: object, description: \""+strings.Repeat("x", size)+"\"}"),
		"documents.yaml":     strings.Repeat("---\nkind: ConfigMap\n", size/20),
		"binary.yaml":        strings.Repeat("\x00\xff", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			dir := newModule(t, map[string]string{"fleet/v1/types.go": api("fleet", "Robot"), "schemas/" + name: content})
			o := run(t, dir, "--crd-dir", "schemas")
			said, _, _ := strings.Cut(o.out, "\n")
			t.Logf("%d bytes: %s: %.200s", len(content), o, said)
			assert.Less(t, o.megabytes, int64(memoryLimit))
			assert.Less(t, o.wall.Seconds(), 120.0)
			if o.code != 0 {
				assert.Contains(t, o.out, name, "the file")
				assert.Less(t, len(o.out), 1<<20, "the message is short")
				assert.NotContains(t, tree(t, dir), "pkg")
			}
		})
	}
}

// manyProperties returns comma-separated entries with a total size in bytes.
func manyProperties(size int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
