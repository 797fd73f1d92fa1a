package resolve

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/gengo/v2/namer"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// controllerTag is a +informergen:controller tag.
type controllerTag struct {
	pos token.Position
	// finalizer is "" if there is none; owns are the kinds as they are written.
	finalizer string
	owns      []writtenKind
}

// writtenKind is the name of a kind in a tag.
type writtenKind struct {
	text string
	pos  token.Position
}

// controllerParams are what the tag takes.
var controllerParams = []string{"owns", "finalizer"}

// readController interprets the tag. What it cannot be made sense of is reported.
func readController(m marker.Marker, diags *diag.List) controllerTag {
	tag := controllerTag{pos: m.Pos}
	if m.Value == "" {
		return tag
	}
	seen := map[string]bool{}
	for offset, word := range words(m.Value) {
		key, value, assigned := strings.Cut(word, "=")
		key = strings.TrimSpace(key)
		pos, valuePos := m.ValuePos(offset), m.ValuePos(offset+len(word)-len(value))
		switch {
		case !slices.Contains(controllerParams, key):
			hint := "parameters are " + strings.Join(controllerParams, ", ") + "; several kinds are separated by semicolons"
			if nearest := marker.Nearest(key, controllerParams); nearest != "" {
				hint = "did you mean " + nearest + "?"
			}
			diags.AddHint(pos, hint, "unknown parameter %q of +%s", key, m.Name)
		case !assigned || strings.TrimSpace(value) == "":
			diags.Add(pos, "parameter %q of +%s needs a value: %s=…", key, m.Name, key)
		case seen[key]:
			diags.Add(pos, "parameter %q of +%s stands here a second time", key, m.Name)
		case key == "finalizer":
			tag.finalizer = strings.TrimSpace(value)
			checkFinalizer(tag.finalizer, valuePos, diags)
		default:
			tag.owns = readOwns(value, valuePos)
		}
		seen[key] = true
	}
	return tag
}

func checkFinalizer(name string, pos token.Position, diags *diag.List) {
	if problems := content.IsLabelKey(name); len(problems) > 0 || !strings.Contains(name, "/") {
		diags.AddHint(pos, "a finalizer is a domain, a slash and a name, such as fleet.example.com/cleanup", "invalid finalizer %q", name)
	}
}

func readOwns(value string, pos token.Position) []writtenKind {
	var kinds []writtenKind
	offset := 0
	for _, text := range strings.Split(value, ";") {
		at := pos
		at.Column += offset + len(text) - len(strings.TrimLeft(text, " \t"))
		offset += len(text) + len(";")
		kinds = append(kinds, writtenKind{strings.TrimSpace(text), at})
	}
	return kinds
}

// controllerOf reads the tag of a kind. What it says of other kinds is looked at when all of them are known.
func (r *resolver) controllerOf(kind *model.Kind, decl *typeDecl, facts *Facts) {
	m, ok := decl.tags.Get(marker.Controller)
	if !ok {
		return
	}
	tag := readController(m, &r.diags)
	kind.Controller = &model.Controller{Finalizer: tag.finalizer}
	r.inspectStatus(kind.Controller, decl)
	r.controllers[kind] = tag
	value := "yes"
	for _, owned := range tag.owns {
		value += ", owns " + owned.text
	}
	if tag.finalizer != "" {
		value += ", finalizer " + tag.finalizer
	}
	facts.addMarker("controller", value, m)
}

// inspectStatus finds out which of the usual fields the status of a type has.
func (r *resolver) inspectStatus(controller *model.Controller, decl *typeDecl) {
	status := r.field(r.universe.Type(decl.Decl), "Status")
	if status == nil {
		return
	}
	controller.HasStatusField = true
	if conditions := r.field(status.Type(), "Conditions"); conditions != nil {
		slice, ok := types.Unalias(conditions.Type()).(*types.Slice)
		controller.HasConditions = ok && slice.Elem().String() == metav1Package+".Condition"
	}
	if generation := r.field(status.Type(), "ObservedGeneration"); generation != nil {
		controller.HasObservedGeneration = types.Unalias(generation.Type()) == types.Typ[types.Int64]
	}
}

// metav1Package is the package of ObjectMeta and Condition.
const metav1Package = "k8s.io/apimachinery/pkg/apis/meta/v1"

// field returns the field of that name that a struct declares itself; nil if the type has none.
func (r *resolver) field(t types.Type, name string) *types.Var {
	structType, ok := r.universe.Underlying(t).(*types.Struct)
	if !ok {
		return nil
	}
	for field := range structType.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}

// finishControllers checks the controllers, and finds the kinds that they name.
func (r *resolver) finishControllers(api *model.API) {
	for _, kind := range api.WithControllers() {
		tag := r.controllers[kind]
		if !r.checkController(kind, tag) {
			continue
		}
		for _, written := range tag.owns {
			owned, ok := r.ownedKind(api, kind, written)
			switch {
			case !ok:
			case slices.Contains(kind.Controller.Owned, owned):
				r.diags.Add(written.pos, "kind %s stands here a second time", written.text)
			default:
				kind.Controller.Owned = append(kind.Controller.Owned, owned)
			}
		}
		disambiguate(kind)
	}
}

// checkController reports a kind that no controller can be generated for.
func (r *resolver) checkController(kind *model.Kind, tag controllerTag) bool {
	generate := kind.Version.Generate
	switch {
	case kind.NoVerbs || !kind.Verbs.Has(model.List, model.Watch):
		r.diags.AddHint(tag.pos, "allow the verbs list and watch", "type %s cannot have a controller, as it cannot be listed and watched", kind.Name)
	case !generate.Client || !generate.Lister || !generate.Informer:
		r.diags.AddHint(tag.pos, "a controller needs a client, a lister and an informer", "type %s cannot have a controller, as its package opts out of what that needs", kind.Name)
	case kind.Controller.Finalizer != "" && !kind.Verbs.Has(model.Get, model.Patch):
		r.diags.AddHint(tag.pos, "allow the verbs get and patch", "type %s cannot have a finalizer, as it cannot be got and patched", kind.Name)
	default:
		return true
	}
	return false
}

// ownedKind finds a kind by what is written in a tag: Kind, for one of the same version, or group/version.Kind.
func (r *resolver) ownedKind(api *model.API, owner *model.Kind, written writtenKind) (model.Owned, bool) {
	groupVersion, name, qualified := cutLast(written.text, ".")
	if !qualified {
		groupVersion, name = owner.Version.Group.DisplayName()+"/"+owner.Version.Name, written.text
	}
	group, version, ok := strings.Cut(groupVersion, "/")
	if !ok || group == "" || version == "" || strings.Contains(version, "/") || !token.IsIdentifier(name) {
		r.diags.AddHint(written.pos, "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap", "%q does not name a kind", written.text)
		return model.Owned{}, false
	}
	owned, found := findGenerated(api, group, version, name)
	if !found {
		owned, found = findBuiltinKind(group, version, name)
	}
	switch {
	case !found:
		r.diags.AddHint(written.pos, suggestKind(api, group+"/"+version+"."+name),
			"kind %s is neither built into Kubernetes nor generated here, with an informer", written.text)
	case owner.Namespaced && !owned.Namespaced:
		r.diags.AddHint(written.pos, "the garbage collector would delete such objects",
			"%s is cluster-scoped, and cannot be owned by a namespaced %s", written.text, owner.Name)
	default:
		return owned, true
	}
	return owned, false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func findGenerated(api *model.API, group, version, name string) (model.Owned, bool) {
	for _, k := range api.Kinds() {
		if v := k.Version; v.Group.DisplayName() == group && v.Name == version && k.Name == name && k.HasInformer() && v.Generate.Client {
			return model.Owned{
				Name: k.Name, Plural: k.Plural, Resource: k.Resource, Group: v.Group.Name, Namespaced: k.Namespaced,
				Package: v.Source.Path, Alias: v.Alias(), GroupGoName: v.Group.GoName, GoVersion: v.GoName, Kind: k,
			}, true
		}
	}
	return model.Owned{}, false
}

func findBuiltinKind(groupName, version, name string) (model.Owned, bool) {
	group, ok := findBuiltin(groupName)
	if !ok || !slices.Contains(group.kinds[version], name) {
		return model.Owned{}, false
	}
	t := model.Type{Package: "k8s.io/api/" + group.folder + "/" + version, Name: name}
	return model.Owned{
		Name: name, Group: group.name, Namespaced: !slices.Contains(group.clusterScoped, name),
		Plural:   namer.NewPublicPluralNamer(builtinPlurals).Name(gengoType(name)),
		Resource: namer.NewAllLowercasePluralNamer(builtinPlurals).Name(gengoType(name)),
		Package:  t.Package, Alias: t.Alias(), GroupGoName: group.goName, GoVersion: model.UpperFirst(version),
	}, true
}

// builtinPlurals are the exceptions that client-go is generated with.
var builtinPlurals = map[string]string{"Endpoints": "Endpoints"}

// suggestKind returns a hint for a kind that is not there.
func suggestKind(api *model.API, full string) string {
	candidates := builtinNames()
	for _, k := range api.Kinds() {
		name := k.Version.Group.DisplayName() + "/" + k.Version.Name + "." + k.Name
		if name == full {
			return "allow its verbs list and watch"
		}
		candidates = append(candidates, name)
	}
	// It is the kind by which people know it; group and version only tell those apart that are called alike.
	kindOf := func(name string) string {
		_, kind, _ := cutLast(name, ".")
		return kind
	}
	var kinds []string
	for _, candidate := range candidates {
		kinds = append(kinds, kindOf(candidate))
	}
	nearest := marker.Nearest(kindOf(full), kinds)
	alike := slices.DeleteFunc(candidates, func(candidate string) bool { return nearest == "" || kindOf(candidate) != nearest })
	switch {
	case len(alike) == 0:
		return "write group/version.Kind, such as apps/v1.Deployment or core/v1.ConfigMap"
	case marker.Nearest(full, alike) != "":
		return "did you mean " + marker.Nearest(full, alike) + "?"
	}
	return "did you mean " + alike[0] + "?"
}

// disambiguate marks the owned kinds that are called alike, and gives packages that are called alike names of their
// own.
func disambiguate(kind *model.Kind) {
	owned := kind.Controller.Owned
	for i := range owned {
		for j := range owned {
			if i != j && owned[i].Plural == owned[j].Plural {
				owned[i].Ambiguous = true
			}
			if i != j && owned[i].Alias == owned[j].Alias && owned[i].Package != owned[j].Package && owned[i].BuiltIn() {
				owned[i].Alias = "kube" + owned[i].Alias
			}
		}
		if owned[i].Alias == kind.Version.Alias() && owned[i].Package != kind.Version.Source.Path {
			owned[i].Alias = "kube" + owned[i].Alias
		}
	}
}
