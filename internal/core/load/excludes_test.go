package load

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExcludes(t *testing.T) {
	for head, want := range map[string]bool{
		"":                             false,
		"//go:build linux":             false,
		"//go:build !generated":        true,
		"// +build !generated":         true,
		"//go:build generated":         false,
		"//go:build !generated_too":    false,
		"//go:build a && !generated":   true,
		"//go:build !generated && a":   true,
		"//go:build a || !generated":   false,
		"//go:build (a) && !(b || c)":  false,
		"// Not go:build !generated\n": false,
	} {
		syntax, err := parser.ParseFile(token.NewFileSet(), "", head+"\n\npackage p\n\n//go:build !generated\n", parser.ParseComments)
		require.NoError(t, err)
		file := File{File: syntax}
		assert.Equal(t, want, file.Excludes("generated"), head)
	}
}
