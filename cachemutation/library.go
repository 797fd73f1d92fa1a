package cachemutation

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The packages of the run-time library whose functions return cached objects, or call functions with them.
const (
	library            = "github.com/informer-gen-lite/informer-gen-lite/runtime/"
	listerPackage      = library + "lister"
	informerPackage    = library + "informer"
	controllerPackage  = library + "controller"
	consistencyPackage = library + "consistency"
)

// isType reports whether a type, or the one that it is an instance of, has a name in a package.
func isType(t *types.Named, path, name string) bool {
	return t != nil && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == path && t.Obj().Name() == name
}

// listerFunction returns the name of the function of package lister that is called, or "".
func listerFunction(call *ssa.CallCommon) string {
	callee := calleeOf(call)
	if callee == nil {
		return ""
	}
	fn, ok := callee.Object().(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != listerPackage || fn.Signature().Recv() != nil {
		return ""
	}
	return fn.Name()
}

// fromLibrary reports whether a method of the library returns cached objects. Listers are recognized like those of others.
func (c copies) fromLibrary(receiver *types.Named, method string, call *ssa.CallCommon) bool {
	switch {
	case isType(receiver, listerPackage, "Index"):
		return (method == "Get" || method == "In") && c.mayShare(call.Args[len(call.Args)-arguments(call)])
	case isType(receiver, informerPackage, "Informer"):
		return method == "ByIndex"
	case isType(receiver, controllerPackage, "Owned"):
		return method == "By"
	case isType(receiver, consistencyPackage, "Cache"):
		return method == "Get"
	}
	return false
}

// arguments returns the number of arguments of a call without the receiver.
func arguments(call *ssa.CallCommon) int { return call.Signature().Params().Len() }

// mayShare reports whether an argument for any lister, or for anything that has indexes, is known to return cached objects.
func (c copies) mayShare(argument ssa.Value) bool {
	before := typeBefore(argument)
	return !c[argument] && listsShared(before) && !isType(before, listerPackage, "Indexed")
}

// isController reports whether a type is a generated controller, which embeds that of the library.
func isController(t *types.Named) bool {
	structure, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(structure.Fields()), func(field *types.Var) bool {
		return field.Embedded() && isType(namedOf(field.Type()), controllerPackage, "Controller")
	})
}
