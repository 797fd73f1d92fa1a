package model

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Controller describes the controller for a kind.
type Controller struct {
	// Finalizer is set on objects before they are reconciled, and Pause is the annotation that pauses them; "" for none.
	Finalizer, Pause string
	// Sharded is true if replicas may share the objects.
	Sharded bool
	// Owned are the kinds whose events enqueue their owners.
	Owned []Related
	// References are the fields that name objects of other kinds. Events of these objects enqueue the objects with the fields.
	References []Reference
	// Permissions are what markers allow the reconciler in addition.
	Permissions []Permission
	// HasStatusField, HasConditions and HasObservedGeneration report whether the type has a field Status, and in it a Conditions
	// []metav1.Condition and an ObservedGeneration int64.
	HasStatusField, HasConditions, HasObservedGeneration bool
}

// Related is a kind whose objects a controller watches because objects of its own kind own them or refer to them.
type Related struct {
	// Name, Plural, Resource and Namespaced describe the kind, Group and GroupVersion its group.
	Name, Plural, Resource, Group string
	Namespaced                    bool
	// Package is the import path of the type, Alias its import alias in generated code.
	Package, Alias string
	// GroupGoName and GoVersion are the Go names of group and version.
	GroupGoName, GoVersion string
	// Kind is the kind if its client and informer are generated, Shipped its client if a module other than client-go ships it. Both are nil
	// for built-in kinds.
	Kind    *Kind
	Shipped *Shipped
	// Clientset is the name that the clientset of a shipped client has in the controller, and ClientsetAlias the import alias of its package.
	Clientset, ClientsetAlias string
	// All is set if all objects of an owned kind are watched, not only those with the label of the owner's kind.
	All bool
	// Ambiguous reports whether another owned kind has the same plural.
	Ambiguous bool
}

// BuiltIn reports whether the kind is built into Kubernetes.
func (o Related) BuiltIn() bool { return o.Kind == nil && o.Shipped == nil }

// Same reports whether another one is the same kind.
func (o Related) Same(other Related) bool { return o.Package == other.Package && o.Name == other.Name }

// Verbs returns the verbs of the client: all of them if the kind is built in. A generated client may have apply.
func (o Related) Verbs(withApply bool) Verbs {
	switch {
	case o.BuiltIn():
		return AllVerbs
	case o.Shipped != nil:
		return o.Shipped.Verbs
	}
	return o.Kind.ClientVerbs(withApply)
}

// FullName returns the kind as markers spell it: "apps/v1.Deployment".
func (o Related) FullName() string {
	return (&Group{Name: o.Group}).DisplayName() + "/" + goname.LowerFirst(o.GoVersion) + "." + o.Name
}

// GroupGoVersion returns the Go name of group and version together: "AppsV1". It is the method of the clientset.
func (o Related) GroupGoVersion() string {
	if o.Shipped != nil {
		return o.Shipped.Group
	}
	return o.GroupGoName + o.GoVersion
}

// GoPlural returns the plural in names of methods: "Deployments".
func (o Related) GoPlural() string {
	switch {
	case o.Ambiguous && o.BuiltIn(): // whose group may have the same name as one of the user's
		return "Kube" + o.GroupGoVersion() + o.Plural
	case o.Ambiguous && o.Shipped != nil: // likewise
		return goname.UpperFirst(o.Clientset) + o.GroupGoVersion() + o.Plural
	case o.Ambiguous:
		return o.GroupGoVersion() + o.Plural
	}
	return o.Plural
}

// Field returns GoPlural as an unexported name.
func (o Related) Field() string {
	name := goname.LowerFirst(o.GoPlural())
	return goname.Unless(name, name+"Objects")
}

// IfNamespaced returns the text if the kind is namespaced, else "".
func (o Related) IfNamespaced(text string) string { return textIf(o.Namespaced, text) }

// Type returns the Go type.
func (o Related) Type() string { return o.Alias + "." + o.Name }

// Related returns the kinds that are owned or referred to, which may be the same.
func (c *Controller) Related() []Related {
	return slices.Concat(c.Owned, lists.Map(c.References, func(r Reference) Related { return r.To }))
}

// UsesBuiltIn reports whether some of the related kinds are built into Kubernetes.
func (c *Controller) UsesBuiltIn() bool {
	return slices.ContainsFunc(c.Related(), Related.BuiltIn)
}

// ControllerDir returns the directory of a version's controllers.
func (l *Layout) ControllerDir(v *Version) string {
	return path.Join(l.Controllers, v.GroupFolder, v.Folder)
}

// WithControllers returns the kinds that have a controller.
func (a *API) WithControllers() []*Kind {
	return filter(a.Kinds(), func(k *Kind) bool { return k.Controller != nil })
}

// WatchMode says how the objects that others refer to are watched: the name of the constant in the run-time library.
type WatchMode string

// The watch modes.
const (
	Cached   WatchMode = "Cached"
	Metadata WatchMode = "Metadata"
	Named    WatchMode = "Named"
)

// WatchModes are all watch modes.
var WatchModes = []WatchMode{Cached, Metadata, Named}

// Marker returns the way as markers spell it.
func (m WatchMode) Marker() string { return strings.ToLower(string(m)) }

// Reference is a +informergen:ref marker: a field in which the objects of a kind name objects of another kind.
type Reference struct {
	// To is the kind that is referred to.
	To        Related
	WatchMode WatchMode
	// Name is the name of the method that returns the object, such as "Secret" or, if Many is true, the objects: "ConfigMaps". Singular
	// is the name for one of them.
	Name, Singular string
	Many           bool
	// Field is the name of the field of the controller that holds the reference.
	Field string
	// Text is the path as markers spell it, Pos the position of the marker.
	Text string
	Pos  token.Position
	// Each leads from an object to the elements of the innermost list or map of the path; it is empty without any. Target leads from
	// there to the name.
	Each   Path
	Target StringAt
	// Kind leads from the same place to the name of a kind, in references that have one; they only count if it is the name of To.
	Kind *StringAt
	// Namespace leads to the namespace from the element of list or map number Outer or, if that is 0, from the object. It is nil for
	// references without a namespace.
	Namespace *StringAt
	Outer     int
}

// StringAt is a string within another value.
type StringAt struct {
	// Path goes through fields and pointers only.
	Path Path
	// Converted is true if the string has a type of its own.
	Converted bool
}

// String describes the reference with the words of markers.
func (r Reference) String() string {
	return r.To.FullName() + ", path=" + r.Text + ", watch=" + r.WatchMode.Marker()
}

// ReverseLookup returns the name of the method of a kind's controller that returns the objects that refer to an object.
func (r Reference) ReverseLookup(k *Kind) string { return k.Plural + "Of" + r.Singular }

// Shipped is the client of a kind that a module other than client-go ships.
type Shipped struct {
	// Clientset is the import path of the clientset, and Name what its module suggests as a name for it: "gatewayapi".
	Clientset, Name string
	// Group is the method of the clientset that returns the client of group and version: "GatewayV1". Version is the version in the API.
	Group, Version string
	// Verbs are the verbs of the client.
	Verbs Verbs
	// Apply is the import path of the apply configuration; "" if the kind has none, or it cannot be extracted. Converter is the import path
	// of the package with the schema of all apply configurations; "" without a schema.
	Apply, Converter string
	// Fake is the constructor in the package fake of the clientset; "" without such a package.
	Fake string
}

// Shipped returns the first related kind of each clientset of another module.
func (c *Controller) Shipped() []Related {
	var first []Related
	for _, r := range c.Related() {
		known := func(o Related) bool { return o.Shipped.Clientset == r.Shipped.Clientset }
		if r.Shipped != nil && !slices.ContainsFunc(first, known) {
			first = append(first, r)
		}
	}
	return first
}
