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
	if lister == nil {
		return false
	}
	list, _, _ := types.LookupFieldOrMethod(lister, false, lister.Obj().Pkg(), "List")
	method, ok := list.(*types.Func)
	return ok && method.Signature().Results().Len() > 0 && method.Signature().Results().At(0).Name() == "copies"
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

// readerFunction returns the name of the function of the generated package reader that is called, or "". Its functions have a
// parameter of type Lister.
func readerFunction(call *ssa.CallCommon) string {
	callee := calleeOf(call)
	if callee == nil {
		return ""
	}
	fn, ok := callee.Object().(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Name() != "reader" || fn.Signature().Recv() != nil || fn.Signature().Params().Len() == 0 {
		return ""
	}
	parameter := namedOf(fn.Signature().Params().At(0).Type())
	if parameter == nil || parameter.Obj().Pkg() != fn.Pkg() || parameter.Obj().Name() != "Lister" {
		return ""
	}
	return fn.Name()
}

// copies are the values (ssa.Value) and fields (*types.Var) of a package that are, or hold in some place, a lister or indexer of deep
// copies. If they hold other listers elsewhere, they are given the benefit of the doubt.
type copies map[any]bool

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
	if field, ok := to.(*ssa.FieldAddr); ok {
		c[addressedField(field)] = true
	}
	c[to] = true
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
	case *ssa.Field:
		return c[v.X.Type().Underlying().(*types.Struct).Field(v.Field)]
	case *ssa.FieldAddr:
		return c[addressedField(v)]
	case *ssa.Call:
		if calledMethod(&v.Call) != nil {
			return c[receiverOfCall(&v.Call)]
		}
		constructor := v.Call.StaticCallee() != nil && strings.HasPrefix(v.Call.StaticCallee().Name(), "New") && len(v.Call.Args) == 1
		return readerFunction(&v.Call) == "Copies" || constructor && c[v.Call.Args[0]]
	}
	return false
}

// addressedField returns the field that an instruction computes the address of.
func addressedField(v *ssa.FieldAddr) *types.Var {
	return v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(v.Field)
}
