package source

import (
	"cmp"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// InPackage is what an API package gets if it requests that.
type InPackage struct {
	// Declares are names that the package then declares.
	Declares []string
	// Versioned is true if it is about the group and the version of the package.
	Versioned bool
	// SetAside drops files that are about to be replaced from the loaded packages, so that their declarations do not count. It may be nil.
	SetAside func(loaded *load.Result)
	// Requested reports whether a package requests it. Objects reports whether a type is a runtime.Object.
	Requested func(p *Package, objects Objects) bool
	// Omitted returns the names of types that it leaves out although users may expect them; nil for none.
	Omitted func(p *Package, objects Objects) []string
	// Resolve adds it to the model of the package. ResolveAll does so for all packages that request it, if the additions depend on other
	// packages. Both are nil for deep copies, on which other requests depend.
	Resolve    func(in Request, made *model.Package)
	ResolveAll func(in Run)
	// Because returns a fact about a versioned package: its name and value, and the marker that it follows from.
	Because func(p *Package) (fact, value string, by marker.Marker)
}

// Objects reports whether a type is a runtime.Object.
type Objects func(*gotype.Decl) bool

// Request is a package that requests something.
type Request struct {
	*Package

	Version *model.Version // nil unless the request is about the version
	Objects Objects
	Diags   *diag.List
}

// Run is all packages of a run that request something.
type Run struct {
	World    *shape.World
	Target   model.Target
	Peers    Peers
	Packages []*Package
	Objects  Objects
	// Made returns the model of a package. Declares reports whether a package declares a name after the run.
	Made     func(*Package) *model.Package
	Declares func(p *Package, name string) bool
	Diags    *diag.List
}

// Peers are the settings for defaults and conversions that are not in source files.
type Peers struct {
	// Base and Extra are the import paths of packages whose functions and types count for all packages, after the packages that markers
	// name. Base counts for conversions only; nil stands for the usual packages.
	Base, Extra []string
	// SkipUnsafe has types of the same memory layout converted field by field.
	SkipUnsafe bool
	// BuildTag is the tag that excludes generated files; "" is the usual one.
	BuildTag string
}

// Tag returns the tag that excludes generated files.
func (p Peers) Tag() string { return cmp.Or(p.BuildTag, shape.UsualTag) }
