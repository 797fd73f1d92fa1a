package model

import "slices"

// Package is an API package with generated files.
type Package struct {
	// Path is the import path, Name the name in the package clauses.
	Path, Name string
	// Registration is the registration of types in schemes; nil if none is generated.
	Registration *Registration
	// DeepCopies are the deep copy methods; nil if none are generated.
	DeepCopies *DeepCopies
	// Conversions are the conversions to and from other types; nil if none are generated.
	Conversions *Conversions
	// Defaults are the functions that set defaults; nil if none are generated.
	Defaults *Defaults
	// More is what other products make of the package, by their names.
	More map[string]any
}

// Registration describes the generated part of a package's registration in schemes.
type Registration struct {
	// File is the name of the file in the package.
	File string
	// Group and Version are the group and version that the types are registered for.
	Group, Version string
	// Types are the names of the types to register, including lists, in alphabetical order.
	Types []string
	// Kinds has the kinds of the types that are not registered under their own names, by type.
	Kinds map[string]string
	// Resources has the resources of the types with clients, by type.
	Resources map[string]string
	// Declared are the names of a registration that the package already declares.
	Declared []string
	// GroupName reports whether the constant or variable GroupName can be used for the group.
	GroupName bool
	// Builder is the form of SchemeBuilder.
	Builder SchemeBuilder
	// Func is an unused name for the function that registers the types.
	Func string
	// InstallAdds is true if Install cannot be AddToScheme, because that is generated too, or defined in terms of Install.
	InstallAdds bool
}

// SchemeBuilder is the form of the variable SchemeBuilder.
type SchemeBuilder string

const (
	// BuilderOfFunctions is a runtime.SchemeBuilder of k8s.io/apimachinery, handwritten or generated.
	BuilderOfFunctions SchemeBuilder = "functions"
	// BuilderOfObjects is a scheme.Builder of sigs.k8s.io/controller-runtime.
	BuilderOfObjects SchemeBuilder = "objects"
	// BuilderByHand is a handwritten builder; how types are added to it is unknown.
	BuilderByHand SchemeBuilder = ""
)

// Names that a registration declares, unless the package does.
const (
	NameGroupName          = "GroupName"
	NameGroupVersion       = "GroupVersion"
	NameSchemeGroupVersion = "SchemeGroupVersion"
	NameKind               = "Kind"
	NameResource           = "Resource"
	NameSchemeBuilder      = "SchemeBuilder"
	NameLocalSchemeBuilder = "localSchemeBuilder"
	NameAddToScheme        = "AddToScheme"
	NameInstall            = "Install"
)

// RegistrationNames are all of these names.
var RegistrationNames = []string{
	NameGroupName, NameGroupVersion, NameSchemeGroupVersion, NameKind, NameResource, NameSchemeBuilder,
	NameLocalSchemeBuilder, NameAddToScheme, NameInstall,
}

// Lacks reports whether the package does not declare a name.
func (r *Registration) Lacks(name string) bool { return !slices.Contains(r.Declared, name) }

// LocalBuilder reports whether a pointer to the builder is declared, which other generators refer to.
func (r *Registration) LocalBuilder() bool {
	return r.Lacks(NameSchemeBuilder) && r.Lacks(NameLocalSchemeBuilder)
}

// BuilderName returns the name of the builder in generated code.
func (r *Registration) BuilderName() string {
	if r.LocalBuilder() {
		return NameLocalSchemeBuilder
	}
	return NameSchemeBuilder
}

// InstallIs returns a Go expression for Install.
func (r *Registration) InstallIs() string {
	if r.InstallAdds {
		return r.BuilderName() + "." + NameAddToScheme
	}
	return NameAddToScheme
}

// GVK returns the name of the variable with the group, version and kind of a type.
func GVK(typeName string) string { return typeName + "GVK" }

// GVR returns the name of the variable with the group, version and resource of a type.
func GVR(typeName string) string { return typeName + "GVR" }

// Objects returns the types that are not lists of others.
func (r *Registration) Objects() []string {
	return filter(r.Types, func(name string) bool {
		return !slices.ContainsFunc(r.Types, func(item string) bool { return name == item+"List" })
	})
}
