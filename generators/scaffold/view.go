package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// view is the template data.
type view struct {
	*model.Kind
	*model.Controller
	Layout      *model.Layout
	Destination Destination
	imports     *goname.Imports
}

// Package returns the name of the package of the reconciler.
func (v view) Package() string { return goname.Package(v.Lower()) }

func (v view) reconcilerDir() string { return reconcilerDir(v.Kind) }

// reconcilerDir returns the directory of the reconciler of a kind.
func reconcilerDir(kind *model.Kind) string {
	return path.Join("internal/controller", goname.Package(kind.Lower()))
}

// ReconcilerPackage returns the import path of the reconciler.
func (v view) ReconcilerPackage() string {
	return path.Join(v.Destination.ImportPath, v.reconcilerDir())
}

// Type returns the Go type of the kind.
func (v view) Type() string { return v.sourceAlias() + "." + v.Name }

// inReconciler are the identifiers of the files that import the packages of all types.
var inReconciler = goname.Templates("scaffold/reconciler*")

func newView(kind *model.Kind, layout *model.Layout, destination Destination) view {
	v := view{Kind: kind, Controller: kind.Controller, Layout: layout, Destination: destination,
		imports: goname.NewImports(goname.NewScope(inReconciler))}
	v.sourceAlias()
	for _, owned := range v.OwnedViews() {
		owned.sourceAlias()
	}
	v.TypedAlias()
	for _, owned := range v.OwnedViews() {
		if owned.Applied() {
			owned.ApplyAlias()
		}
	}
	for _, c := range v.Clientsets() {
		c.importAll()
	}
	return v
}

func (v view) sourceAlias() string { return v.imports.Alias(v.Version.Source.Path, v.Version.Alias()) }

// Object returns the name of a variable that holds an object of the kind.
func (v view) Object() string {
	return goname.Unless(v.Private(), v.Private()+"Object", inReconciler, v.imports.Uses, v.isDesired)
}

// isDesired reports whether a function in the scaffolded file has a name.
func (v view) isDesired(name string) bool {
	return slices.ContainsFunc(v.Owned, func(owned model.Related) bool { return name == "desired"+owned.GoPlural() })
}

// Typed returns the import path of the kind's controller.
func (v view) Typed() string { return v.Layout.ImportPath(v.Layout.ControllerDir(v.Version)) }

// TypedAlias returns the import alias of Typed.
func (v view) TypedAlias() string {
	return v.imports.Alias(v.Typed(), v.sourceAlias()+"controllers")
}

// HasUpdateStatus reports whether there is a status that can be updated.
func (v view) HasUpdateStatus() bool {
	return v.HasStatusField && v.ClientVerbs(v.Layout.WithApply()).Has(model.UpdateStatus)
}

// EventSources describes the other objects whose events cause a reconcile; "" if there are none.
func (v view) EventSources() string {
	switch {
	case len(v.Owned) > 0 && len(v.References) > 0:
		return "an object that it owns or refers to"
	case len(v.Owned) > 0:
		return "an object that it owns"
	case len(v.References) > 0:
		return "an object that it refers to"
	}
	return ""
}

// WritesStatus reports whether the scaffolded reconciler changes the status.
func (v view) WritesStatus() bool {
	return v.HasUpdateStatus() && (v.HasConditions || v.HasObservedGeneration)
}

// OwnedViews returns the kinds whose objects are owned.
func (v view) OwnedViews() []ownedView {
	var views []ownedView
	for _, owned := range v.Owned {
		views = append(views, ownedView{owned, v.Layout, v.imports})
	}
	return views
}

// Applies reports whether objects of any owned kind are applied.
func (v view) Applies() bool {
	for _, owned := range v.OwnedViews() {
		if owned.Applied() {
			return true
		}
	}
	return false
}

// Maintains reports whether the reconciler writes owned objects.
func (v view) Maintains() bool { return slices.ContainsFunc(v.OwnedViews(), ownedView.Maintained) }

// importView is one line of an import block.
type importView struct{ Alias, Path string }

// Spec returns the line without an alias that is the name of the package anyway.
func (i importView) Spec() string {
	if i.Alias == path.Base(i.Path) {
		return strconv.Quote(i.Path)
	}
	return i.Alias + " " + strconv.Quote(i.Path)
}

// Imports returns the packages that the reconciler and its test may refer to.
func (v view) Imports() []importView {
	var imports []importView
	v.imports.Each(func(importPath, alias string) { imports = append(imports, importView{alias, importPath}) })
	return imports
}

// ownedView is the template data of an owned kind.
type ownedView struct {
	model.Related
	layout  *model.Layout
	imports *goname.Imports
}

func (v ownedView) sourceAlias() string { return v.imports.Alias(v.Package, v.Alias) }

// Type returns the Go type of the owned kind.
func (v ownedView) Type() string { return v.sourceAlias() + "." + v.Name }

// Applied reports whether objects are written by server-side apply.
func (v ownedView) Applied() bool { return v.layout.Applies(v.Related) }

// Deleted reports whether the client can delete objects.
func (v ownedView) Deleted() bool { return v.layout.OwnedVerbs(v.Related).Has(model.Delete) }

// Maintained reports whether the reconciler writes such objects.
func (v ownedView) Maintained() bool { return v.layout.Maintains(v.Related) }

// Wanted returns the Go type of a desired object.
func (v ownedView) Wanted() string {
	if v.Applied() {
		return v.ApplyAlias() + "." + v.Name + "ApplyConfiguration"
	}
	return v.Type()
}

// ApplyAlias returns the import alias of the apply configurations.
func (v ownedView) ApplyAlias() string {
	return v.imports.Alias(v.applyPackage(), v.sourceAlias()+"apply")
}

func (v ownedView) applyPackage() string {
	switch {
	case v.BuiltIn():
		return "k8s.io/client-go/applyconfigurations/" + strings.TrimPrefix(v.Package, "k8s.io/api/")
	case v.Shipped != nil:
		return v.Shipped.Apply
	}
	return v.layout.ApplyConfigurationPackage(model.Type{Package: v.Package, Name: v.Name, ApplyFolder: v.Kind.Version.ApplyFolder()})
}

// Client returns the field of the reconciler that holds the client.
func (v ownedView) Client() string {
	switch {
	case v.BuiltIn():
		return "kube"
	case v.Shipped != nil:
		return fieldFor(v.Related, v.imports)
	}
	return "client"
}

// Accessor returns the expression for the function that returns the client of a namespace.
func (v ownedView) Accessor() string {
	accessor := "r." + v.Client() + "." + v.GroupGoVersion() + "()." + v.Plural
	if v.Namespaced {
		return accessor
	}
	return "controller.ClusterScoped(" + accessor + ")"
}

// SyncFunc returns the name of the function that describes desired objects to Sync.
func (v ownedView) SyncFunc() string {
	name := "Create"
	if v.Applied() {
		name = "Apply"
	}
	if !v.Deleted() {
		name += "Only"
	}
	return name
}

// NeedsNamespace reports whether an object has a namespace that it cannot take from its owner.
func (v ownedView) NeedsNamespace(ownerNamespaced bool) bool { return v.Namespaced && !ownerNamespaced }

// Example returns an expression for a desired object of an owner, for a comment.
func (v ownedView) Example(owner string, ownerNamespaced bool) string {
	name, namespace := owner+".Name", owner+".Namespace"
	if !ownerNamespaced {
		namespace = `"default"`
	}
	if v.Applied() {
		return fmt.Sprintf("%s.%s(%s%s)", v.ApplyAlias(), v.Name, name, v.IfNamespaced(", "+namespace))
	}
	return fmt.Sprintf("{ObjectMeta: metav1.ObjectMeta{Name: %s%s}}", name, v.IfNamespaced(", Namespace: "+namespace))
}
