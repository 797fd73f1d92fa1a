package cachemutation

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mutation is a change of memory that the function does not own.
type mutation struct {
	pos   token.Pos
	how   string
	taint taint
}

// flow is the analysis of one family.
type flow struct {
	*program
	family     family
	taints     map[ssa.Value]taint
	parameters map[*ssa.Parameter]int
	closures   map[*ssa.Function][]*ssa.MakeClosure
	// results holds the taints of the results of each function.
	results   map[*ssa.Function][]taint
	mutations []mutation
}

// analyze computes the taints of all values in a family up to a fixed point, and then the mutations.
func (p *program) analyze(of family) *flow {
	f := &flow{
		program: p, family: of, taints: map[ssa.Value]taint{}, parameters: map[*ssa.Parameter]int{},
		closures: map[*ssa.Function][]*ssa.MakeClosure{}, results: map[*ssa.Function][]taint{},
	}
	f.each(func(_ *ssa.Function, instr ssa.Instruction) {
		if closure, ok := instr.(*ssa.MakeClosure); ok {
			if inner, ok := closure.Fn.(*ssa.Function); ok {
				f.closures[inner] = append(f.closures[inner], closure)
			}
		}
	})
	for _, fn := range of {
		for _, parameter := range fn.Params {
			f.parameters[parameter] = len(f.parameters)
		}
	}
	for grows := true; grows; {
		grows = false
		for _, fn := range of {
			for _, parameter := range fn.Params {
				grows = f.add(parameter, f.parameter(fn, parameter)) || grows
			}
		}
		f.each(func(_ *ssa.Function, instr ssa.Instruction) { grows = f.step(instr) || grows })
	}
	f.each(func(_ *ssa.Function, instr ssa.Instruction) { f.check(instr) })
	return f
}

func (f *flow) each(do func(*ssa.Function, ssa.Instruction)) {
	for _, fn := range f.family {
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				do(fn, instr)
			}
		}
	}
}

// add extends the taint of a value and reports whether it has grown.
func (f *flow) add(v ssa.Value, more taint) bool {
	before := f.taints[v]
	after := before.union(more)
	f.taints[v] = after
	return before.deep != after.deep || before.held != after.held
}

// of returns the taint of a value. A variable of an enclosing function has the taint that it has there.
func (f *flow) of(v ssa.Value) taint {
	if free, ok := v.(*ssa.FreeVar); ok {
		var t taint
		for _, bound := range f.bindings(free) {
			t = t.union(f.of(bound))
		}
		return t
	}
	return f.taints[v]
}

// bindings returns the values that closures bind to a free variable.
func (f *flow) bindings(free *ssa.FreeVar) (bound []ssa.Value) {
	index := slices.Index(free.Parent().FreeVars, free)
	for _, closure := range f.closures[free.Parent()] {
		bound = append(bound, closure.Bindings[index])
	}
	return bound
}

func (f *flow) parameter(fn *ssa.Function, parameter *ssa.Parameter) taint {
	memories := nearOf(f.parameters[parameter])
	if !refers(parameter.Type()) {
		memories = memories.beyond()
	}
	if from, ok := f.handlers[fn]; ok && parameter != receiverOf(fn) {
		return placed(memories|fromCacheLabel, parameter.Type(), &from)
	}
	return placed(memories, parameter.Type(), nil)
}

func receiverOf(fn *ssa.Function) *ssa.Parameter {
	if fn.Signature.Recv() == nil {
		return nil
	}
	return fn.Params[0]
}

// step applies one instruction and reports whether a taint has grown.
func (f *flow) step(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		// Reads of the variable itself look for the last store, see reader. This is for values that contain it.
		if base, _ := place(instr.Addr); f.of(base).deep == 0 {
			return f.add(base, f.of(instr.Val).contained())
		}
	case *ssa.MapUpdate:
		if f.of(instr.Map).deep != 0 {
			return false
		}
		return f.add(instr.Map, f.of(instr.Value).contained())
	case *ssa.Return:
		return f.returns(instr)
	case ssa.Value:
		return f.add(instr, f.value(instr))
	}
	return false
}

// returns extends the taints of the results of a function.
func (f *flow) returns(instr *ssa.Return) (grows bool) {
	fn := instr.Parent()
	if f.results[fn] == nil {
		f.results[fn] = make([]taint, len(instr.Results))
	}
	for i, value := range instr.Results {
		before := f.results[fn][i]
		after := before.union(f.of(value))
		f.results[fn][i] = after
		grows = grows || before.deep != after.deep || before.held != after.held
	}
	return grows
}

// value returns the taint of the value that an instruction computes.
func (f *flow) value(v ssa.Value) taint {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.load(v)
		}
	case *ssa.FieldAddr:
		return f.of(v.X)
	case *ssa.IndexAddr:
		return f.of(v.X)
	case *ssa.Field:
		return f.of(v.X).as(v.Type())
	case *ssa.Index:
		return f.of(v.X).as(v.Type())
	case *ssa.Lookup:
		return f.of(v.X).load(v.Type())
	case *ssa.Range:
		return f.of(v.X)
	case *ssa.Next:
		return f.of(v.Iter).load(v.Type())
	case *ssa.Extract:
		return f.extract(v)
	case *ssa.Phi:
		var t taint
		for _, edge := range v.Edges {
			t = t.union(f.of(edge))
		}
		return t
	case *ssa.Slice:
		return f.of(v.X)
	case *ssa.ChangeType:
		return f.of(v.X)
	case *ssa.ChangeInterface:
		return f.of(v.X)
	case *ssa.MakeInterface:
		return f.of(v.X)
	case *ssa.TypeAssert:
		return f.of(v.X).as(v.Type())
	case *ssa.Call:
		return f.call(v)
	}
	return taint{}
}

// extract returns the taint of one element of a tuple.
func (f *flow) extract(v *ssa.Extract) taint {
	if call, ok := v.Tuple.(*ssa.Call); ok {
		return f.callResult(call, v.Index, v.Type())
	}
	return f.of(v.Tuple).as(v.Type())
}

// call returns the taint of the single result of a call.
func (f *flow) call(call *ssa.Call) taint {
	if builtin, ok := call.Call.Value.(*ssa.Builtin); ok {
		if builtin.Name() != "append" {
			return taint{}
		}
		return f.appended(call)
	}
	if _, several := call.Type().(*types.Tuple); several {
		return taint{} // see extract
	}
	return f.callResult(call, 0, call.Type())
}

// appended returns the taint of the result of append. Appending to a full slice allocates a new one.
func (f *flow) appended(call *ssa.Call) taint {
	slice, ok := call.Type().Underlying().(*types.Slice)
	if !ok {
		return taint{}
	}
	elements := func(from ssa.Value) taint { return f.of(from).load(slice.Elem()).contained() }
	before := call.Call.Args[0]
	t := f.of(before)
	if isFull(before) {
		t = elements(before)
	}
	for _, more := range call.Call.Args[1:] {
		t = t.union(elements(more))
	}
	return t
}

// isFull reports whether a slice expression such as s[:n:n] limits the capacity.
func isFull(v ssa.Value) bool {
	slice, ok := v.(*ssa.Slice)
	return ok && slice.Max != nil
}

func (f *flow) callResult(call *ssa.Call, index int, t types.Type) taint {
	if what, ok := f.copies.fromCache(&call.Call); ok {
		return result(t, &origin{what: what, pos: call.Pos()})
	}
	if argument := passedOn(&call.Call); argument != nil && index == 0 {
		return f.of(argument).as(t)
	}
	callee := calleeOf(&call.Call)
	if isClone(callee) {
		return f.cloned(call.Call.Args[0])
	}
	known := f.summaries[callee].returns
	if index >= len(known) {
		return taint{}
	}
	var found taint
	if known[index].all()&fromCacheLabel != 0 {
		found = known[index]
		found.deep &= fromCacheLabel
		found.held &= fromCacheLabel
		found.origin = &origin{what: "returned by " + callee.Name(), pos: call.Pos()}
	}
	for i, argument := range call.Call.Args {
		passed := f.of(argument)
		found = found.union(known[index].through(nearOf(i), passed))
		found = found.union(known[index].through(nearOf(i).beyond(), passed.load(t)))
	}
	return found
}

// cloned returns the taint of a shallow copy of a slice or a map: it leads to what its elements refer to.
func (f *flow) cloned(original ssa.Value) taint {
	container, ok := original.Type().Underlying().(interface{ Elem() types.Type })
	if !ok { // a type parameter
		return f.of(original).contained()
	}
	return f.of(original).load(container.Elem()).contained()
}

// calleeOf returns the static callee of a call, or nil. Instances of generic functions stand for their origin.
func calleeOf(call *ssa.CallCommon) *ssa.Function {
	callee := call.StaticCallee()
	if callee != nil && callee.Origin() != nil {
		return callee.Origin()
	}
	return callee
}

// summarized returns the summaries of the family. Their labels count the parameters of each function from 0.
func (f *flow) summarized() map[*ssa.Function]summary {
	all := map[*ssa.Function]summary{}
	for _, fn := range f.family {
		s := summary{returns: make([]taint, len(f.results[fn]))}
		rename := func(from labels) (to labels) {
			to = from & fromCacheLabel
			for i, parameter := range fn.Params {
				label := nearOf(f.parameters[parameter])
				if from&label != 0 {
					to |= nearOf(i)
				}
				if from&label.beyond() != 0 {
					to |= nearOf(i).beyond()
				}
			}
			return to
		}
		for i, t := range f.results[fn] {
			s.returns[i] = taint{rename(t.deep), rename(t.held), t.origin}
		}
		for _, m := range f.mutations {
			s.changes |= rename(m.taint.deep) &^ fromCacheLabel
		}
		all[fn] = s
	}
	return all
}
