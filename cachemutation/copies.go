package cachemutation

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// listsShared reports whether the methods of a lister return cached objects. If its kind has +informergen:lister=copies, they return deep
// copies, and the result of List is named copies. Of listers that may be of any kind, nothing is known.
func listsShared(lister *types.Named) bool {
	return lister != nil && !isAnyLister(lister) && !listsCopies(lister)
}

func listsCopies(lister *types.Named) bool {
	list, _, _ := types.LookupFieldOrMethod(lister, false, lister.Obj().Pkg(), "List")
	method, ok := list.(*types.Func)
	return ok && method.Signature().Results().Len() > 0 && method.Signature().Results().At(0).Name() == "copies"
}

// isAnyLister reports whether a type is lister.AnyLister.
func isAnyLister(t *types.Named) bool { return isType(t, listerPackage, "AnyLister") }

// isOfCopies reports whether the ResourceIndexer of a generated lister, which handwritten methods use, returns deep copies.
func isOfCopies(indexer ssa.Value) bool {
	if load, ok := indexer.(*ssa.UnOp); ok {
		indexer = load.X
	}
	var lister *types.Named
	switch field := indexer.(type) {
	case *ssa.FieldAddr:
		lister = namedOf(field.X.Type())
	case *ssa.Field:
		lister = namedOf(field.X.Type())
	}
	if lister == nil || lister.Obj().Pkg() == nil {
		return false
	}
	scope := lister.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		if name == lister.Obj().Name() || !strings.EqualFold(name, lister.Obj().Name()) {
			return false
		}
		implemented := namedOf(scope.Lookup(name).Type())
		return implemented != nil && listsCopies(implemented)
	})
}

// typeBefore returns the type of a value before it was converted to an interface.
func typeBefore(v ssa.Value) *types.Named {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return typeBefore(v.X)
	case *ssa.MakeInterface:
		return typeBefore(v.X)
	}
	return namedOf(v.Type())
}

// copies are the values (ssa.Value), fields (*types.Var) and results of functions of a package that are, or hold in some place, a lister or
// indexer of deep copies. If they hold other listers elsewhere, they are given the benefit of the doubt.
type copies map[any]bool

// resultOf is a result of a function.
type resultOf struct {
	fn    *ssa.Function
	index int
}

// copiesIn finds them in the functions of a package.
func copiesIn(families []family) copies {
	c := copies{}
	for before := -1; before < len(c); {
		before = len(c)
		for _, fn := range slices.Concat(families...) {
			for _, block := range fn.Blocks {
				for _, instr := range block.Instrs {
					c.learn(instr)
				}
			}
		}
	}
	return c
}

// learn adds the value of an instruction, and what it gives a value to.
func (c copies) learn(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		c.give(instr.Addr, instr.Val)
	case *ssa.MapUpdate:
		c.give(instr.Map, instr.Value)
	case *ssa.Return:
		for i, result := range instr.Results {
			if c[result] {
				c[resultOf{instr.Parent(), i}] = true
			}
		}
	case *ssa.MakeClosure:
		for i, bound := range instr.Bindings {
			c.give(instr.Fn.(*ssa.Function).FreeVars[i], bound)
		}
	case ssa.CallInstruction:
		if callee := calleeOf(instr.Common()); callee != nil && len(callee.Params) == len(instr.Common().Args) {
			for i, argument := range instr.Common().Args {
				c.give(callee.Params[i], argument)
			}
		}
	}
	if v, ok := instr.(ssa.Value); ok && c.computed(v) {
		c[v] = true
	}
}

// give adds a variable, or the field that it is the address of, if it gets a value of copies.
func (c copies) give(to, v ssa.Value) {
	if !c[v] {
		return
	}
	c[to] = true
	switch to := to.(type) {
	case *ssa.FieldAddr:
		if field := fieldOf(to.X.Type(), to.Field); field != nil {
			c[field] = true
		}
	case *ssa.IndexAddr:
		c[to.X] = true
	}
}

// computed reports whether an instruction computes a value of copies from its operands.
func (c copies) computed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return c[v.X]
	case *ssa.ChangeInterface:
		return c[v.X]
	case *ssa.ChangeType:
		return c[v.X]
	case *ssa.UnOp:
		return c[v.X]
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(edge ssa.Value) bool { return c[edge] })
	case *ssa.Slice:
		return c[v.X]
	case *ssa.Index:
		return c[v.X]
	case *ssa.IndexAddr:
		return c[v.X]
	case *ssa.Lookup:
		return c[v.X]
	case *ssa.Range:
		return c[v.X]
	case *ssa.Next:
		return c[v.Iter]
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return c[v.Tuple] || ok && c[resultOf{calleeOf(&call.Call), v.Index}]
	case *ssa.Field:
		field := fieldOf(v.X.Type(), v.Field)
		return field != nil && c[field]
	case *ssa.FieldAddr:
		field := fieldOf(v.X.Type(), v.Field)
		return field != nil && c[field]
	case *ssa.Call:
		return c.returnedBy(v)
	}
	return false
}

// returnedBy reports whether the single result of a call is a value of copies.
func (c copies) returnedBy(call *ssa.Call) bool {
	callee, method := calleeOf(&call.Call), calledMethod(&call.Call)
	switch {
	case method != nil && (c[receiverOfCall(&call.Call)] || isCopies(method)):
		return true
	case callee == nil:
		return false
	case isConstructor(&call.Call) && c[call.Call.Args[0]]:
		return true
	}
	return listerFunction(&call.Call) == "Copies" || c[resultOf{callee, 0}] && call.Call.Signature().Results().Len() == 1
}

// isCopies reports whether a method is lister.Lister.Copies.
func isCopies(method *types.Func) bool {
	return method.Name() == "Copies" && isType(namedOf(method.Signature().Recv().Type()), listerPackage, "Lister")
}

// isConstructor reports whether a function is the constructor of a lister: of a generated one, or lister.New.
func isConstructor(call *ssa.CallCommon) bool {
	return listerFunction(call) == "New" || strings.HasPrefix(calleeOf(call).Name(), "New") && len(call.Args) == 1
}

// fieldOf returns a field of a struct or of the struct that a pointer points to, or nil if a type parameter stands for the struct. Fields
// of instances of a generic type are those of the generic type.
func fieldOf(t types.Type, index int) *types.Var {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return structure.Field(index).Origin()
}
