package model

import (
	"path"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
)

// Controller describes the controller for a kind.
type Controller struct {
	// Finalizer is set on objects before they are reconciled; "" for none.
	Finalizer string
	// Pause is the annotation that pauses objects; "" for none.
	Pause string
	// Owned are the kinds whose events enqueue their owners.
	Owned []Related
	// References are the fields that name objects of other kinds, whose events enqueue those that name them.
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
	related := slices.Clone(c.Owned)
	for _, r := range c.References {
		related = append(related, r.To)
	}
	return related
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
