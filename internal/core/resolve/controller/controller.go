// Package controller parses the markers of controllers and resolves the kinds that they own or refer to, among the generated kinds and
// client-go's built-in ones.
package controller

import (
	"errors"
	"go/token"
	"slices"
	"strings"

	"k8s.io/gengo/v2/namer"
	gengo "k8s.io/gengo/v2/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shipped"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Request has the requests in the markers of a kind. Kinds that they name are not resolved yet.
type Request struct {
	marker.ControllerRequest

	pos token.Position
	// references are the +informergen:ref markers of the same type.
	references []reference
}

// Read returns the controller of a kind and what its markers request, or nil. Link resolves the kinds that it owns or refers to once all
// kinds are known.
func Read(universe *gotype.Universe, decl *source.Kind, diags *diag.List) (*model.Controller, Request) {
	m := decl.By.Controller
	references := readReferences(universe, decl, diags)
	if m == nil {
		for _, m := range decl.By.References {
			diags.AddHint(m.Pos, "add // +"+marker.Controller, "kind %s has no controller, so +%s has no effect", decl.Name(), m.Name)
		}
		return nil, Request{}
	}
	request := Request{pos: m.Pos, references: references}
	request.ControllerRequest, _ = marker.As[marker.ControllerRequest](*m, diags)
	status := decl.Status
	return &model.Controller{
		Finalizer: request.Finalizer, Pause: request.Pause, HasStatusField: status.Declared, HasConditions: status.Conditions,
		HasObservedGeneration: status.ObservedGeneration, Sharded: request.Sharded,
	}, request
}

// known are the kinds that markers can name.
type known struct {
	api    *model.API
	target model.Target
	// shipped finds the kinds that are neither generated nor built in.
	shipped *shipped.Finder
}

// Link checks the controllers of the API and resolves the kinds that their markers name. Built-in kinds are the kinds of the target.
func Link(universe *gotype.Universe, api *model.API, target model.Target, requestOf func(*model.Kind) Request, diags *diag.List) {
	kinds := known{api, target, shipped.NewFinder(universe)}
	for _, kind := range api.WithControllers() {
		request := requestOf(kind)
		if !check(kind, request, diags) {
			continue
		}
		for _, named := range request.Owns {
			owned, ok := kinds.owned(kind, named, diags)
			switch {
			case !ok:
			case slices.ContainsFunc(kind.Controller.Owned, owned.Same):
				diags.Add(named.Pos, "duplicate kind %s", named)
			default:
				kind.Controller.Owned = append(kind.Controller.Owned, owned)
			}
		}
		for _, r := range request.references {
			r.link(kinds, kind, diags)
		}
		disambiguate(kind)
		nameReferences(kind, diags)
	}
}

// check reports a kind for which no controller can be generated.
func check(kind *model.Kind, request Request, diags *diag.List) bool {
	generate, pos := kind.Version.Generate, request.pos
	switch {
	case kind.NoVerbs || !kind.Verbs.Has(model.List, model.Watch):
		diags.AddHint(pos, "allow the verbs list and watch", "type %s cannot have a controller without the verbs list and watch", kind.Name)
	case !generate.Client || !generate.Lister || !generate.Informer:
		diags.AddHint(pos, "remove the markers that opt out, or remove +informergen:controller",
			"type %s cannot have a controller, because its package opts out of clients, listers or informers", kind.Name)
	case kind.Controller.Finalizer != "" && !kind.Verbs.Has(model.Get, model.Patch):
		diags.AddHint(pos, "allow the verbs get and patch", "type %s cannot have a finalizer without the verbs get and patch", kind.Name)
	default:
		return true
	}
	return false
}

// owned resolves a kind that another one owns.
func (k known) owned(owner *model.Kind, named marker.KindName, diags *diag.List) (model.Related, bool) {
	owned, ok := k.related(owner, named, diags)
	owned.All = named.All
	if ok && !named.All && !owned.Verbs(false).Has(model.Get, model.Patch) {
		diags.AddHint(named.Pos, "allow them, or write "+named.Text+marker.AllObjects+" to watch all objects of the kind",
			"objects of %s cannot be watched by a label without the verbs get and patch", named.Text)
		return owned, false
	}
	if ok && owner.Namespaced && !owned.Namespaced {
		diags.AddHint(named.Pos, "remove it from owns: the garbage collector would delete the owned objects",
			"cluster-scoped %s cannot be owned by a namespaced %s", named.Text, owner.Name)
		return owned, false
	}
	return owned, ok
}

// related resolves a kind named by a marker: Kind, for a kind of the same version, group/version.Kind, or the import path of a package and
// the name of a type in it.
func (k known) related(kind *model.Kind, named marker.KindName, diags *diag.List) (model.Related, bool) {
	group, version, name := kind.Version.Group.DisplayName(), kind.Version.Name, named.Name
	if named.Qualified && token.IsIdentifier(name) {
		var other bool
		if group, version, other = k.groupVersion(named); other {
			return k.ship(named.Qualifier, name, named, diags)
		}
	}
	if group == "" || version == "" || !token.IsIdentifier(name) {
		diags.AddHint(named.Pos, "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap",
			"%q does not name a kind", named.Text)
		return model.Related{}, false
	}
	related, found := findGenerated(k.api, group, version, name)
	builtIn := findBuiltin(group, version, name)
	switch {
	case found:
		return related, true
	case builtIn == nil:
		diags.AddHint(named.Pos, suggestKind(k.api, group+"/"+version+"."+name),
			"no informer for kind %s: it is neither built into Kubernetes nor generated in this run", named.Text)
	case k.target.Minor < builtIn.since.Minor:
		diags.AddHint(named.Pos, "upgrade client-go, or use another version of the kind",
			"client-go %s has no informer for %s, which was added in %s", k.target, named.Text, builtIn.since)
	default:
		return builtIn.related(), true
	}
	return related, false
}

// groupVersion returns the group and version of a kind that are written, or that a package of this run or of k8s.io/api has. It returns
// true for packages of other modules.
func (k known) groupVersion(named marker.KindName) (group, version string, other bool) {
	for _, v := range k.api.Versions() {
		if v.Source.Path == named.Qualifier {
			return v.Group.DisplayName(), v.Name, false
		}
	}
	if strings.HasPrefix(named.Qualifier, marker.BuiltinPackages) {
		return named.Group, named.Version, named.Qualifier == marker.BuiltinPackages
	}
	host, _, _ := strings.Cut(named.Qualifier, "/")
	importPath := strings.Count(named.Qualifier, "/") > 1 && (strings.Contains(host, ".") || k.shipped.HasPackage(named.Qualifier))
	return named.Group, named.Version, importPath || named.Qualifier == ""
}

// ship resolves a kind whose client another module ships.
func (k known) ship(importPath, name string, named marker.KindName, diags *diag.List) (model.Related, bool) {
	related, err := k.shipped.Find(importPath, name)
	if problem, ok := errors.AsType[*shipped.Problem](err); ok {
		diags.AddHint(named.Pos, problem.Hint, "%s", problem.Message)
	}
	return related, err == nil
}

func findGenerated(api *model.API, group, version, name string) (model.Related, bool) {
	for _, k := range api.Kinds() {
		if v := k.Version; v.Group.DisplayName() == group && v.Name == version && k.Name == name && k.HasInformer() && v.Generate.Client {
			return model.Related{
				Name: k.Name, Plural: k.Plural, Resource: k.Resource, Group: v.Group.Name, Namespaced: k.Namespaced,
				Package: v.Source.Path, Alias: v.Alias(), GroupGoName: v.Group.GoName, GoVersion: v.GoName, Kind: k,
			}, true
		}
	}
	return model.Related{}, false
}

// related describes the kind.
func (b builtin) related() model.Related {
	t := model.Type{Package: "k8s.io/api/" + b.folder() + "/" + b.version, Name: b.kind}
	return model.Related{
		Name: b.kind, Group: b.group, Namespaced: b.namespaced,
		Plural:   namer.NewPublicPluralNamer(builtinPlurals).Name(&gengo.Type{Name: gengo.Name{Name: b.kind}}),
		Resource: namer.NewAllLowercasePluralNamer(builtinPlurals).Name(&gengo.Type{Name: gengo.Name{Name: b.kind}}),
		Package:  t.Package, Alias: t.Alias(), GroupGoName: goname.UpperFirst(b.folder()), GoVersion: goname.UpperFirst(b.version),
	}
}

// builtinPlurals are the plural exceptions of client-go.
var builtinPlurals = map[string]string{"Endpoints": "Endpoints"}

// suggestKind returns a hint for an unknown kind.
func suggestKind(api *model.API, full string) string {
	candidates := lists.Map(builtins(), func(b builtin) string { return b.String() })
	slices.Sort(candidates)
	for _, k := range api.Kinds() {
		name := k.FullName()
		if name == full {
			return "allow its verbs list and watch"
		}
		candidates = append(candidates, name)
	}
	// Users know the kind by its name. Group and version only distinguish kinds with the same name.
	kindOf := func(name string) string { return name[strings.LastIndex(name, ".")+1:] }
	nearest := spelling.Nearest(kindOf(full), lists.Map(candidates, kindOf))
	alike := slices.DeleteFunc(candidates, func(candidate string) bool { return nearest == "" || kindOf(candidate) != nearest })
	if len(alike) == 0 {
		return "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap"
	}
	return spelling.DidYouMean(full, alike, "did you mean "+alike[0]+"?")
}

// inKind are the identifiers of the file that imports the packages of owned kinds.
var inKind = goname.Templates("controller/kind.*")

// disambiguate marks owned kinds with the same plural, and gives each package of related kinds its own alias.
func disambiguate(kind *model.Kind) {
	imports := goname.NewImports(goname.NewScope(inKind))
	imports.Alias(kind.Version.Source.Path, kind.Version.Alias())
	var related []*model.Related
	plurals := map[string]int{}
	for i := range kind.Controller.Owned {
		related = append(related, &kind.Controller.Owned[i])
		plurals[related[i].Plural]++
	}
	for _, owned := range related {
		owned.Ambiguous = plurals[owned.Plural] > 1
	}
	for i := range kind.Controller.References {
		related = append(related, &kind.Controller.References[i].To)
	}
	for _, r := range related {
		if r.Kind != nil { // the names of the user's packages come first
			imports.Alias(r.Package, r.Alias)
		}
	}
	for _, r := range related {
		r.Alias = imports.Alias(r.Package, r.Alias, "kube"+r.Alias)
	}
	nameClientsets(related, imports)
}

// nameClientsets names the clientsets of other modules and the imports of their packages.
func nameClientsets(related []*model.Related, imports *goname.Imports) {
	names := goname.NewScope(inKind, imports.Uses)
	clientsets := map[string]string{}
	for _, r := range related {
		if r.Shipped == nil {
			continue
		}
		of := r.Shipped.Clientset
		if clientsets[of] == "" {
			clientsets[of] = names.Free(r.Shipped.Name, r.Shipped.Name+"Client")
		}
		r.Clientset, r.ClientsetAlias = clientsets[of], imports.Alias(of, clientsets[of]+"clientset")
	}
}
