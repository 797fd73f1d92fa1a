package cachemutation

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// listsCopies reports whether the lister of a kind returns deep copies: if its type has +informergen:lister=copies, the result of
// List is named copies.
func listsCopies(lister *types.Named) bool {
	list, _, _ := types.LookupFieldOrMethod(lister, false, lister.Obj().Pkg(), "List")
	method, ok := list.(*types.Func)
	return ok && method.Signature().Results().Len() > 0 && method.Signature().Results().At(0).Name() == "copies"
}

// isReader reports whether t is the generated reader of a kind: a struct that embeds its lister.
func isReader(t *types.Named) bool {
	if t == nil || !strings.HasSuffix(t.Obj().Name(), "Reader") {
		return false
	}
	structure, ok := t.Underlying().(*types.Struct)
	return ok && structure.NumFields() > 0 && structure.Field(0).Embedded() &&
		structure.Field(0).Name() == strings.TrimSuffix(t.Obj().Name(), "Reader")+"Lister"
}

// readerCopies are the methods of readers that return a reader of deep copies.
var readerCopies = []string{"Copies", "DeepCopies"}

// returnsCopies reports whether the methods of a lister or reader return deep copies, or may: readers that come from elsewhere,
// such as from a parameter, are given the benefit of the doubt.
func returnsCopies(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return returnsCopies(v.X)
	case *ssa.ChangeInterface:
		return returnsCopies(v.X)
	case *ssa.ChangeType:
		return returnsCopies(v.X)
	case *ssa.Field:
		if isReader(namedOf(v.X.Type())) {
			return returnsCopies(v.X)
		}
	case *ssa.FieldAddr:
		if isReader(namedOf(v.X.Type())) {
			return returnsCopies(v.X)
		}
	case *ssa.UnOp:
		return returnsCopies(v.X)
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(instr ssa.Instruction) bool {
			store, ok := instr.(*ssa.Store)
			return ok && store.Addr == v && returnsCopies(store.Val)
		})
	case *ssa.Call:
		if method := calledMethod(&v.Call); method != nil {
			receiver := receiverOfCall(&v.Call)
			return isReader(namedOf(receiver.Type())) && slices.Contains(readerCopies, method.Name()) || returnsCopies(receiver)
		}
		if callee := v.Call.StaticCallee(); callee != nil && strings.HasPrefix(callee.Name(), "New") && len(v.Call.Args) == 1 {
			return returnsCopies(v.Call.Args[0])
		}
	}
	return isReader(namedOf(v.Type()))
}
