package doctest_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// step is a step of the path in examples/README.md, with the lines of its Go files as the last cell.
var step = regexp.MustCompile(`(?m)^(\| \d+\. .*\|) (\d+) \|$`)

// TestExamplesAreShort counts the lines of the Go files that each step of the path links, and limits them.
func TestExamplesAreShort(t *testing.T) {
	const limit = 150
	name := root.Path("examples/README.md")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	steps := 0
	counted := step.ReplaceAllFunc(text, func(row []byte) []byte {
		steps++
		lines, cells := 0, string(step.FindSubmatch(row)[1])
		for _, found := range link.FindAllStringSubmatch(cells, -1) {
			file := root.Path(path.Join("examples", found[1]))
			// Tests do not count, except for the step that is a test on an API server.
			main := !strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/servertest/")
			if !strings.HasSuffix(file, ".go") || !main {
				continue
			}
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			lines += bytes.Count(source, []byte("\n"))
		}
		assert.LessOrEqual(t, lines, limit, "%s", row)
		return fmt.Appendf(nil, "%s %d |", cells, lines)
	})
	assert.NotZero(t, steps)
	if *update {
		require.NoError(t, os.WriteFile(name, counted, 0o666))
		return
	}
	assert.Equal(t, string(counted), string(text), "go test ./test/internal/doctest -run TestExamplesAreShort -update writes it")
}
