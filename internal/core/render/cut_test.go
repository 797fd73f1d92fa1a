package render

import (
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const cutSource = `/*
func header() {
*/

package p

import (
	"fmt"

	b "example.com/b"
	"example.com/a"
	unused "example.com/unused"
	inType "example.com/in"
	"example.com/variadic"
	"example.com/alias"
	"example.com/method"
)

// A floats.


// F has a comment.
func F(
	x a.T,
) (string, error) {
	// unused.X is in a comment, like "
	y := b.X.unused.Z("unused.X", 'a', '"', ` + "`unused.`" + `)
	return fmt.
		unused.Y(1.5, x, y), nil
}
func g(all ...variadic.T) { }
// I has comments, as (unused.T).
type I interface {
	// M has one too.
	M(context method.C) interface{ N() }
}
type L = alias.T[struct{}]
type T struct {
	A int ` + "`json:\"a\"`" + `
	Longer inType.T ` + "`json:\"longer\"`" + `
}
// (unused.T) G is the last.
func (t T) G() interface{} {
	return struct{}{}
}

// Another floats.
`

const cutResult = `/*
func header() {
*/

package p

import (
	"fmt"

	"example.com/a"
	"example.com/alias"
	b "example.com/b"
	inType "example.com/in"
	"example.com/method"
	"example.com/variadic"
)

// A floats.

// F has a comment.
func F(
	x a.T,
) (string, error) {
	// unused.X is in a comment, like "
	y := b.X.unused.Z("unused.X", 'a', '"', ` + "`unused.`" + `)
	return fmt.
		unused.Y(1.5, x, y), nil
}

func g(all ...variadic.T) { }

// I has comments, as (unused.T).
type I interface {
	// M has one too.
	M(context method.C) interface{ N() }
}

type L = alias.T[struct{}]

type T struct {
	A      int      ` + "`json:\"a\"`" + `
	Longer inType.T ` + "`json:\"longer\"`" + `
}

// (unused.T) G is the last.
func (t T) G() interface{} {
	return struct{}{}
}

// Another floats.
`

func TestCutFormatted(t *testing.T) {
	start := strings.Index(cutSource, "package")
	used := map[string]bool{}
	rest, cuts := cutFormatted([]byte(cutSource), start, used)
	require.Len(t, cuts, 5)
	assert.NotContains(t, string(rest[start:]), "func")
	assert.Equal(t, map[string]bool{"a": true, "b": true, "fmt": true, "alias": true, "method": true, "variadic": true}, used)

	file, err := tidy([]byte(cutSource), start, true)
	require.NoError(t, err)
	assert.Equal(t, cutResult, string(file))
}

// TestBuildConstraintsMove is about a header that gofmt puts below a build constraint.
func TestBuildConstraintsMove(t *testing.T) {
	const header, rest = "/*\nA header.\n*/\n\n" + "// Generated.\n\n", "package p\n\nfunc f() {\n}\n"
	file, err := tidy([]byte(header+"//go:build !ignored\n\n"+rest), len(header), true)
	require.NoError(t, err)
	assert.Equal(t, "//go:build !ignored\n\n"+header+rest, string(file))
	formatted, err := format.Source(file)
	require.NoError(t, err)
	assert.Equal(t, string(formatted), string(file))
}

// TestFunctionLiterals compares function literals, which gofmt breaks if they are long, with what it makes of them.
func TestFunctionLiterals(t *testing.T) {
	lines := map[bool]bool{}
	for length := 60; length < 90; length++ {
		src := "package p\n\n// f has a comment.\nfunc f() *T {\n\treturn g(\n\t\tfunc(" + strings.Repeat("x", length) +
			" *T) { x.Items = y.Items(items) },\n\t)\n}\n\nfunc g(func(*T)) {\n}\n"
		formatted, err := format.Source([]byte(src))
		require.NoError(t, err)
		file, err := tidy([]byte(src), 0, true)
		require.NoError(t, err)
		assert.Equal(t, string(formatted), string(file))
		lines[src == string(file)] = true
	}
	assert.Len(t, lines, 2, "short and long literals")
}

// TestNothingIsCut is about files whose lines may not be what they look like. They are parsed as a whole.
func TestNothingIsCut(t *testing.T) {
	for name, src := range map[string]string{
		"raw string":          "package p\n\nconst c = `\nfunc f() {\n`\n\nfunc g() {\n}\n",
		"raw string in func":  "package p\n\nfunc f() string {\n\treturn `\n}\n`\n}\n",
		"comment":             "package p\n\n/*\nfunc f() {\n*/\n\nfunc g() {\n}\n",
		"no end":              "package p\n\nfunc f() {\n",
		"brackets":            "package p\n\nfunc f() {\n\tg((\n}\n",
		"end of a string":     "package p\n\nfunc f() {\n\tg(\"\n}\n",
		"declaration is open": "package p\n\nvar v = f(\n\t1,\n",
	} {
		t.Run(name, func(t *testing.T) {
			rest, cuts := cutFormatted([]byte(src), 0, map[string]bool{})
			assert.Equal(t, src, string(rest))
			assert.Empty(t, cuts)
		})
	}
	_, err := tidy([]byte("package p\n\nfunc f() {\n\tg((\n}\n"), 0, true)
	assert.ErrorContains(t, err, "5:1")
}
