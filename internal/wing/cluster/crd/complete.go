package crd

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
)

const groupMarker = "groupName"

// completion adds markers to packages, as if they were in the source: the library parses the comments of a package once and keeps what
// it found in the collector.
type completion struct {
	collector *markers.Collector
	packages  []*loader.Package
	API
}

// complete adds the markers that a package and its kinds lack. It reports whether the package has a group; otherwise no server serves
// its types.
func (c completion) complete(root *loader.Package) bool {
	nodes, err := c.collector.MarkersInPackage(root)
	if err != nil {
		return true // the generator reports it
	}
	grouped := slices.ContainsFunc(root.Syntax, func(file *ast.File) bool { return nodes[file].Get(groupMarker) != nil })
	declared := map[string]*ast.TypeSpec{}
	loader.EachType(root, func(_ *ast.File, _ *ast.GenDecl, spec *ast.TypeSpec) { declared[spec.Name.Name] = spec })
	plain := slices.Contains(c.Plain, root.PkgPath)
	for _, kind := range c.Kinds {
		if kind.Package != root.PkgPath || declared[kind.Name] == nil {
			continue
		}
		if !grouped {
			add(nodes, root.Syntax[0], groupMarker, kind.Group)
			add(nodes, root.Syntax[0], "versionName", kind.Version)
			grouped = true
		}
		for _, file := range root.Syntax {
			if group := nodes[file].Get(groupMarker); group != nil && kind.Group != "" { // clients request this one
				nodes[file][groupMarker] = []any{kind.Group}
			}
		}
		kind.complete(nodes, declared[kind.Name], plain)
	}
	for name, spec := range declared {
		if plain && isKind(spec) && declared[name+"List"] == nil {
			skip(nodes, spec)
		}
	}
	return grouped
}

// complete adds the markers that a kind lacks.
func (k Kind) complete(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec, plain bool) {
	if k.Skipped || k.Generic {
		skip(nodes, spec)
		return
	}
	if k.Storage {
		add(nodes, spec, "kubebuilder:storageversion", crdmarkers.StorageVersion{})
	}
	k.completeResource(nodes, spec)
	if k.Status && plain {
		add(nodes, spec, "kubebuilder:subresource:status", crdmarkers.SubresourceStatus{})
	}
}

// completeResource sets the resource and the scope, unless a marker does. Where the defaults are right, it adds nothing: a marker on one
// version also sets the short names and categories of the others.
func (k Kind) completeResource(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec) {
	const name = "kubebuilder:resource"
	resource, _ := nodes[spec].Get(name).(crdmarkers.Resource)
	complete := resource
	if resource.Path == "" && k.Resource != marker.DefaultResource(k.Name) {
		complete.Path = k.Resource
	}
	if resource.Scope == "" && !k.Namespaced {
		complete.Scope = "Cluster"
	}
	if complete.Path != resource.Path || complete.Scope != resource.Scope {
		add(nodes, spec, name, complete) // the last one takes effect
	}
}

// skip leaves a version of a kind out. The other markers would then be in error.
func skip(nodes map[ast.Node]markers.MarkerValues, spec *ast.TypeSpec) {
	nodes[spec] = markers.MarkerValues{"kubebuilder:skipversion": {crdmarkers.SkipVersion{}}}
}

func add(nodes map[ast.Node]markers.MarkerValues, node ast.Node, name string, value any) {
	if nodes[node] == nil {
		nodes[node] = markers.MarkerValues{}
	}
	nodes[node][name] = append(nodes[node][name], value)
}

// MayDeclareKinds reports whether files declare a type that controller-gen takes for a kind: one that embeds TypeMeta and ObjectMeta.
// Packages with a group may also declare further versions of a kind by the type of another package.
func MayDeclareKinds(files []*ast.File) bool {
	for _, file := range files {
		for _, comment := range file.Comments {
			if slices.ContainsFunc(comment.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, "+"+groupMarker) }) {
				return true
			}
		}
		for _, decl := range file.Decls {
			if general, ok := decl.(*ast.GenDecl); ok && general.Tok == token.TYPE && slices.ContainsFunc(general.Specs, isKind) {
				return true
			}
		}
	}
	return false
}

func isKind(spec ast.Spec) bool {
	structType, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
	return ok && embeds(structType, "TypeMeta") && embeds(structType, "ObjectMeta")
}

func embeds(structType *ast.StructType, name string) bool {
	return slices.ContainsFunc(structType.Fields.List, func(field *ast.Field) bool {
		return len(field.Names) == 0 && gotype.EmbeddedName(field.Type) == name
	})
}
