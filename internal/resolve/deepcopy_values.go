package resolve

import "go/types"

// assignable tells whether to assign a value is to copy it: whether it refers to nothing, and has no methods that know
// better. Those that this run makes do not.
func (c *copier) assignable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Array:
		return c.assignable(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !c.assignable(field.Type()) {
				return false
			}
		}
		return true
	case *types.TypeParam:
		terms := c.universe.Bound(c.decl.Decl, t.Index()).Terms
		for _, term := range terms {
			if !c.assignable(term) {
				return false
			}
		}
		return len(terms) > 0
	case *types.Named:
		return c.assignableNamed(t)
	}
	return false
}

func (c *copier) assignableNamed(t *types.Named) bool {
	decl := c.universe.Decl(t)
	if decl == nil || lock(decl.Package.Path) {
		return false // error and comparable are all that is not declared anywhere
	}
	if immutable[decl.Package.Path+"."+decl.Name()] {
		return true
	}
	known, ok := c.values[decl]
	if ok && (t.TypeArgs().Len() == 0 || c.busy[decl]) {
		return known
	}
	c.values[decl], c.busy[decl] = false, true // what a struct that contains itself meets
	m := c.methodsOf(decl)
	known = (!m.any() || m.generated) && c.assignableUnderlying(t)
	c.values[decl], c.busy[decl] = known, false
	return known
}

func (c *copier) assignableUnderlying(t *types.Named) bool {
	switch u := c.universe.Underlying(t).(type) {
	case *types.Basic, *types.Array, *types.Struct:
		return c.assignable(u)
	}
	return false
}

// containsItself tells whether to copy what a type is made of, means to copy values of the same type.
func (c *copier) containsItself(t *types.Named) bool {
	seen := map[string]bool{}
	var reaches func(types.Type) bool
	reaches = func(part types.Type) bool {
		part = types.Unalias(part)
		if named, ok := part.(*types.Named); ok {
			key := named.String()
			if key == t.String() && len(seen) > 0 {
				return true
			}
			decl := c.universe.Decl(named)
			if seen[key] || decl == nil || c.methodsOf(decl).any() || len(seen) > 1000 {
				return false
			}
			seen[key] = true
			part = c.universe.Underlying(named)
		}
		switch u := part.(type) {
		case *types.Struct:
			for field := range u.Fields() {
				if reaches(field.Type()) {
					return true
				}
			}
		case interface{ Elem() types.Type }: // keys of maps are assigned
			return reaches(u.Elem())
		}
		return false
	}
	return reaches(t)
}
