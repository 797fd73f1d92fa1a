package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// mutators maps functions of other packages that change an argument to the index of the argument, by package and name. See
// mutatingMethod for methods.
var mutators = map[string]map[string]int{
	"sort": {"Slice": 0, "SliceStable": 0, "Sort": 0, "Stable": 0, "Strings": 0, "Ints": 0, "Float64s": 0},
	"slices": {"Sort": 0, "SortFunc": 0, "SortStableFunc": 0, "Reverse": 0, "Delete": 0,
		"DeleteFunc": 0, "Insert": 0, "Replace": 0, "Compact": 0, "CompactFunc": 0},
	"maps":          {"Copy": 0, "DeleteFunc": 0, "Insert": 0},
	"encoding/json": {"Unmarshal": 1},
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil": {
		"AddFinalizer": 0, "RemoveFinalizer": 0, "SetControllerReference": 1, "SetOwnerReference": 1,
		"RemoveControllerReference": 1, "RemoveOwnerReference": 1,
	},
	controllerPackage:                      {"SetCondition": 1},
	"k8s.io/apimachinery/pkg/api/meta":     {"SetStatusCondition": 0, "RemoveStatusCondition": 0},
	"k8s.io/apimachinery/pkg/apis/meta/v1": {"SetMetaDataAnnotation": 0, "SetMetaDataLabel": 0},
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured": {
		"SetNestedField": 0, "SetNestedMap": 0, "SetNestedSlice": 0, "SetNestedStringMap": 0, "SetNestedStringSlice": 0, "RemoveNestedField": 0,
	},
}

// metaPackage and the packages below it have the metadata of objects.
const metaPackage = "k8s.io/apimachinery/pkg/apis/meta/v1"

// mutatedArgument returns the argument that a call to another package changes, or nil, and names the function for messages.
func mutatedArgument(call *ssa.CallCommon) (argument ssa.Value, how string) {
	if method := calledMethod(call); method != nil {
		if !mutatingMethod(method) {
			return nil, ""
		}
		return receiverOfCall(call), method.Name()
	}
	callee := call.StaticCallee()
	if callee == nil {
		return nil, ""
	}
	if origin := callee.Origin(); origin != nil {
		callee = origin
	}
	object := callee.Object()
	if object == nil || object.Pkg() == nil {
		return nil, ""
	}
	number, ok := mutators[object.Pkg().Path()][object.Name()]
	if !ok || number >= len(call.Args) {
		return nil, ""
	}
	return call.Args[number], object.Pkg().Name() + "." + object.Name()
}

// mutatingMethod reports whether a method sets metadata.
func mutatingMethod(method *types.Func) bool {
	return isMetadata(method) && strings.HasPrefix(method.Name(), "Set") || method.Name() == "SetGroupVersionKind"
}

// passedOn returns the argument whose memory the result of a call to another package shares, or nil.
func passedOn(call *ssa.CallCommon) ssa.Value {
	method := calledMethod(call)
	switch {
	case method == nil:
		callee := call.StaticCallee()
		if callee != nil && callee.Name() == "Accessor" && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "k8s.io/apimachinery/pkg/api/meta" {
			return call.Args[0]
		}
	case isMetadata(method) && strings.HasPrefix(method.Name(), "Get"), method.Name() == "GetObjectKind":
		return receiverOfCall(call)
	}
	return nil
}

func isMetadata(method *types.Func) bool {
	return method.Pkg() != nil && strings.HasPrefix(method.Pkg().Path(), metaPackage)
}

// isClone reports whether a function makes a shallow copy of its argument.
func isClone(fn *ssa.Function) bool {
	if fn == nil || fn.Name() != "Clone" || fn.Object() == nil || fn.Object().Pkg() == nil {
		return false
	}
	path := fn.Object().Pkg().Path()
	return path == "slices" || path == "maps"
}
