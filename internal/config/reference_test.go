package config

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/splice"
)

var update = flag.Bool("update", false, "write the options into docs/flags.md")

// TestReference compares the table in docs/flags.md with the options.
func TestReference(t *testing.T) {
	const name = "../../docs/flags.md"
	want, err := splice.File(name, "flags", reference())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want), 0o666))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "go test ./internal/config -update writes it")
}

// reference returns the options as a Markdown table.
func reference() string {
	var b strings.Builder
	b.WriteString("| flag | value | default | since | |\n|---|---|---|---|---|\n")
	for _, o := range Options {
		fmt.Fprintf(&b, "| `--%s` | %s | %s | %s | %s |\n", o.Flag, o.describeKind(), o.describeDefault(),
			cmp.Or(o.Since, "unreleased"), cmp.Or(o.Doc, o.Help))
	}
	return b.String()
}

func (o Option) describeKind() string {
	values := o.Values
	if o.Kind == Generators {
		values = generators.Names()
	}
	if len(values) == 0 {
		return string(o.Kind)
	}
	return string(o.Kind) + " `" + strings.Join(values, "`, `") + "`"
}

func (o Option) describeDefault() string {
	switch {
	case o.Unset != "":
		return o.Unset
	case o.Default != "":
		return "`" + o.Default + "`"
	case o.Kind == Switch:
		return "false"
	}
	return "none"
}
