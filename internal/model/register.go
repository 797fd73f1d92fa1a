package model

import "slices"

// Package is an API package with generated files.
type Package struct {
	// Path is the import path, Name the name in the package clauses.
	Path, Name string
	// Registration is how the types become known to schemes; nil if that is not to be generated.
	Registration *Registration
	// DeepCopies are the methods for deep copies; nil if there are none to be generated.
	DeepCopies *DeepCopies
}

// Registration describes the generated part of a package's registration in schemes.
type Registration struct {
	// Group and Version are the group and version that the types are registered for.
	Group, Version string
	// Types are the names of the types to be registered, lists included, in alphabetical order.
	Types []string
	// Resources has the resources, by type, of those that clients are generated for.
	Resources map[string]string
	// Declared are the names that a registration could declare, and that the package declares already.
	Declared []string
	// GroupName reports whether the constant or variable GroupName can stand for the group.
	GroupName bool
	// Builder is what SchemeBuilder is.
	Builder SchemeBuilder
	// Func is a free name for the function that registers the types.
	Func string
	// InstallAdds is true if Install cannot be AddToScheme: that is generated too, or made of Install itself.
	InstallAdds bool
}

// SchemeBuilder is a form of the variable of that name.
type SchemeBuilder string

const (
	// BuilderOfFunctions is a runtime.SchemeBuilder of k8s.io/apimachinery, by hand or generated.
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

// RegistrationNames are all of these.
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

// BuilderName returns the name by which generated code knows the builder.
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

// Objects returns the types that are no lists of others.
func (r *Registration) Objects() []string {
	return filter(r.Types, func(name string) bool {
		return !slices.ContainsFunc(r.Types, func(item string) bool { return name == item+"List" })
	})
}
