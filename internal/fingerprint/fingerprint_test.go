package fingerprint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type parent struct {
	Name     string
	children []*child
	Extra    map[string]int
}

type child struct {
	Name   string
	Parent *parent
	Do     func()
}

func family(extra map[string]int, names ...string) *parent {
	p := &parent{Name: "p", Extra: extra}
	for _, name := range names {
		p.children = append(p.children, &child{Name: name, Parent: p})
	}
	return p
}

func sumOf(t *testing.T, base any, values ...any) Sum {
	t.Helper()
	b, ok := NewBase(base)
	require.True(t, ok)
	sum, ok := b.Of(values...)
	require.True(t, ok)
	return sum
}

func TestEqualValues(t *testing.T) {
	one := func() Sum {
		return sumOf(t, family(map[string]int{"a": 1, "b": 2, "c": 3}, "x", "y"), []any{1, "s", true, nil, []string{"a"}}, (*child)(nil))
	}
	for range 20 { // maps have no order
		assert.Equal(t, one(), one())
	}
}

func TestDifferentValues(t *testing.T) {
	seen := map[Sum]string{}
	for name, sum := range map[string]Sum{
		"base":               sumOf(t, family(nil, "x", "y")),
		"unexported field":   sumOf(t, family(nil, "x", "z")),
		"order":              sumOf(t, family(nil, "y", "x")),
		"map":                sumOf(t, family(map[string]int{"a": 1}, "x", "y")),
		"value of a map":     sumOf(t, family(map[string]int{"a": 2}, "x", "y")),
		"further value":      sumOf(t, family(nil, "x", "y"), "v"),
		"two further values": sumOf(t, family(nil, "x", "y"), "v", "v"),
		"split":              sumOf(t, family(nil, "x", "y"), []string{"ab", "c"}),
		"split elsewhere":    sumOf(t, family(nil, "x", "y"), []string{"a", "bc"}),
		"joined":             sumOf(t, family(nil, "x", "y"), []string{"abc"}),
		"number":             sumOf(t, family(nil, "x", "y"), []any{1}),
		"other type":         sumOf(t, family(nil, "x", "y"), []any{int64(1)}),
		"negative":           sumOf(t, family(nil, "x", "y"), []any{-1}),
		"unsigned":           sumOf(t, family(nil, "x", "y"), []any{uint(1)}),
		"false":              sumOf(t, family(nil, "x", "y"), []any{false}),
		"nil":                sumOf(t, family(nil, "x", "y"), []any{nil}),
	} {
		assert.Empty(t, seen[sum], name)
		seen[sum] = name
	}
}

// TestPointers checks that pointers into the base count as places, and others with what can be reached from them.
func TestPointers(t *testing.T) {
	sum := func(name string, view func(*parent) any) Sum {
		p := family(nil, "x", "y")
		base, ok := NewBase(p)
		require.True(t, ok)
		p.children[0].Name = name // after the base was walked
		got, ok := base.Of(view(p))
		require.True(t, ok)
		return got
	}
	inBase := func(p *parent) any { return p.children[0] }
	assert.Equal(t, sum("x", inBase), sum("changed", inBase))
	assert.NotEqual(t, sum("x", inBase), sum("x", func(p *parent) any { return p.children[1] }))
	outside := func(p *parent) any { return &child{Name: p.children[0].Name, Parent: p} }
	assert.NotEqual(t, sum("x", outside), sum("changed", outside))
	shared := func(*parent) any { c := &child{}; return []*child{c, c} }
	twice := func(*parent) any { return []*child{{}, {}} }
	assert.NotEqual(t, sum("x", shared), sum("x", twice))
}

func TestNoFingerprint(t *testing.T) {
	_, ok := NewBase(&child{Do: func() {}})
	assert.False(t, ok)
	base, ok := NewBase(nil)
	require.True(t, ok)
	for _, v := range []any{func() {}, make(chan int), map[int]string{}, []any{1.5}} {
		_, ok := base.Of(v)
		assert.False(t, ok, "%T", v)
	}
	type constant struct {
		Do []func() `fingerprint:"-"`
	}
	_, ok = base.Of(constant{[]func(){func() {}}})
	assert.True(t, ok)
	_, ok = base.Of(&child{})
	assert.True(t, ok, "a nil function")
}
