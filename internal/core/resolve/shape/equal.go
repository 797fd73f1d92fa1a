package shape

import "slices"

// Pair is a type and the type that it is converted to.
type Pair struct{ In, Out *Type }

// Memory knows which types have the same layout in memory.
type Memory struct {
	equal map[Pair]bool
	never bool
}

// NewMemory returns a memory in which types of pairs that functions convert are not equal, nor are others that contain them. If never is
// true, no types are.
func NewMemory(never bool, functions []Pair) *Memory {
	m := &Memory{equal: map[Pair]bool{}, never: never}
	for _, p := range functions {
		m.set(p, false)
	}
	return m
}

func (m *Memory) set(p Pair, equal bool) { m.equal[p], m.equal[Pair{p.Out, p.In}] = equal, equal }

// Equal reports whether two types have the same layout. Names of fields do not count.
func (m *Memory) Equal(a, b *Type) bool {
	if m.never {
		return false
	}
	equal, _ := m.compare(a, b, nil)
	return equal
}

// EqualBare is like Equal for types without their names.
func (m *Memory) EqualBare(a, b *Type) bool {
	equal, _ := m.compareBare(a, b, nil)
	return equal && !m.never
}

// compare also reports whether the result holds wherever the types occur; otherwise it assumes that a type that contains itself, and that
// is being compared, is equal.
func (m *Memory) compare(a, b *Type, above []*Type) (equal, known bool) {
	if a == b {
		return true, true
	}
	pair := Pair{a, b}
	if equal, known := m.equal[pair]; known {
		return equal, true
	}
	equal, known = m.compareBare(a.Bare(), b.Bare(), above)
	if known {
		m.set(pair, equal)
	}
	return equal, known
}

func (m *Memory) compareBare(a, b *Type, above []*Type) (equal, known bool) {
	switch {
	case a == b:
		return true, true
	case a.Kind != b.Kind, len(above) > maxDepth:
		return false, true
	}
	if slices.Contains(above, a) {
		return true, false
	}
	above = append(above, a)
	switch a.Kind {
	case Struct:
		return m.compareFields(a.Members(), b.Members(), above)
	case Pointer, Slice:
		return m.compare(a.Elem(), b.Elem(), above)
	case Map:
		keys, keysKnown := m.compare(a.Key(), b.Key(), above)
		values, valuesKnown := m.compare(a.Elem(), b.Elem(), above)
		return keys && values, keysKnown && valuesKnown
	case Builtin: // for upstream, int8 and uint8 are the same type, and rune is unknown
		return a.String() == b.String(), true
	}
	return false, true
}

// maxDepth stops at generic types whose type arguments grow without limit, which compilers reject.
const maxDepth = 200

func (m *Memory) compareFields(a, b []Member, above []*Type) (equal, known bool) {
	if len(a) != len(b) {
		return false, true
	}
	known = true
	for i := range a {
		same, sameKnown := m.compare(a[i].Type, b[i].Type, above)
		if !same {
			return false, true
		}
		known = known && sameKnown
	}
	return true, known
}
