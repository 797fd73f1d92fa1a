package roles

import (
	"context"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// recorders are methods that return recorders of events.k8s.io/v1, with the beginning of the import paths of their packages.
var recorders = map[string]string{
	"Recorder":         module.Library + "/manager",
	"GetEventRecorder": "sigs.k8s.io/controller-runtime", // since v0.23
}

// unrecorded warns of recorders of events if no role allows to write them. Servers refuse such events, and recorders only log that.
func unrecorded(ctx context.Context, api *run.API, controllers []controller, requests []request) (found diag.List, err error) {
	if slices.ContainsFunc(requests, func(r request) bool { return writesEvents(r.Permission) }) ||
		slices.ContainsFunc(controllers, func(c controller) bool { return slices.ContainsFunc(c.permissions, writesEvents) }) {
		return nil, nil
	}
	for name, imported := range recorders {
		sources, fset, err := containing(ctx, api, "."+name+"(")
		if err != nil {
			return nil, err
		}
		for _, file := range slices.Concat(sources...) {
			if !slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
				return strings.HasPrefix(strings.Trim(spec.Path.Value, `"`), imported)
			}) {
				continue
			}
			for _, pos := range calls(file, name) {
				const remedy = "add // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch to the markers for roles"
				found.Warn(fset.Position(pos), remedy, "no role allows to write the events that are recorded here")
			}
		}
	}
	return found, nil
}

// containing returns the files with a text that count for the roles of an API.
func containing(ctx context.Context, api *run.API, text string) ([][]*ast.File, *token.FileSet, error) {
	owner, err := module.Owner(api.Place.Dir)
	if err != nil {
		return nil, nil, err
	}
	of := module.Module{Path: owner.ImportPath, Dir: owner.Dir}
	return load.Containing(ctx, of, api.Options.Load.Dir, api.Options.Values.RBACPaths, text)
}

// calls returns the positions of calls of a method in a file.
func calls(file *ast.File, name string) (all []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == name {
				all = append(all, selector.Sel.Pos())
			}
		}
		return true
	})
	return all
}

// writesEvents reports whether a permission is enough for recorders.
func writesEvents(p model.Permission) bool {
	has := func(all []string, one string) bool { return slices.Contains(all, one) || slices.Contains(all, "*") }
	return has(p.Groups, "events.k8s.io") && has(p.Resources, "events") && has(p.Verbs, "create")
}
