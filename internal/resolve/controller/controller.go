// Package controller parses the markers of controllers and resolves the kinds that they own, among the generated kinds and
// client-go's built-in ones.
package controller

import (
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
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// Request is a +informergen:controller marker, interpreted. Owned kinds are not resolved yet.
type Request struct {
	Marker marker.Marker
	// finalizer may be "".
	finalizer string
	owns      []writtenKind
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

// writtenKind is the name of a kind in a marker.
type writtenKind struct {
	text string
	pos  token.Position
}

// params are the parameters of the marker.
var params = []string{"owns", "finalizer"}

// readRequest interprets the marker. Invalid input is reported.
func readRequest(m marker.Marker, diags *diag.List) Request {
	request := Request{Marker: m}
	if m.Value == "" {
		return request
	}
	seen := map[string]bool{}
	for offset, word := range marker.Words(m.Value) {
		key, value, assigned := strings.Cut(word, "=")
		key = strings.TrimSpace(key)
		pos, valuePos := m.ValuePos(offset), m.ValuePos(offset+len(word)-len(value))
		switch {
		case !slices.Contains(params, key):
			hint := marker.DidYouMean(key, params, "use one of "+strings.Join(params, ", ")+"; separate kinds with semicolons")
			diags.AddHint(pos, hint, "unknown parameter %q of +%s", key, m.Name)
		case !assigned || strings.TrimSpace(value) == "":
			diags.Add(pos, "parameter %q of +%s needs a value: %s=…", key, m.Name, key)
		case seen[key]:
			diags.Add(pos, "duplicate parameter %q of +%s", key, m.Name)
		case key == "finalizer":
			request.finalizer = strings.TrimSpace(value)
			checkFinalizer(request.finalizer, valuePos, diags)
		default:
			request.owns = readOwns(value, valuePos)
		}
		seen[key] = true
	}
	return request
}

func checkFinalizer(name string, pos token.Position, diags *diag.List) {
	if problems := content.IsLabelKey(name); len(problems) > 0 || !strings.Contains(name, "/") {
		diags.AddHint(pos, "use a domain, a slash and a name, such as fleet.example.com/cleanup", "invalid finalizer %q", name)
	}
}

func readOwns(value string, pos token.Position) []writtenKind {
	var kinds []writtenKind
	offset := 0
	for text := range strings.SplitSeq(value, ";") {
		at := pos
		at.Column += offset + len(text) - len(strings.TrimLeft(text, " \t"))
		offset += len(text) + len(";")
		kinds = append(kinds, writtenKind{strings.TrimSpace(text), at})
	}
	return kinds
}

// Read returns the controller of a kind and the marker that requests it, or nil. Link resolves the owned kinds once all kinds are
// known.
func Read(universe *gotype.Universe, decl *source.Type, diags *diag.List) (*model.Controller, Request) {
	m, ok := decl.Markers.Get(marker.Controller)
	if !ok {
		return nil, Request{}
	}
	request := readRequest(m, diags)
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

// Link checks the controllers of the API and resolves the kinds that their markers name. Built-in kinds are those of the target.
func Link(api *model.API, target model.Target, requestOf func(*model.Kind) Request, diags *diag.List) {
	for _, kind := range api.WithControllers() {
		request := requestOf(kind)
		if !check(kind, request, diags) {
			continue
		}
		for _, written := range request.owns {
			owned, ok := ownedKind(api, target, kind, written, diags)
			switch {
			case !ok:
			case slices.Contains(kind.Controller.Owned, owned):
				diags.Add(written.pos, "duplicate kind %s", written.text)
			default:
				kind.Controller.Owned = append(kind.Controller.Owned, owned)
			}
		}
		disambiguate(kind)
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

// ownedKind resolves a kind named by a marker: Kind, for a kind of the same version, or group/version.Kind.
func ownedKind(api *model.API, target model.Target, owner *model.Kind, written writtenKind, diags *diag.List) (model.Related, bool) {
	groupVersion, name := owner.Version.Group.DisplayName()+"/"+owner.Version.Name, written.text
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		groupVersion, name = name[:dot], name[dot+1:]
	}
	group, version, ok := strings.Cut(groupVersion, "/")
	if !ok || group == "" || version == "" || strings.Contains(version, "/") || !token.IsIdentifier(name) {
		diags.AddHint(written.pos, "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap",
			"%q does not name a kind", written.text)
		return model.Related{}, false
	}
	owned, found := findGenerated(api, group, version, name)
	if !found {
		owned, found = findBuiltinKind(group, version, name)
	}
	switch {
	case !found:
		diags.AddHint(written.pos, suggestKind(api, group+"/"+version+"."+name),
			"no informer for kind %s: it is neither built into Kubernetes nor generated in this run", written.text)
	case owned.BuiltIn() && target.Minor < since(owned).Minor:
		diags.AddHint(written.pos, "upgrade client-go, or own another version of the kind",
			"client-go %s has no informer for %s, which was added in %s", target, written.text, since(owned))
	case owner.Namespaced && !owned.Namespaced:
		diags.AddHint(written.pos, "remove it from owns: the garbage collector would delete the owned objects",
			"cluster-scoped %s cannot be owned by a namespaced %s", written.text, owner.Name)
	default:
		return owned, true
	}
	return owned, false
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

func findBuiltinKind(groupName, version, name string) (model.Related, bool) {
	group, ok := findBuiltin(groupName)
	if !ok || !slices.Contains(group.kinds[version], name) {
		return model.Related{}, false
	}
	t := model.Type{Package: "k8s.io/api/" + group.folder() + "/" + version, Name: name}
	return model.Related{
		Name: name, Group: group.name, Namespaced: !slices.Contains(group.clusterScoped, name),
		Plural:   namer.NewPublicPluralNamer(builtinPlurals).Name(&gengo.Type{Name: gengo.Name{Name: name}}),
		Resource: namer.NewAllLowercasePluralNamer(builtinPlurals).Name(&gengo.Type{Name: gengo.Name{Name: name}}),
		Package:  t.Package, Alias: t.Alias(), GroupGoName: goname.UpperFirst(group.folder()), GoVersion: goname.UpperFirst(version),
	}, true
}

// builtinPlurals are the plural exceptions of client-go.
var builtinPlurals = map[string]string{"Endpoints": "Endpoints"}

// suggestKind returns a hint for an unknown kind.
func suggestKind(api *model.API, full string) string {
	candidates := builtinNames()
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

// disambiguate marks owned kinds with the same plural, and gives each package of owned kinds its own alias.
func disambiguate(kind *model.Kind) {
	imports := goname.NewImports(goname.NewScope(inKind))
	imports.Alias(kind.Version.Source.Path, kind.Version.Alias())
	owned, plurals := kind.Controller.Owned, map[string]int{}
	for _, o := range owned {
		plurals[o.Plural]++
		if !o.BuiltIn() { // the names of the user's packages come first
			imports.Alias(o.Package, o.Alias)
		}
	}
	for i := range owned {
		owned[i].Alias = imports.Alias(owned[i].Package, owned[i].Alias, "kube"+owned[i].Alias)
		owned[i].Ambiguous = plurals[owned[i].Plural] > 1
	}
}
