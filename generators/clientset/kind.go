package clientset

import (
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// kindView is what the templates of one kind's client see.
type kindView struct {
	*model.Kind
	versionView
}

// Name and FileName exist in both embedded types; the kind's are meant.

// Name returns the name of the kind.
func (v kindView) Name() string { return v.Kind.Name }

// About returns the kind that the file is about.
func (v kindView) About() *model.Kind { return v.Kind }

// Version returns the version of the kind.
func (v kindView) Version() *model.Version { return v.Kind.Version }

// Has tells whether the client interface has a verb.
func (v kindView) Has(verb model.Verb) bool {
	return v.ClientVerbs(v.Layout.WithApply()).Has(verb)
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

// Imports returns the packages of the types that the client handles, each under a name of its own.
func (v kindView) Imports() []importView {
	version := v.Version()
	imports := []importView{{version.Alias(), version.Source.Path}}
	types := []model.Type{v.self()}
	var applied []model.Type
	if v.Layout.WithApply() {
		applied = append(applied, v.self())
	}
	for _, m := range v.ClientMethods(v.Layout.WithApply()) {
		types = append(types, m.Input, m.Result)
		if m.Verb == model.Apply {
			applied = append(applied, m.Input)
		}
	}
	add := func(alias, importPath string) {
		for i := range imports {
			if imports[i].Path == importPath {
				return
			}
			if imports[i].Alias == alias {
				alias += "x"
			}
		}
		imports = append(imports, importView{alias, importPath})
	}
	for _, t := range types {
		add(t.Alias(), t.Package)
	}
	for _, t := range applied {
		add(v.alias(imports, t.Package)+"ac", v.Layout.ApplyConfigurationPackage(t))
	}
	return imports
}

func (v kindView) alias(imports []importView, importPath string) string {
	for _, i := range imports {
		if i.Path == importPath {
			return i.Alias
		}
	}
	return ""
}

// goType returns the type as it is written in the client's files.
func (v kindView) goType(t model.Type) string { return v.alias(v.Imports(), t.Package) + "." + t.Name }

func (v kindView) applyType(t model.Type) string {
	return v.alias(v.Imports(), v.Layout.ApplyConfigurationPackage(t)) + "." + t.Name + "ApplyConfiguration"
}
