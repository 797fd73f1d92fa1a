package informergen

import (
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// Generator is a custom generator. Set Config.Generators to run it together with the built-in ones.
type Generator interface {
	// Name returns the name for Config.Only and Config.Skip. It must not contain spaces or commas.
	Name() string
	// Dir returns the directory of the generator's files, slash-separated and relative to the output directory. No other generator
	// may use it.
	Dir() string
	// Generate returns the files for an API, with paths relative to Dir. It must be deterministic. Go files are formatted, lose
	// unused imports, and get the header and the marker of generated files. Files in other languages stay unchanged, except that
	// line endings become \n.
	Generate(api *API) ([]File, error)
}

// API is the input of generators: groups, versions and kinds. It is a copy; modifying it has no effect.
type API struct {
	// Groups are sorted by name.
	Groups []Group
	// ClientGo is the release of k8s.io/client-go that the output is generated for, such as v0.35.
	ClientGo string
}

// Group is an API group.
type Group struct {
	// Name is the name of the group in API paths; "" is the core group. GoName is its name in Go identifiers.
	Name, GoName string
	// Versions are sorted by name.
	Versions []Version
}

// Version is one version of a group.
type Version struct {
	// Name is the name of the version in API paths, such as v1beta1. GoName is its name in Go identifiers.
	Name, GoName string
	// Package is the import path of the package that declares the types.
	Package string
	// Kinds are the kinds with +genclient, sorted by name.
	Kinds []Kind
	// Facts are the properties of the version and where they come from.
	Facts []Fact
}

// Kind is one API type with a client.
type Kind struct {
	// Group, Version and Name identify the kind. Name is also the name of the Go type.
	Group, Version, Name string
	// Plural is the plural in Go identifiers. Resource is the plural in API paths.
	Plural, Resource string
	// Namespaced is false for cluster-scoped kinds. HasStatus is true if the client can write the status separately.
	Namespaced, HasStatus bool
	// Verbs are the verbs of the client, spelled as in +genclient:onlyVerbs.
	Verbs []string
	// Methods are the custom methods of the client.
	Methods []Method
	// Controller is true if a controller is generated. Finalizer is its finalizer, if any. Owns are the owned kinds, in the form
	// group/version.Kind.
	Controller bool
	Finalizer  string
	Owns       []string
	// Doc is the doc comment of the type without markers. Pos is the position of the type's name.
	Doc string
	Pos token.Position
	// Markers are all markers of the type, including those of other programs, in the order of their lines.
	Markers []Marker
	// Fields are the fields of the type, in the order of their declaration. Generators get them always; Result.API has them only if
	// Config.Generators is set.
	Fields []Field
	// Facts are the properties of the kind and where they come from.
	Facts []Fact
}

// Field is a field of a kind's type or of a struct in it. Unexported fields are left out, except embedded ones.
type Field struct {
	// Name is the Go name; for embedded fields, the name of the type. JSONName is the name in JSON: that of the json tag, or the
	// Go name if the tag has none. It is empty for fields that are inlined, or excluded with the tag "-".
	Name, JSONName string
	// Type is the Go type, with import paths instead of package names: []*k8s.io/api/core/v1.Container. A type whose package is
	// not available is as written in the source.
	Type string
	// Embedded is true for embedded fields. Inline is true if the fields of an embedded type are serialized as if they were
	// declared here, because the json tag gives no name.
	Embedded, Inline bool
	// Optional is true if the field may be omitted, according to the first of +kubebuilder:validation:Optional or Required,
	// +optional or +k8s:optional, and +required or +k8s:required above the field or, without these, to omitempty or omitzero in the
	// json tag.
	Optional bool
	// Doc is the comment above the field without markers. Markers are all markers in it. Pos is the position of the name.
	Doc     string
	Markers []Marker
	Pos     token.Position
	// Fields are the fields of the struct that the type is, points to, or has as elements of slices and maps. Structs declared in
	// packages that are not part of the run, such as metav1.ObjectMeta, have none here, and neither has a struct within itself.
	Fields []Field
}

// Marker is a comment line that begins with a plus sign.
type Marker struct {
	// Name is the text between the plus sign and the equals sign, such as optional. Value is the text after the equals sign. For
	// markers of controller-gen with named arguments, such as +kubebuilder:printcolumn:name=Age,type=date, Name is the text before
	// the arguments, and Value are the arguments.
	Name, Value string
	Pos         token.Position
}

// Method is a custom method of a client, declared by +genclient:method.
type Method struct {
	Name, Verb, Subresource string
	// Input and Result are the Go types of the request and the response, in the form import/path.Type.
	Input, Result string
}

// Fact is one property, such as the scope of a kind, with the marker, declaration or default that it comes from.
type Fact struct {
	Name, Value, Because string
	// Pos is the position of the marker or declaration. Defaults have none.
	Pos token.Position
}

// extras adapts generators to the pipeline.
func extras(all []Generator) []run.Extra {
	var adapted []run.Extra
	for _, g := range all {
		adapted = append(adapted, run.Extra{Name: g.Name(), Dir: g.Dir(), Files: func(api *run.API) ([]render.File, error) {
			made, err := g.Generate(viewOf(api, true))
			var files []render.File
			for _, file := range made {
				files = append(files, render.File{Path: file.Path, Content: file.Content})
			}
			return files, err
		}})
	}
	return adapted
}

// viewOf copies the model, if requested with the fields of kinds. Reading these takes time.
func viewOf(api *run.API, fields bool) *API {
	view := &API{ClientGo: api.Layout.Target.String()}
	for _, g := range api.Resolved.API.Groups {
		group := Group{Name: g.Name, GoName: g.GoName}
		for _, v := range g.Versions {
			version := Version{Name: v.Name, GoName: v.GoName, Package: v.Source.Path, Facts: factsOf(api.Resolved.Versions[v].Facts)}
			for _, k := range v.Kinds {
				kind := kindOf(api, k)
				if fields {
					kind.Fields = fieldsOf(api.Resolved.Fields(k))
				}
				version.Kinds = append(version.Kinds, kind)
			}
			group.Versions = append(group.Versions, version)
		}
		view.Groups = append(view.Groups, group)
	}
	return view
}

func kindOf(api *run.API, k *model.Kind) Kind {
	withApply := api.Layout.WithApply()
	origin := api.Resolved.Kinds[k]
	kind := Kind{
		Group: k.Version.Group.Name, Version: k.Version.Name, Name: k.Name, Plural: k.Plural, Resource: k.Resource,
		Namespaced: k.Namespaced, HasStatus: k.HasStatus, Verbs: k.ClientVerbs(withApply).Strings(),
		Doc: strings.Join(origin.Doc, "\n"), Pos: origin.Pos, Facts: factsOf(origin.Facts),
		Markers: markersOf(api.Resolved.Markers(k)),
	}
	for _, m := range k.ClientMethods(withApply) {
		kind.Methods = append(kind.Methods, Method{
			Name: m.Name, Verb: string(m.Verb), Subresource: m.Subresource,
			Input: m.Input.Package + "." + m.Input.Name, Result: m.Result.Package + "." + m.Result.Name,
		})
	}
	if c := k.Controller; c != nil {
		kind.Controller, kind.Finalizer = true, c.Finalizer
		for _, owned := range c.Owned {
			kind.Owns = append(kind.Owns, owned.FullName())
		}
	}
	return kind
}

func fieldsOf(fields []resolve.Field) []Field {
	var all []Field
	for _, f := range fields {
		all = append(all, Field{
			Name: f.Name, JSONName: f.JSON, Type: f.Type, Embedded: f.Embedded, Inline: f.Inline, Optional: f.Optional,
			Doc: strings.Join(f.Doc, "\n"), Markers: markersOf(f.Markers), Pos: f.Pos, Fields: fieldsOf(f.Fields),
		})
	}
	return all
}

func markersOf(set marker.Set) []Marker {
	var all []Marker
	for _, m := range set {
		all = append(all, Marker{m.Name, m.Value, m.Pos})
	}
	return all
}

func factsOf(facts resolve.Facts) []Fact {
	var all []Fact
	for _, f := range facts {
		all = append(all, Fact{f.Name, f.Value, f.Because, f.Pos})
	}
	return all
}
