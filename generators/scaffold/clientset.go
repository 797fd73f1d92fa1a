package scaffold

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// clientsetView is the template data of a clientset that another module ships.
type clientsetView struct {
	model.Related
	view view
}

// Clientsets returns the clientsets of other modules.
func (v view) Clientsets() []clientsetView {
	var views []clientsetView
	for _, r := range v.Shipped() {
		views = append(views, clientsetView{r, v})
	}
	return views
}

// Undefined returns the resources whose CustomResourceDefinitions are not generated: those of other modules and of imported kinds.
func (v view) Undefined() []string {
	var resources []string
	for _, r := range v.Related() {
		undefined := r.Shipped != nil || r.Kind != nil && r.Kind.Undefined
		if name := r.Resource + "." + r.Group; undefined && !slices.Contains(resources, name) {
			resources = append(resources, name)
		}
	}
	return resources
}

// HasFakes reports whether all of these clientsets can be replaced in tests.
func (v view) HasFakes() bool {
	return !slices.ContainsFunc(v.Shipped(), func(r model.Related) bool { return r.Shipped.Fake == "" })
}

// importAll imports the packages that scaffolded files refer to.
func (v clientsetView) importAll() {
	for _, refer := range []func() string{v.Package, v.Fake, v.Scheme, v.Converter} {
		refer()
	}
}

// Name returns the name of the field and parameters that hold the clientset.
func (v clientsetView) Name() string { return fieldFor(v.Related, v.view.imports) }

// fieldFor returns the field of the reconciler that holds the clientset of a related kind.
func fieldFor(r model.Related, imports *goname.Imports) string {
	return goname.Unless(r.Clientset, r.Clientset+"Client", inReconciler, imports.Uses)
}

// Package returns the import alias of the clientset.
func (v clientsetView) Package() string {
	return v.view.imports.Alias(v.Shipped.Clientset, v.Clientset+"clientset")
}

// Fake returns the expression for a fake clientset; "" if the module has none.
func (v clientsetView) Fake() string {
	if v.Shipped.Fake == "" {
		return ""
	}
	return v.view.imports.Alias(v.Shipped.Clientset+"/fake", v.Clientset+"fake") + "." + v.Shipped.Fake + "()"
}

// Scheme returns the expression for the scheme of the clientset.
func (v clientsetView) Scheme() string { return v.schemePackage() + ".Scheme" }

// AddToScheme returns the expression for the function that adds its types to a scheme.
func (v clientsetView) AddToScheme() string { return v.schemePackage() + ".AddToScheme" }

func (v clientsetView) schemePackage() string {
	return v.view.imports.Alias(v.Shipped.Clientset+"/scheme", v.Clientset+"scheme")
}

// Converter returns the expression for the type converter that the strict fake needs. Kinds without server-side apply do not name it.
func (v clientsetView) Converter() string {
	for _, r := range v.view.Related() {
		if r.Clientset == v.Clientset && r.Shipped.Converter != "" {
			return v.view.imports.Alias(r.Shipped.Converter, v.Clientset+"apply") + ".NewTypeConverter(" + v.Scheme() + ")"
		}
	}
	return "managedfields.NewDeducedTypeConverter()"
}
