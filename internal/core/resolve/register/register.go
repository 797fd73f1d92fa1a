// Package register plans the registration of a package's types in schemes: the declarations that the package lacks.
package register

import (
	"cmp"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// File is the name of the file that registrations are generated into.
const File = "zz_generated.register.go"

// InPackage is the registration of the types of a package.
var InPackage = source.InPackage{
	Declares: model.RegistrationNames, Versioned: true, SetAside: SetAside, Requested: Requested, Omitted: Omitted,
	Resolve: func(in source.Request, made *model.Package) {
		made.Registration = Resolve(in.Package, in.Version, in.Objects, in.Diags)
	},
	Because: func(s *source.Package) (fact, value string, by marker.Marker) {
		m, ok := s.Markers.Get(marker.RegisterGen)
		if !ok {
			m, _ = s.Markers.Get(marker.GroupName)
		}
		return "registration", File, m
	},
}

// SetAside drops the generated registrations from the loaded packages. They are about to be replaced or removed, so their
// declarations do not count.
func SetAside(loaded *load.Result) {
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() {
			pkg.Files = slices.DeleteFunc(slices.Clone(pkg.Files), func(f *load.File) bool {
				return filepath.Base(f.Name) == File && gofile.Ours(f, File)
			})
		}
	}
}

// Requested reports whether a registration is generated for the package: a marker requests it or, without one, the package has a
// group and objects that no code registers. isObject reports whether a type is a runtime.Object.
func Requested(s *source.Package, isObject source.Objects) bool {
	return enabled(s) && (s.Markers.Has(marker.RegisterGen) || len(registrable(s, isObject)) > 0)
}

// enabled reports whether a registration is generated for the package if there is anything to register.
func enabled(s *source.Package) bool {
	if !s.InMainModule() {
		return false
	}
	if m, ok := s.Markers.Get(marker.RegisterGen); ok {
		return marker.Enabled(m)
	}
	_, byHand := s.Funcs[model.NameAddToScheme]
	return s.Markers.Has(marker.GroupName) && !byHand && s.AddToScheme() == "" && s.Decls["TypeMeta"] == nil && !s.InternalObjects()
}

// registrable returns the sorted names of the types to register: types that are declared like API objects and are runtime.Objects.
func registrable(s *source.Package, isObject func(*gotype.Decl) bool) []string {
	return slices.DeleteFunc(s.Objects(), func(name string) bool { return !isObject(s.Decls[name].Decl) })
}

// Omitted returns the names of the types that are declared like API objects but not registered, because they are not runtime.Objects.
func Omitted(s *source.Package, isObject source.Objects) []string {
	if !enabled(s) {
		return nil
	}
	return slices.DeleteFunc(s.Objects(), func(name string) bool { return isObject(s.Decls[name].Decl) })
}

// Resolve plans the registration of a package's types. It updates the version's source to the declarations that the package then has.
func Resolve(s *source.Package, version *model.Version, isObject func(*gotype.Decl) bool, diags *diag.List) *model.Registration {
	registration := &model.Registration{
		File: File, Group: version.Group.Name, Version: version.Name, Types: registrable(s, isObject),
		Kinds: map[string]string{}, Resources: map[string]string{},
		Func: goname.NewScope(func(name string) bool { return s.Declared(name) != "" }).Free("addKnownTypes"), Builder: model.BuilderOfFunctions,
	}
	for _, kind := range version.Kinds {
		registration.Resources[kind.Name] = kind.Resource
	}
	names := slices.Clone(model.RegistrationNames)
	for _, name := range registration.Types {
		if m, ok := s.Decls[name].Markers.Get(marker.Kind); ok {
			kind, _ := marker.As[string](m, new(diag.List)) // resolve reports mistakes in the marker
			registration.Kinds[name], registration.Kinds[name+"List"] = kind, kind+"List"
		}
		names = append(names, model.GVK(name), model.GVR(name))
	}
	registration.Declared = slices.DeleteFunc(names, func(name string) bool { return s.Declared(name) == "" })
	if !registration.Lacks(model.NameSchemeBuilder) {
		registration.Builder = builderForm(s, model.NameSchemeBuilder)
	}
	registration.GroupName = registration.Lacks(model.NameGroupName) ||
		s.Values[model.NameGroupName] != nil && s.StringValue(model.NameGroupName) == version.Group.Name
	registration.InstallAdds = registration.Lacks(model.NameAddToScheme) || mentions(s, model.NameAddToScheme, model.NameInstall)
	check(s, registration, diags)

	version.Source.GroupVersion = model.NameSchemeGroupVersion
	version.Source.AddToScheme = model.NameAddToScheme
	version.Source.Resource = registration.Lacks(model.NameResource) || s.HasResource()
	return registration
}

// mentions reports whether the declaration of a name refers to another name.
func mentions(s *source.Package, name, other string) bool {
	var node ast.Node
	if f := s.Funcs[name]; f != nil {
		node = f
	} else if spec := s.Values[name]; spec != nil {
		node = spec
	} else {
		return false
	}
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		ident, ok := n.(*ast.Ident)
		found = found || ok && ident.Name == other
		return !found
	})
	return found
}

// builderForm returns the form of a variable that types are added to, according to the type in its declaration.
func builderForm(s *source.Package, name string) model.SchemeBuilder {
	spec := s.Values[name]
	for i := 0; spec != nil && i < 100; i++ { // longer chains are cycles
		expr := cmp.Or(spec.Type, gotype.ValueOf(spec, name))
		spec = nil
		switch e := typeIn(expr).(type) {
		case *ast.Ident:
			spec, name = s.Values[e.Name], e.Name
		case *ast.SelectorExpr:
			switch e.Sel.Name {
			case "SchemeBuilder", "NewSchemeBuilder":
				return model.BuilderOfFunctions
			case "Builder":
				return model.BuilderOfObjects
			}
		}
	}
	return model.BuilderByHand
}

// typeIn returns the name of the type or function in an initializer.
func typeIn(expr ast.Expr) ast.Expr {
	for {
		switch e := expr.(type) {
		case *ast.UnaryExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.CallExpr:
			expr = e.Fun
		case *ast.CompositeLit:
			expr = e.Type
		default:
			return expr
		}
	}
}

const optOutHint = ", or disable generated registration with // +" + marker.RegisterGen + "=false"

// check reports problems that prevent a registration from being generated.
func check(s *source.Package, registration *model.Registration, diags *diag.List) {
	if m, ok := s.Markers.Get(marker.RegisterGen); ok {
		checkObjects(s, m, registration, diags)
	}
	for _, file := range slices.Concat(s.Files, s.Unparsed) {
		if filepath.Base(file.Name) == File {
			diags.AddHint(token.Position{Filename: file.Name}, "move its content to another file"+optOutHint,
				"the registration belongs in this file, which was not written by informer-gen-lite or register-gen")
		}
	}
	checkForms(s, registration, diags)
	checkDotImports(s, registration, diags)
	for _, name := range goname.ImportedBy("register/register.go.tmpl") {
		if what := s.Declared(name); what != "" {
			diags.AddHint(s.Position(name), "rename it"+optOutHint,
				"%s is %s of this package, but the generated registration imports a package with this name", name, what)
		}
	}
	if value := s.StringValue(model.NameGroupName); value != "" && value != registration.Group {
		diags.AddHint(s.Position(model.NameGroupName), "set // +groupName="+value+" above the package clause, or use the same group in both",
			"GroupName is %q, but the group of package %s is %q", value, s.Path, registration.Group)
	}
}

// checkDotImports reports dot imports of packages that declare names of the registration: Go has one scope for both.
func checkDotImports(s *source.Package, registration *model.Registration, diags *diag.List) {
	names := slices.DeleteFunc(slices.Clone(model.RegistrationNames), func(name string) bool { return !registration.Lacks(name) })
	for pos, imported := range s.DotImports() {
		for _, name := range names {
			if imported.Types[name] != nil || imported.Values[name] != nil || imported.Funcs[name] != nil {
				diags.AddHint(pos, "import it by a name"+optOutHint,
					"the dot import of %s declares %s, as the generated registration would", imported.Path, name)
				break
			}
		}
	}
}

// checkObjects reports a marker that requests the registration of a package without types to register.
func checkObjects(s *source.Package, m marker.Marker, registration *model.Registration, diags *diag.List) {
	switch {
	case len(s.Objects()) == 0:
		diags.AddHint(m.Pos, "embed metav1.TypeMeta `json:\",inline\"` in the types of objects",
			"nothing to register: no exported type of package %s embeds TypeMeta", s.Path)
	case s.GroupVersion().Internal:
		diags.AddHint(m.Pos, "remove the marker, and write the registration by hand",
			"cannot generate the registration of package %s, whose version is runtime.APIVersionInternal", s.Path)
	case s.InternalObjects():
		diags.AddHint(m.Pos,
			"add the tag `json:\",inline\"` to TypeMeta or, for an internal version, remove the marker and write the registration by hand",
			"cannot generate the registration of package %s, whose TypeMeta has no json tag", s.Path)
	case len(registration.Types) == 0:
		diags.AddHint(m.Pos, "put // +"+marker.DeepCopyInterfaces+"=k8s.io/apimachinery/pkg/runtime.Object above the types of objects",
			"nothing to register: no type of package %s has the method DeepCopyObject", s.Path)
	}
}

// checkForms reports declarations without the form that the rest of a registration needs.
func checkForms(s *source.Package, registration *model.Registration, diags *diag.List) {
	report := func(name, what, need string) {
		diags.AddHint(s.Position(name), "rename it"+optOutHint, "%s is %s, but registration needs %s with this name", name, what, need)
	}
	name := model.NameSchemeGroupVersion
	if s.Declared(name) != "" && s.GroupVersion().Variable != name {
		report(name, s.Declared(name), "a variable of type schema.GroupVersion")
	} else if _, literal := gotype.ValueOf(s.Values[name], name).(*ast.BasicLit); literal {
		report(name, "a constant", "a variable of type schema.GroupVersion")
	}
	name = model.NameAddToScheme
	if f := s.Funcs[name]; s.Decls[name] != nil || f != nil && (f.Type.Params.NumFields() != 1 || f.Type.Results.NumFields() != 1) {
		what := s.Declared(name)
		if f != nil {
			what += " with another signature"
		}
		report(name, what, "a func(*runtime.Scheme) error")
	}
	name = model.NameSchemeBuilder
	if len(registration.Kinds) > 0 && registration.Builder == model.BuilderOfObjects {
		diags.AddHint(s.Position(name), "replace it with informer-gen-lite migrate --scheme-builder",
			"this SchemeBuilder registers types under their own names, but there is a +%s", marker.Kind)
	}
	switch what := s.Declared(name); {
	case s.Decls[name] != nil || s.Funcs[name] != nil:
		report(name, what, "a runtime.SchemeBuilder")
	case registration.Builder == model.BuilderByHand && registration.Lacks(model.NameAddToScheme):
		diags.AddHint(s.Position(name), "declare it as var SchemeBuilder runtime.SchemeBuilder, or declare AddToScheme too",
			"cannot determine how this SchemeBuilder adds types, so AddToScheme cannot be generated")
	}
}
