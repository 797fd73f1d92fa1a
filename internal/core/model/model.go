// Package model describes an API as the generators see it: groups, versions, kinds, and every name derived from these. It is plain data
// with methods. Its users need to know nothing about Go syntax, comments or positions; every name is computed here, in one place.
package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Identifiers of the templates. Names derived from the user's input must differ from them.
var (
	// inImporters are the identifiers of templates that import API packages, typed clients or informers.
	inImporters = goname.Templates("clientset/*", "listers/*", "informers/*", "controller/kind.*", "applyconfiguration/utils.*")
	// inTypedPackage are the identifiers of templates for the package of a typed client. Handwritten expansions refer to the
	// structs in it, so their names change only if necessary.
	inTypedPackage = goname.Templates("clientset/typed_kind.*", "clientset/typed_group.*")
)

// API is the input of the generators in one run.
type API struct {
	// Groups are in the order of their folders.
	Groups []*Group
	// Packages are the packages that files are generated into, in the order of their paths. They need not belong to a group.
	Packages []*Package
	// Apply are the apply configurations; nil if no kind has a verb that needs one.
	Apply *ApplyConfigurations
	// Fields has the fields of the kinds that have informers of the run-time library, see smd.Fields.
	Fields string
}

// Versions returns the versions of all groups.
func (a *API) Versions() []*Version {
	return lists.FlatMap(a.Groups, func(g *Group) []*Version { return g.Versions })
}

// Kinds returns the kinds of all versions.
func (a *API) Kinds() []*Kind {
	return lists.FlatMap(a.Versions(), func(v *Version) []*Kind { return v.Kinds })
}

// Group is an API group.
type Group struct {
	// Name is the group in the API, for example "apps" or "rbac.authorization.k8s.io"; "" is the core group.
	Name string
	// Marked is the group in the marker if that differs from Name. Names in Go and folders follow it, as in code-generator.
	Marked string
	// GoName is the name of the group in Go identifiers: "Apps", "Rbac", "Core".
	GoName string
	// Folder is the directory of the group's informers; Package the name of the Go package there.
	Folder, Package string
	// Versions are in the order of their names.
	Versions []*Version
}

// DisplayName returns the name of the group for messages, in which "" has a name too.
func (g *Group) DisplayName() string { return cmp.Or(g.Name, "core") }

// Key returns the name of the group that names in Go follow. It is unique.
func (g *Group) Key() string { return cmp.Or(g.Marked, g.Name) }

// FirstLabel returns the first label of the name that names in Go follow; "core" for the core group.
func (g *Group) FirstLabel() string {
	label, _, _ := strings.Cut(cmp.Or(g.Key(), "core"), ".")
	return label
}

// APIPath returns the API path of the group.
func (g *Group) APIPath() string {
	if g.Name == "" {
		return "/api"
	}
	return "/apis"
}

// Field returns the name of an unexported struct field for the group: "apps", "rbac".
func (g *Group) Field() string { return goname.LowerFirst(g.GoName) }

// ImportAlias returns the import alias of the group's informers in generated code.
func (g *Group) ImportAlias() string {
	return goname.Unless(g.Package, g.Package+"informers", inImporters)
}

// WithInformers returns the versions that have informers.
func (g *Group) WithInformers() []*Version {
	return filter(g.Versions, (*Version).HasInformers)
}

// Version is one version of a group, declared by one Go package.
type Version struct {
	// Name is the version in the API: "v1beta1".
	Name string
	// GoName is the version in Go identifiers: "V1beta1".
	GoName string
	// GroupFolder and Folder are the directories of this version's clients and listers: "apps/v1". Package is the name of the Go
	// packages there.
	GroupFolder, Folder, Package string
	// Source is the package that declares the types.
	Source Source
	// Generate holds the package's +k8s:…-gen markers.
	Generate Activation
	// Kinds are in the order of their names.
	Kinds []*Kind

	Group *Group
}

// Source is the Go package that declares the types of a version, with the identifiers that generated code uses.
type Source struct {
	// Path is the import path.
	Path string
	// GroupVersion is the name of the package's variable of type schema.GroupVersion; "" if it has none.
	GroupVersion string
	// AddToScheme is the name of the package's func(*runtime.Scheme) error; "" if it has none.
	AddToScheme string
	// Resource reports whether the package has a func Resource(string) schema.GroupResource.
	Resource bool
}

// Activation reports for each generator whether the package has not opted out of it.
type Activation struct {
	Client, Lister, Informer, Apply bool
}

// GroupGoVersion returns the Go name of group and version together: "AppsV1".
func (v *Version) GroupGoVersion() string { return v.Group.GoName + v.GoName }

// Field returns the unexported form of GroupGoVersion: "appsV1".
func (v *Version) Field() string { return goname.LowerFirst(v.GroupGoVersion()) }

// Alias returns the import alias of the API package in generated code: "appsv1".
func (v *Version) Alias() string {
	group := strings.ToLower(v.Group.GoName)
	return goname.Unless(group+v.Folder, group+"api"+v.Folder, inImporters)
}

// GV returns group and version for messages: "apps/v1", "v1" for the core group.
func (v *Version) GV() string {
	if v.Group.Name == "" {
		return v.Name
	}
	return v.Group.Name + "/" + v.Name
}

// GroupVersionExpr returns a Go expression of type schema.GroupVersion, for code that imports the API package as Alias and
// k8s.io/apimachinery/pkg/runtime/schema as schema.
func (v *Version) GroupVersionExpr() string {
	if v.Source.GroupVersion != "" {
		return v.Alias() + "." + v.Source.GroupVersion
	}
	return "schema.GroupVersion{Group: " + strconv.Quote(v.Group.Name) + ", Version: " + strconv.Quote(v.Name) + "}"
}

// GroupResourceExpr returns a Go expression of type schema.GroupResource, for code that imports the API package as Alias
// and k8s.io/apimachinery/pkg/runtime/schema as schema.
func (v *Version) GroupResourceExpr(resource string) string {
	if v.Source.Resource {
		return v.Alias() + ".Resource(" + strconv.Quote(resource) + ")"
	}
	return v.GroupVersionExpr() + ".WithResource(" + strconv.Quote(resource) + ").GroupResource()"
}

// HasListers reports whether any kind of the version has a lister.
func (v *Version) HasListers() bool { return len(v.WithListers()) > 0 }

// HasInformers reports whether any kind of the version has an informer.
func (v *Version) HasInformers() bool { return len(v.WithInformers()) > 0 }

// WithListers returns the kinds that have a lister.
func (v *Version) WithListers() []*Kind { return filter(v.Kinds, (*Kind).HasLister) }

// WithInformers returns the kinds that have an informer.
func (v *Version) WithInformers() []*Kind { return filter(v.Kinds, (*Kind).HasInformer) }

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(t T) bool { return !keep(t) })
}
