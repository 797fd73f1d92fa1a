package clientset

import (
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// kindView is the data of the templates for one kind's client.
type kindView struct {
	*model.Kind
	versionView
	imports *goname.Imports
}

// Name and FileName exist in both embedded types; the kind's are meant.

// Name returns the name of the kind.
func (v kindView) Name() string { return v.Kind.Name }

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Version returns the version of the kind.
func (v kindView) Version() *model.Version { return v.Kind.Version }

// Has reports whether the client interface has a verb.
func (v kindView) Has(verb model.Verb) bool {
	return v.ClientVerbs(v.Layout.WithApply()).Has(verb)
}

// NamespaceExpr returns the expression for the namespace of the client's requests.
func (v kindView) NamespaceExpr() string {
	if v.Namespaced {
		return "namespace"
	}
	return `""`
}

// Type returns the Go type of the kind.
func (v kindView) Type() string { return v.Version().Alias() + "." + v.Name() }

func (v kindView) self() model.Type {
	return model.Type{Package: v.Version().Source.Path, Name: v.Name(), ApplyFolder: v.Version().ApplyFolder()}
}

// ApplyType returns the Go type of the kind's apply configuration.
func (v kindView) ApplyType() string { return v.applyType(v.self()) }

func (v kindView) withApply() bool { return v.Layout.WithApply() && v.NeedsApply() }

// Gentype returns the name of the gentype struct that holds the bodies of the client, beginning with prefix.
func (v kindView) Gentype(prefix string) string {
	switch list, apply := v.NeedsList(), v.withApply(); {
	case list && apply:
		return prefix + "WithListAndApply"
	case list:
		return prefix + "WithList"
	case apply:
		return prefix + "WithApply"
	}
	return prefix
}

// FakePackage returns the package of the struct that holds the bodies of the fake client: client-go's or, with the run-time library,
// one that also reports invalid selectors.
func (v kindView) FakePackage() string {
	if v.Layout.Runtime {
		return "strictfake"
	}
	return "gentype"
}

// TypeArgs returns the type arguments of that struct.
func (v kindView) TypeArgs() string {
	args := []string{"*" + v.Type()}
	if v.NeedsList() {
		args = append(args, "*"+v.Type()+"List")
	}
	if v.withApply() {
		args = append(args, "*"+v.ApplyType())
	}
	return strings.Join(args, ", ")
}

// Methods returns the custom methods.
func (v kindView) Methods() []methodView {
	var methods []methodView
	for _, m := range v.ClientMethods(v.Layout.WithApply()) {
		methods = append(methods, methodView{Method: m, kind: v})
	}
	return methods
}

// importView is one line of an import block.
type importView struct{ Alias, Path string }

// Imports returns the packages that the client's files may refer to.
func (v kindView) Imports() []importView {
	var imports []importView
	v.imports.Each(func(importPath, alias string) { imports = append(imports, importView{alias, importPath}) })
	return imports
}

// inKind are the identifiers of the client's files.
var inKind = goname.Templates("clientset/typed_kind.*", "clientset/typed_fake_kind.*")

// newKindView returns the view of a kind, with an import alias for each package that its client refers to.
func newKindView(kind *model.Kind, version versionView) kindView {
	scope := goname.NewScope(inKind)
	v := kindView{Kind: kind, versionView: version, imports: goname.NewImports(scope)}
	v.typeAlias(v.self())
	v.TypedAlias()
	for _, other := range version.Kinds {
		scope.Take(other.ClientStruct())
	}
	methods := v.ClientMethods(v.Layout.WithApply())
	for _, m := range methods {
		v.typeAlias(m.Input)
		v.typeAlias(m.Result)
	}
	if v.Layout.WithApply() {
		v.applyAlias(v.self())
	}
	for _, m := range methods {
		if m.Verb == model.Apply {
			v.applyAlias(m.Input)
		}
	}
	return v
}

// typeAlias returns the import alias of a type's package.
func (v kindView) typeAlias(t model.Type) string {
	switch t.Package {
	case v.Version().Source.Path:
		return v.imports.Alias(t.Package, v.Version().Alias())
	case "k8s.io/apimachinery/pkg/apis/meta/v1":
		return "metav1" // the templates import it
	}
	return v.imports.Alias(t.Package, t.Alias())
}

// applyAlias returns the import alias of the package with a type's apply configuration.
func (v kindView) applyAlias(t model.Type) string {
	return v.imports.Alias(v.Layout.ApplyConfigurationPackage(t), v.typeAlias(t)+"ac")
}

// TypedAlias returns the import alias of the typed client in its fake.
func (v kindView) TypedAlias() string {
	return v.imports.Alias(v.Typed(), "typed"+v.Version().Alias())
}

// goType returns how the client's files refer to a type.
func (v kindView) goType(t model.Type) string { return v.typeAlias(t) + "." + t.Name }

func (v kindView) applyType(t model.Type) string {
	return v.applyAlias(t) + "." + t.Name + "ApplyConfiguration"
}

// Param returns the name of a parameter in the interface that holds an object of the kind.
func (v kindView) Param() string {
	name := goname.LowerFirst(v.Name())
	others := []string{"ctx", "err", "opts", "result"}
	return goname.Unless(name, name+"Object", func(name string) bool { return slices.Contains(others, name) })
}

// param returns the name of a parameter that holds an object of the named type.
func (v kindView) param(typeName string, avoid ...goname.Avoid) string {
	name := goname.LowerFirst(typeName)
	return goname.Unless(name, name+"Object", append(avoid, inKind, v.imports.Uses)...)
}
