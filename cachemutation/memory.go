package cachemutation

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// anyElement is the step of a path to any element of an array or a slice.
const anyElement = -1

// place returns the base value of an address and the path from there: indexes of fields, and anyElement.
func place(addr ssa.Value) (base ssa.Value, path []int) {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		base, path = place(addr.X)
		return base, append(slices.Clip(path), addr.Field)
	case *ssa.IndexAddr:
		if _, isPointer := addr.X.Type().Underlying().(*types.Pointer); isPointer { // to an array
			base, path = place(addr.X)
			return base, append(slices.Clip(path), anyElement)
		}
		return addr.X, []int{anyElement}
	}
	return addr, nil
}

// load returns the taint of a value read from memory.
func (f *flow) load(v *ssa.UnOp) taint {
	base, path := place(v.X)
	if t := f.of(base); t.deep != 0 {
		return t.load(v.Type())
	}
	r := &reader{flow: f, base: f.variable(base), path: path, read: v.Type(), seen: map[*ssa.BasicBlock]bool{}}
	r.before(v)
	return r.found
}

// variable returns the variable of the enclosing function that a free variable stands for, and other values unchanged.
func (f *flow) variable(v ssa.Value) ssa.Value {
	if free, ok := v.(*ssa.FreeVar); ok {
		if bound := f.bindings(free); len(bound) == 1 {
			return f.variable(bound[0])
		}
	}
	return v
}

// reader finds the last stores before a read of memory that the function owns. Assigning a copy to a variable, or a new map to a
// field, makes it clean.
type reader struct {
	*flow
	base ssa.Value
	path []int
	read types.Type
	seen map[*ssa.BasicBlock]bool

	found taint
}

// before searches backwards from an instruction.
func (r *reader) before(instr ssa.Instruction) {
	block := instr.Block()
	r.upwards(block, slices.Index(block.Instrs, instr))
}

// upwards searches the first count instructions of a block backwards, and then its predecessors.
func (r *reader) upwards(block *ssa.BasicBlock, count int) {
	for _, instr := range slices.Backward(block.Instrs[:count]) {
		if value, ok := instr.(ssa.Value); ok && value == r.base {
			r.initial()
			return
		}
		if store, ok := instr.(*ssa.Store); ok && r.stored(store) {
			return
		}
	}
	if len(block.Preds) == 0 {
		r.entry(block.Parent())
	}
	for _, previous := range block.Preds {
		if !r.seen[previous] {
			r.seen[previous] = true
			r.upwards(previous, len(previous.Instrs))
		}
	}
}

// entry continues the search where closures are made if the variable belongs to the enclosing function.
func (r *reader) entry(fn *ssa.Function) {
	if instr, ok := r.base.(ssa.Instruction); ok && instr.Parent() != fn {
		for _, closure := range r.closures[fn] {
			r.before(closure)
		}
		return
	}
	r.initial()
}

// initial adds the initial content of the memory. A new variable has none.
func (r *reader) initial() {
	if _, isNew := r.base.(*ssa.Alloc); !isNew {
		r.found = r.found.union(r.of(r.base).load(r.read))
	}
}

// stored adds the stored value if the read sees it, and reports whether the read sees no earlier store.
func (r *reader) stored(store *ssa.Store) (last bool) {
	base, path := place(store.Addr)
	if r.variable(base) != r.base {
		return false
	}
	value := r.of(store.Val)
	common := min(len(path), len(r.path))
	switch {
	case !slices.Equal(path[:common], r.path[:common]):
		return false
	case len(path) > len(r.path): // a part
		r.found = r.found.union(value.as(r.read))
		return false
	case len(path) == len(r.path):
		r.found = r.found.union(value)
	default: // the whole
		r.found = r.found.union(value.as(r.read))
	}
	return !slices.Contains(path, anyElement)
}

// check records whether an instruction changes memory that the function does not own.
func (f *flow) check(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		pos := instr.Pos()
		if !pos.IsValid() {
			pos = instr.Addr.Pos()
		}
		f.changed(instr.Addr, pos, "this assignment")
	case *ssa.MapUpdate:
		f.changed(instr.Map, instr.Pos(), "this assignment")
	case ssa.CallInstruction:
		f.checkCall(instr.Common(), instr.Pos())
	}
}

func (f *flow) changed(value ssa.Value, pos token.Pos, how string) {
	if t := f.of(value); t.deep != 0 {
		f.mutations = append(f.mutations, mutation{pos, how, t})
	}
}

func (f *flow) checkCall(call *ssa.CallCommon, pos token.Pos) {
	if builtin, ok := call.Value.(*ssa.Builtin); ok {
		switch name := builtin.Name(); name {
		case "append":
			// append writes into the shared array if it has room behind the slice.
			if !isFull(call.Args[0]) {
				f.changed(call.Args[0], pos, name)
			}
		case "clear", "copy", "delete":
			f.changed(call.Args[0], pos, name)
		}
		return
	}
	if argument, how := mutatedArgument(call); argument != nil {
		f.changed(argument, pos, how)
		return
	}
	callee := calleeOf(call)
	changes := f.summaries[callee].changes
	for i, argument := range call.Args {
		switch t := f.of(argument); {
		case changes&nearOf(i) != 0 && t.deep != 0:
			f.mutations = append(f.mutations, mutation{pos, callee.Name(), t})
		case changes&nearOf(i).beyond() != 0 && t.all() != 0:
			f.mutations = append(f.mutations, mutation{pos, callee.Name(), taint{deep: t.all().beyond(), origin: t.origin}})
		}
	}
}
