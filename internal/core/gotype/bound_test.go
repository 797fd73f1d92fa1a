package gotype_test

import (
	"go/types"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype/gotypetest"
)

const bounds = `
-- a/a.go --
package a

import "example.com/m/b"

type Text string

type Copier[T any] interface {
	DeepCopy() T
	b.Named
}

type Plain interface{ ~int | Text | b.Number }

type Circle interface{ Circle }

type Defined Plain

type Generic[
	A any,
	B comparable,
	C Copier[C],
	D, E Plain,
	F ~string,
	G interface{ ~[]int; Len() int },
	H Circle,
	I int,
	J Defined,
	K Plain | any,
	L Text,
] struct{}

type Other[T any] = Text
-- b/b.go --
package b

type Named interface{ Name() string }

type Number int64
`

func TestBound(t *testing.T) {
	u := gotypetest.Universe(t, bounds, "./...")
	d := u.Package("example.com/m/a").Types["Generic"]
	params := u.Type(d).(*types.Named).TypeParams()
	for i, want := range []struct{ terms, methods []string }{
		{},
		{},
		{nil, []string{"DeepCopy", "Name"}},
		{[]string{"int", "example.com/m/a.Text", "example.com/m/b.Number"}, nil},
		{[]string{"int", "example.com/m/a.Text", "example.com/m/b.Number"}, nil},
		{[]string{"string"}, nil},
		{[]string{"[]int"}, []string{"Len"}},
		{},
		{[]string{"int"}, nil},
		{[]string{"int", "example.com/m/a.Text", "example.com/m/b.Number"}, nil},
		{},
		{[]string{"example.com/m/a.Text"}, nil},
	} {
		bound := u.Bound(d, i)
		var terms, methods []string
		for _, term := range slices.Concat(bound.Lists...) {
			terms = append(terms, term.String())
		}
		for name := range bound.Methods {
			methods = append(methods, name)
		}
		assert.Equal(t, want.terms, terms, params.At(i))
		assert.ElementsMatch(t, want.methods, methods, params.At(i))
	}
	assert.Same(t, params.At(2), u.Bound(d, 2).Methods["DeepCopy"].Results().At(0).Type(), "the method speaks of the parameter itself")
	assert.Empty(t, u.Bound(u.Package("example.com/m/a").Types["Other"], 0).Lists, "generic aliases are not looked into")
}

// TestSatisfies substitutes the arguments of a generic type.
func TestSatisfies(t *testing.T) {
	u := gotypetest.Universe(t, `
-- a/a.go --
package a

import (
	"cmp"

	"example.com/m/b"
)

type mode string

type Text interface{ ~string }

type Both interface {
	Text
	~string | ~int
	comparable
}

type Large interface{ b.Small | b.Small; b.Small | ~bool }

type Same[E any] interface{ ~[]E }

type Alias = Text

type Any = any

type Circle interface{ Circle }

type Double interface{ Double | Double; Double }

type Generic[
	String any, Bytes []string,
	Named Text,
	Inline ~int | ~string,
	Exact int | string,
	ExactMode interface{ ~int | mode },
	Apart interface{ Text; int | bool },
	Two Both,
	Slice ~[]String,
	SliceOf Same[String],
	Other Same[int],
	Library cmp.Ordered,
	WithMethod interface{ ~string; String() string },
	Error error,
	Aliases interface{ Alias; Any; comparable },
	Union Large,
	Typo Tpyo,
	Endless Circle,
	Doubled interface{ Double; Double },
] struct{}
-- b/b.go --
package b

type Small interface{ ~string | ~int8; int16 | string }
`, "./...")
	d := u.Package("example.com/m/a").Types["Generic"]
	text, slice := types.Typ[types.String], types.NewSlice(types.Typ[types.String])
	got := map[string]string{}
	for i := range u.Type(d).(*types.Named).TypeParams().Len() {
		bound := u.Bound(d, i, text, slice)
		is := func(t types.Type) string { return strconv.FormatBool(u.Satisfies(t, bound)) }
		got[u.Type(d).(*types.Named).TypeParams().At(i).String()] = is(text) + " " + is(slice)
	}
	assert.Equal(t, map[string]string{
		"String": "true true", "Bytes": "false true", "Named": "true false", "Inline": "true false", "Exact": "true false",
		"ExactMode": "false false", "Apart": "false false", "Two": "true false", "Slice": "false true", "SliceOf": "false true",
		"Other": "false false", "Library": "true false", "WithMethod": "false false", "Error": "false false", "Aliases": "true false",
		"Union": "true false", "Typo": "false false", "Endless": "false false", "Doubled": "false false",
	}, got)
}
