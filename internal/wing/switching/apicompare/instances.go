package apicompare

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// compareInstances compares the instances of generic types in the declarations that both packages export. Package apidiff
// considers two instances of another package's type equal, whatever their arguments, so it would miss handlers of one kind that
// take another kind's objects.
func compareInstances(name string, want, got *types.Package, known map[string]bool) []Finding {
	var findings []Finding
	for _, symbol := range want.Scope().Names() {
		other := got.Scope().Lookup(symbol)
		if !want.Scope().Lookup(symbol).Exported() || other == nil || known[symbol] {
			continue
		}
		if wanted, have := instances(want.Scope().Lookup(symbol)), instances(other); !slices.Equal(wanted, have) {
			message := fmt.Sprintf("type arguments changed from [%s] to [%s]", strings.Join(wanted, " "), strings.Join(have, " "))
			findings = append(findings, Finding{Package: name, Symbol: symbol, Message: message})
		}
	}
	return findings
}

// instances are the instantiated types in an object's exported declaration, sorted.
func instances(object types.Object) []string {
	found := walker{}
	t := types.Unalias(object.Type())
	found.walk(t)
	// Look into declared types too, and at their methods.
	if named, ok := t.(*types.Named); ok && named.Obj() == object {
		found.walk(named.Underlying())
		for method := range named.Methods() {
			if method.Exported() {
				found.walk(method.Type())
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// walker collects instances; its keys are types written with full package paths.
type walker map[string]bool

func (w walker) walk(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for argument := range t.TypeArgs().Types() {
			w[types.TypeString(t, nil)] = true
			w.walk(argument)
		}
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() || field.Embedded() {
				w.walk(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			w.walk(method.Type())
		}
	case *types.Signature:
		w.walk(t.Params())
		w.walk(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.walk(v.Type())
		}
	case *types.Map:
		w.walk(t.Key())
		w.walk(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.walk(t.Elem())
	}
}
