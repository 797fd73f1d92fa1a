package cachemutation

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// origin is the call or parameter that a cached object comes from.
type origin struct {
	// what says where the object comes from, such as "returned by Indexer.Get".
	what string
	pos  token.Pos
}

// cachePackage has the stores and handlers of client-go.
const cachePackage = "k8s.io/client-go/tools/cache"

// stores are the types of cachePackage that return cached objects.
var stores = []string{"Indexer", "TypedIndexer", "Store", "ThreadSafeStore"}

// storeMethods are the methods of stores that return cached objects.
var storeMethods = []string{"Get", "GetByKey", "List", "ByIndex", "Index", "ByTypedIndex", "TypedIndex"}

// fromCache reports whether a call returns cached objects, and names it for messages.
func (c copies) fromCache(call *ssa.CallCommon) (what string, ok bool) {
	method := calledMethod(call)
	if method == nil {
		function := listerFunction(call)
		return "returned by lister." + function, (function == "All" || function == "Sorted") && c.mayShare(call.Args[0])
	}
	receiver := namedOf(method.Signature().Recv().Type())
	if call.IsInvoke() { // an interface such as PodLister may embed the one of the method
		receiver = namedOf(call.Value.Type())
	}
	if receiver == nil || receiver.Obj().Pkg() == nil {
		return "", false
	}
	name, pkg := receiver.Obj().Name(), receiver.Obj().Pkg()
	what = "returned by " + name + "." + method.Name()
	switch {
	case pkg.Path() == cachePackage && slices.Contains(stores, name):
		return what, slices.Contains(storeMethods, method.Name()) && !c[receiverOfCall(call)]
	case strings.HasSuffix(name, "Lister") && receiver.Obj().Exported():
		return what, listsShared(receiver) && !c[receiverOfCall(call)]
	case name == "ResourceIndexer":
		return what, !isOfCopies(receiverOfCall(call))
	case strings.HasPrefix(method.Name(), "Owned"):
		return what, isController(receiver)
	}
	return what, c.fromLibrary(receiver, method.Name(), call)
}

// receiverOfCall returns the value that a method is called on.
func receiverOfCall(call *ssa.CallCommon) ssa.Value {
	if call.IsInvoke() {
		return call.Value
	}
	if bound, ok := call.Value.(*ssa.MakeClosure); ok { // a method value
		return bound.Bindings[0]
	}
	return call.Args[0]
}

// calledMethod returns the method that is called, or nil for functions.
func calledMethod(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	callee := call.StaticCallee()
	if callee == nil {
		return nil
	}
	if origin := callee.Origin(); origin != nil {
		callee = origin
	}
	if method, ok := callee.Object().(*types.Func); ok && method.Signature().Recv() != nil {
		return method
	}
	return nil
}

// result returns the taint of a result of a call that returns cached objects. Slices belong to the caller; the objects in them do
// not.
func result(t types.Type, from *origin) taint {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		if isObject(t.Elem()) {
			return taint{held: fromCacheLabel, origin: from}
		}
	default:
		if isObject(t) {
			return taint{deep: fromCacheLabel, origin: from}
		}
	}
	return taint{}
}

// isObject reports whether t can be an API object: a pointer or an interface with DeepCopyObject, metav1.Object, or any.
func isObject(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.Empty() || hasMethod(t, "DeepCopyObject") || hasMethod(t, "GetResourceVersion")
	case *types.Pointer:
		return hasMethod(t, "DeepCopyObject")
	}
	return false
}

func hasMethod(t types.Type, name string) bool {
	return types.NewMethodSet(t).Lookup(nil, name) != nil
}

// namedOf returns the named type of a receiver.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// handlersIn returns the functions that are called with cached objects: event handlers, which are in fields of
// ResourceEventHandlerFuncs and similar types or are the methods OnAdd, OnUpdate and OnDelete of types that have all three, the
// functions of indexes, and the bodies of loops over the objects of a cache.
func (c copies) handlersIn(families []family) map[*ssa.Function]origin {
	handlers := map[*ssa.Function]origin{}
	for _, fn := range slices.Concat(families...) {
		if recv := fn.Signature.Recv(); recv != nil && isHandlerMethod(recv.Type(), fn.Name()) {
			handlers[fn] = origin{"passed to " + fn.Name(), fn.Pos()}
		}
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				if handler, from := c.calledWithObjects(instr); handler != nil {
					handlers[handler] = from
				}
			}
		}
	}
	return handlers
}

// calledWithObjects returns the function that an instruction makes an event handler or calls for the objects of a cache, or nil.
func (c copies) calledWithObjects(instr ssa.Instruction) (*ssa.Function, origin) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if field, ok := handlerField(instr.Addr); ok {
			if handler := functionOf(instr.Val); handler != nil {
				return handler, origin{"passed to " + field, handler.Pos()}
			}
		}
	case *ssa.Call:
		if listerFunction(&instr.Call) == "NewIndex" {
			return functionOf(instr.Call.Args[1]), origin{"indexed by lister.NewIndex", instr.Pos()}
		}
		if all, ok := instr.Call.Value.(*ssa.Call); ok && len(instr.Call.Args) == 1 {
			if what, ok := c.fromCache(&all.Call); ok {
				return functionOf(instr.Call.Args[0]), origin{what, all.Pos()}
			}
		}
	}
	return nil, origin{}
}

var handlerMethods = []string{"OnAdd", "OnUpdate", "OnDelete"}

func isHandlerMethod(recv types.Type, name string) bool {
	lacking := func(other string) bool { return !hasMethod(recv, other) }
	return slices.Contains(handlerMethods, name) && !slices.ContainsFunc(handlerMethods, lacking)
}

// handlerField returns the name of the addressed field if it holds an event handler.
func handlerField(addr ssa.Value) (field string, ok bool) {
	fieldAddr, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return "", false
	}
	named, v := namedOf(fieldAddr.X.Type()), fieldOf(fieldAddr.X.Type(), fieldAddr.Field)
	switch {
	case named == nil || v == nil:
		return "", false
	case isType(named, informerPackage, "HandlerFuncs"):
		return v.Name(), true
	}
	isClients := v.Pkg() != nil && v.Pkg().Path() == cachePackage && strings.Contains(named.Obj().Name(), "ResourceEventHandler")
	return v.Name(), isClients && strings.HasSuffix(v.Name(), "Func")
}

// functionOf returns the function behind a function, closure or method value, or nil.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.ChangeType:
		return functionOf(v.X)
	case *ssa.MakeClosure:
		fn, ok := v.Fn.(*ssa.Function)
		if !ok {
			return nil
		}
		if method, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" {
			return fn.Prog.FuncValue(method)
		}
		return fn
	}
	return nil
}
