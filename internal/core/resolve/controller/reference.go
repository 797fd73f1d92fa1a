package controller

import (
	"cmp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// reference is a +informergen:ref marker with resolved paths. Its kind is not resolved yet.
type reference struct {
	marker.ObjectReference

	// Model has what is known without the kind. Its hold is empty without watch=.
	model model.Reference
}

// readReferences interprets the markers for references of a type, in their order. Invalid ones are reported and left out.
func readReferences(universe *gotype.Universe, decl *source.Kind, diags *diag.List) []reference {
	var all []reference
	for _, m := range decl.By.References {
		var problems diag.List
		r := readReference(universe, decl, m, &problems)
		*diags = append(*diags, problems...)
		if !problems.Failed() {
			all = append(all, r)
		}
	}
	return all
}

func readReference(universe *gotype.Universe, decl *source.Kind, m marker.Marker, diags *diag.List) reference {
	var r reference
	r.ObjectReference, _ = marker.As[marker.ObjectReference](m, diags)
	r.model.Pos, r.model.Text, r.model.Hold = m.Pos, strings.TrimPrefix(r.Path.Text, "."), r.Hold
	if r.Path.Text != "" {
		walk := &walker{universe: universe, decl: decl, diags: diags}
		walk.reference(&r)
	}
	return r
}

// link resolves the kind of a reference and adds it to the controller of a kind.
func (r reference) link(kinds known, kind *model.Kind, diags *diag.List) {
	to, ok := kinds.related(kind, r.Kind, diags)
	if !ok {
		return
	}
	linked := r.model
	linked.To, linked.Hold = to, cmp.Or(linked.Hold, defaultHold(to))
	switch {
	case !to.Namespaced && r.Namespace.Text != "":
		diags.AddHint(r.Namespace.Pos, "remove namespace="+r.Namespace.Text, "cluster-scoped %s has no namespace", r.Kind.Text)
	case to.Namespaced && !kind.Namespaced && linked.Namespace == nil:
		diags.AddHint(r.Path.Pos, "add namespace=, the path of a string, or use a struct with a field namespace",
			"cluster-scoped %s needs a namespace to refer to %s", kind.Name, r.Kind.Text)
	case linked.Hold == model.Metadata && to.Kind != nil && !to.Kind.Verbs.Has(model.Get):
		diags.AddHint(r.Kind.Pos, "allow the verb get, or set watch=cached", "type %s lacks the verb get, which watch=metadata needs", to.Name)
	}
	if !to.Namespaced {
		linked.Namespace = nil
	}
	linked.Name, linked.Singular = goNames(to, r.Name.Text, linked.Many)
	kind.Controller.References = append(kind.Controller.References, linked)
}

// defaultHold returns the way to hold objects of a kind: kinds that are large and mostly belong to others are not cached whole.
func defaultHold(to model.Related) model.Hold {
	if to.Group == "" && (to.Name == "Secret" || to.Name == "ConfigMap") {
		return model.Metadata
	}
	return model.Cached
}

// goNames returns the name of a reference, and the name for one of several. A name that a marker sets may be empty.
func goNames(to model.Related, set string, many bool) (name, singular string) {
	switch stem, plural := strings.CutSuffix(set, to.Plural); {
	case set == "" && many:
		return to.Plural, to.Name
	case set == "":
		return to.Name, to.Name
	case many && plural:
		return set, stem + to.Name
	}
	return set, set
}

// inherited are the exported methods of the library's controller, and the field that embeds it.
var inherited = []string{
	"Controller", "Describe", "DescribeObject", "Enqueue", "Factory", "HasSynced", "Informer", "Kind", "LongestRunning", "Name",
	"OwnerLabels", "ReconcileOnce", "Run", "Synced", "Unserved",
}

// nameReferences names the fields for references, and reports those whose methods would have the name of another one.
func nameReferences(kind *model.Kind, diags *diag.List) {
	taken := slices.Clone(inherited)
	fields := goname.NewScope()
	for _, owned := range kind.Controller.Owned {
		taken = append(taken, "Owned"+owned.GoPlural())
		fields.Take(owned.Field())
	}
	for i := range kind.Controller.References {
		r := &kind.Controller.References[i]
		r.Field = fields.Free("referred" + r.Name)
		for _, name := range []string{r.Name, r.ReverseLookup(kind)} {
			if slices.Contains(taken, name) {
				diags.AddHint(r.Pos, "set another name with name=…", "%sController already has %s", kind.Name, name)
				break
			}
		}
		taken = append(taken, r.Name, r.ReverseLookup(kind))
	}
}
