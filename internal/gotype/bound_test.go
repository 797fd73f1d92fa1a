package gotype_test

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype/gotypetest"
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
		for _, term := range bound.Terms {
			terms = append(terms, term.String())
		}
		for name := range bound.Methods {
			methods = append(methods, name)
		}
		assert.Equal(t, want.terms, terms, params.At(i))
		assert.ElementsMatch(t, want.methods, methods, params.At(i))
	}
	assert.Same(t, params.At(2), u.Bound(d, 2).Methods["DeepCopy"].Results().At(0).Type(), "the method speaks of the parameter itself")
	assert.Empty(t, u.Bound(u.Package("example.com/m/a").Types["Other"], 0), "generic aliases are not looked into")
}
