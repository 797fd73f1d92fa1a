// Package controller parses the markers of controllers and resolves the kinds that they own or refer to, among the generated kinds and
// client-go's built-in ones.
package controller

import (
	"errors"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/gengo/v2/namer"
	gengo "k8s.io/gengo/v2/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/shipped"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// Request is a +informergen:controller marker, interpreted. Owned kinds are not resolved yet.
type Request struct {
	Marker marker.Marker
	// finalizer may be "".
	finalizer string
	owns      []written
	// references are the +informergen:ref markers of the same type.
	references []reference
}

// String describes the marker for messages.
func (t Request) String() string {
	parts := []string{"yes"}
	for _, owned := range t.owns {
		parts = append(parts, "owns "+owned.text)
	}
	if t.finalizer != "" {
		parts = append(parts, "finalizer "+t.finalizer)
	}
	return strings.Join(parts, ", ")
}

// params are the parameters of the marker.
var params = []string{"owns", "finalizer"}

// readRequest interprets the marker. Invalid input is reported.
func readRequest(m marker.Marker, diags *diag.List) Request {
	request := Request{Marker: m}
	if m.Value == "" {
		return request
	}
	given := readParams(m, params, "; separate kinds with semicolons", diags)
	if finalizer, ok := given["finalizer"]; ok {
		request.finalizer = finalizer.text
		if problems := content.IsLabelKey(finalizer.text); len(problems) > 0 || !strings.Contains(finalizer.text, "/") {
			diags.AddHint(finalizer.pos, "use a domain, a slash and a name, such as fleet.example.com/cleanup",
				"invalid finalizer %q", finalizer.text)
		}
	}
	if owns, ok := given["owns"]; ok {
		request.owns = readOwns(owns.text, owns.pos)
	}
	return request
}

// written is a part of a marker.
type written struct {
	text string
	pos  token.Position
}

// readParams reads the parameters of a marker. Invalid ones are reported, with a hint about their separators.
func readParams(m marker.Marker, known []string, separators string, diags *diag.List) map[string]written {
	given, seen := map[string]written{}, map[string]bool{}
	for offset, word := range marker.Words(m.Value) {
		key, value, assigned := strings.Cut(word, "=")
		key, value = strings.TrimSpace(key), strings.TrimLeft(value, " \t")
		pos, valuePos := m.ValuePos(offset), m.ValuePos(offset+len(word)-len(value))
		switch {
		case offset == 0 && !assigned && slices.Contains(known, ""):
			given[""] = written{word, pos}
		case !slices.Contains(known, key) || key == "":
			names := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return name == "" })
			hint := marker.DidYouMean(key, names, "use one of "+strings.Join(names, ", ")+separators)
			diags.AddHint(pos, hint, "unknown parameter %q of +%s", key, m.Name)
		case !assigned || value == "":
			diags.Add(pos, "parameter %q of +%s needs a value: %s=…", key, m.Name, key)
		case seen[key]:
			diags.Add(pos, "duplicate parameter %q of +%s", key, m.Name)
		default:
			given[key] = written{value, valuePos}
		}
		seen[key] = true
	}
	return given
}

func readOwns(value string, pos token.Position) []written {
	var kinds []written
	offset := 0
	for text := range strings.SplitSeq(value, ";") {
		at := pos
		at.Column += offset + len(text) - len(strings.TrimLeft(text, " \t"))
		offset += len(text) + len(";")
		kinds = append(kinds, written{strings.TrimSpace(text), at})
	}
	return kinds
}

// Read returns the controller of a kind and the marker that requests it, or nil. Link resolves the kinds that it owns or refers to once
// all kinds are known.
func Read(universe *gotype.Universe, decl *source.Type, diags *diag.List) (*model.Controller, Request) {
	m, ok := decl.Markers.Get(marker.Controller)
	references := readReferences(universe, decl, diags)
	if !ok {
		for _, m := range decl.Markers.All(marker.Ref) {
			diags.AddHint(m.Pos, "add // +"+marker.Controller, "kind %s has no controller, so +%s has no effect", decl.Name(), m.Name)
		}
		return nil, Request{}
	}
	request := readRequest(m, diags)
	request.references = references
	controller := &model.Controller{Finalizer: request.finalizer}
	inspectStatus(universe, decl, controller)
	return controller, request
}

// inspectStatus records which conventional fields the status of a type has.
func inspectStatus(universe *gotype.Universe, decl *source.Type, controller *model.Controller) {
	status := universe.FieldOf(universe.Type(decl.Decl), "Status")
	if status == nil {
		return
	}
	controller.HasStatusField = true
	if conditions := universe.FieldOf(status.Type(), "Conditions"); conditions != nil {
		slice, ok := types.Unalias(conditions.Type()).(*types.Slice)
		controller.HasConditions = ok && source.IsMetaV1(slice.Elem(), "Condition")
	}
	if generation := universe.FieldOf(status.Type(), "ObservedGeneration"); generation != nil {
		controller.HasObservedGeneration = types.Unalias(generation.Type()) == types.Typ[types.Int64]
	}
}

// known are the kinds that markers can name.
type known struct {
	api    *model.API
	target model.Target
	// shipped finds the kinds that are neither generated nor built in.
	shipped *shipped.Finder
}

// Link checks the controllers of the API and resolves the kinds that their markers name. Built-in kinds are those of the target.
func Link(universe *gotype.Universe, api *model.API, target model.Target, requestOf func(*model.Kind) Request, diags *diag.List) {
	kinds := known{api, target, shipped.NewFinder(universe)}
	for _, kind := range api.WithControllers() {
		request := requestOf(kind)
		if !check(kind, request, diags) {
			continue
		}
		for _, named := range request.owns {
			owned, ok := kinds.owned(kind, named, diags)
			switch {
			case !ok:
			case slices.ContainsFunc(kind.Controller.Owned, owned.Same):
				diags.Add(named.pos, "duplicate kind %s", named.text)
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
	generate, pos := kind.Version.Generate, request.Marker.Pos
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

// allObjects follows an owned kind of which all objects are watched.
const allObjects = ":all"

// owned resolves a kind that another one owns.
func (k known) owned(owner *model.Kind, named written, diags *diag.List) (model.Related, bool) {
	var all bool
	named.text, all = strings.CutSuffix(named.text, allObjects)
	owned, ok := k.related(owner, named, diags)
	owned.All = all
	if ok && !all && !owned.Verbs(false).Has(model.Get, model.Patch) {
		diags.AddHint(named.pos, "allow them, or write "+named.text+allObjects+" to watch all objects of the kind",
			"objects of %s cannot be watched by a label without the verbs get and patch", named.text)
		return owned, false
	}
	if ok && owner.Namespaced && !owned.Namespaced {
		diags.AddHint(named.pos, "remove it from owns: the garbage collector would delete the owned objects",
			"cluster-scoped %s cannot be owned by a namespaced %s", named.text, owner.Name)
		return owned, false
	}
	return owned, ok
}

// related resolves a kind named by a marker: Kind, for a kind of the same version, group/version.Kind, or the import path of a package and
// the name of a type in it.
func (k known) related(kind *model.Kind, named written, diags *diag.List) (model.Related, bool) {
	groupVersion, name := kind.Version.Group.DisplayName()+"/"+kind.Version.Name, named.text
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		groupVersion, name = name[:dot], name[dot+1:]
		if importPath := groupVersion; token.IsIdentifier(name) {
			if groupVersion = k.groupVersion(importPath); groupVersion == "" {
				return k.ship(importPath, name, named, diags)
			}
		}
	}
	group, version, ok := strings.Cut(groupVersion, "/")
	if !ok || group == "" || version == "" || strings.Contains(version, "/") || !token.IsIdentifier(name) {
		diags.AddHint(named.pos, "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap",
			"%q does not name a kind", named.text)
		return model.Related{}, false
	}
	related, found := findGenerated(k.api, group, version, name)
	builtIn := findBuiltin(group, version, name)
	switch {
	case found:
		return related, true
	case builtIn == nil:
		diags.AddHint(named.pos, suggestKind(k.api, group+"/"+version+"."+name),
			"no informer for kind %s: it is neither built into Kubernetes nor generated in this run", named.text)
	case k.target.Minor < builtIn.since.Minor:
		diags.AddHint(named.pos, "upgrade client-go, or use another version of the kind",
			"client-go %s has no informer for %s, which was added in %s", k.target, named.text, builtIn.since)
	default:
		return builtIn.related(), true
	}
	return related, false
}

// groupVersion returns the group and version of a package of this run or of k8s.io/api, "" for any other import path, and other text
// unchanged.
func (k known) groupVersion(text string) string {
	for _, v := range k.api.Versions() {
		if v.Source.Path == text {
			return v.Group.DisplayName() + "/" + v.Name
		}
	}
	if builtIn, ok := strings.CutPrefix(text, "k8s.io/api/"); ok {
		return builtIn
	}
	if host, _, _ := strings.Cut(text, "/"); strings.Count(text, "/") > 1 && (strings.Contains(host, ".") || k.shipped.HasPackage(text)) {
		return ""
	}
	return text
}

// ship resolves a kind whose client another module ships.
func (k known) ship(importPath, name string, named written, diags *diag.List) (model.Related, bool) {
	related, err := k.shipped.Find(importPath, name)
	if problem, ok := errors.AsType[*shipped.Problem](err); ok {
		diags.AddHint(named.pos, problem.Hint, "%s", problem.Message)
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
	var candidates []string
	for _, b := range builtins() {
		candidates = append(candidates, b.String())
	}
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
	var kinds []string
	for _, candidate := range candidates {
		kinds = append(kinds, kindOf(candidate))
	}
	nearest := marker.Nearest(kindOf(full), kinds)
	alike := slices.DeleteFunc(candidates, func(candidate string) bool { return nearest == "" || kindOf(candidate) != nearest })
	if len(alike) == 0 {
		return "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap"
	}
	return marker.DidYouMean(full, alike, "did you mean "+alike[0]+"?")
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
