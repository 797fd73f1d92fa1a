package model

import (
	"path"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
)

// Layout says where generated packages live, and what they are made for. Directories are slash-separated and relative to
// the output directory.
type Layout struct {
	// Target is the client-go that the output is made for.
	Target Target
	// Root is the import path of the output directory.
	Root string
	// Clientset, Listers and Informers are the directories of these three trees.
	Clientset, Listers, Informers string
	// Controllers is the directory of the controllers.
	Controllers string
	// ApplyConfigurationDir is the directory that apply configurations are generated into; "" if they are not.
	ApplyConfigurationDir string
	// ApplyConfigurations is the import path of the apply configurations, generated or not; "" if there are none.
	ApplyConfigurations string
	// PrefersProtobuf makes clients ask for protobuf where the API serves it.
	PrefersProtobuf bool
	// GVKConstants gives generated registrations a variable for each kind's GroupVersionKind and GroupVersionResource.
	GVKConstants bool
	// Tracing adds a package to the controllers that gives them spans of OpenTelemetry.
	Tracing bool
	// PluralListerErrors makes the NotFound errors of listers name the resource in the plural.
	PluralListerErrors bool
	// SourceDirs are the directories of packages that files may be generated into, by import path. They are relative to
	// the output directory too, and may well lie outside of it.
	SourceDirs map[string]string
	// Handwritten holds the handwritten Go files below the output directory, by path, for example expansions.
	Handwritten map[string]bool
}

// ImportPath returns the import path of a directory below the output directory.
func (l *Layout) ImportPath(dir ...string) string {
	return path.Join(append([]string{l.Root}, dir...)...)
}

// ClientsetPackage returns the import path of the clientset.
func (l *Layout) ClientsetPackage() string { return l.ImportPath(l.Clientset) }

// InformersPackage returns the import path of the shared informer factory.
func (l *Layout) InformersPackage() string { return l.ImportPath(l.Informers) }

// TypedDir returns the directory of a version's typed client.
func (l *Layout) TypedDir(v *Version) string {
	return path.Join(l.Clientset, "typed", v.GroupFolder, v.Folder)
}

// ListerDir returns the directory of a version's listers.
func (l *Layout) ListerDir(v *Version) string { return path.Join(l.Listers, v.GroupFolder, v.Folder) }

// InformerDir returns the directory of a version's informers.
func (l *Layout) InformerDir(v *Version) string {
	return path.Join(l.Informers, v.GroupFolder, v.Folder)
}

// GroupInformersDir returns the directory that gives access to the versions of a group's informers.
func (l *Layout) GroupInformersDir(g *Group) string { return path.Join(l.Informers, g.Folder) }

// SourceDir returns the directory of a package that files are generated into.
func (l *Layout) SourceDir(p *Package) string { return l.SourceDirs[p.Path] }

// WithApply reports whether clients have apply methods.
func (l *Layout) WithApply() bool { return l.ApplyConfigurations != "" }

// ApplyConfigurationPackage returns the import path of the apply configuration of a type. In a tree that
// code-generator has made, the last two elements of the type's package tell.
func (l *Layout) ApplyConfigurationPackage(t Type) string {
	switch {
	case l.ApplyConfigurationDir == "":
		return path.Join(l.ApplyConfigurations, t.FoldedGroupVersion())
	case t.ApplyPackage != "":
		return t.ApplyPackage
	}
	return path.Join(l.ApplyConfigurations, t.ApplyFolder)
}

// HasExpansion reports whether a handwritten expansion of the kind stands in dir; then the interface in it counts, and
// no empty one is generated.
func (l *Layout) HasExpansion(dir string, k *Kind) bool {
	return l.Handwritten[path.Join(dir, k.Lower()+"_expansion.go")]
}

// HasCustomRegister reports whether a handwritten register_custom.go extends the clientset's scheme.
func (l *Layout) HasCustomRegister() bool {
	return l.Handwritten[path.Join(l.Clientset, "scheme", "register_custom.go")]
}

// PackageOf returns the name of the Go package in a directory below the output directory; dir "." is the output
// directory itself.
func (l *Layout) PackageOf(dir string) string {
	return goname.Package(strings.ToLower(path.Base(l.ImportPath(dir))))
}
