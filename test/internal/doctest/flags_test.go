package doctest_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/test/internal/harness"
)

// TestFlags compares the table in docs/flags.md with the options.
func TestFlags(t *testing.T) {
	const name = "../../../docs/flags.md"
	want, err := harness.Mark("flags").InFile(name, reference())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o666))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./test/internal/doctest -run TestFlags -update writes it")
}

// reference returns the options as a Markdown table.
func reference() string {
	var b strings.Builder
	b.WriteString("| flag | value | default | since | |\n|---|---|---|---|---|\n")
	for _, o := range option.Options {
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s |\n", o.Flag, kindOf(o), defaultOf(o),
			cmp.Or(o.Since, "v0.1.0"), cmp.Or(o.Doc, o.Help))
	}
	return b.String()
}

// kindOf describes the values of an option.
func kindOf(o option.Option) string {
	values := o.Values
	if o.Kind == option.Generators {
		values = generators.All.Names()
	}
	if len(values) == 0 {
		return string(o.Kind)
	}
	return string(o.Kind) + " `" + strings.Join(values, "`, `") + "`"
}

// defaultOf describes the value of an option that is not set.
func defaultOf(o option.Option) string {
	switch {
	case o.Unset != "":
		return o.Unset
	case o.Default != "":
		return "`" + o.Default + "`"
	case o.Kind == option.Switch:
		return "false"
	}
	return "none"
}
