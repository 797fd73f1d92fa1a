package resolve

import (
	"go/token"
	"slices"
	"strings"
	"unicode"

	validation "k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/types"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/controller"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/index"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// kindsOf returns the kinds of a version. In packages that users cannot edit, problems that can be worked around are warnings: a
// type that is not an API object gets no client, and a kind without a list type gets no method that returns one.
func (r *resolver) kindsOf(s *source.Package, version *model.Version) []*model.Kind {
	var kinds []*model.Kind
	for _, name := range s.ClientTypes() {
		r.check(s, func(diags *diag.List) {
			if kind := r.kindOf(s, name, version, diags); kind != nil {
				kinds = append(kinds, kind)
			}
		})
	}
	if !s.InMainModule() {
		for _, kind := range kinds {
			r.leaveOut(kind)
		}
	}
	return kinds
}

// leaveOut removes verbs that need an undeclared list type, and methods with undeclared types, from a kind.
func (r *resolver) leaveOut(kind *model.Kind) {
	if !kind.HasList && kind.NeedsList() {
		kind.Verbs = kind.Verbs.Without(model.List, model.DeleteCollection)
	}
	kind.Methods = slices.DeleteFunc(kind.Methods, func(m model.Method) bool {
		return slices.ContainsFunc([]model.Type{m.Input, m.Result}, func(t model.Type) bool {
			return r.universe.Package(t.Package) != nil && r.universe.Lookup(t.Package, t.Name) == nil
		})
	})
}

// kindOf returns the kind of a type declaration. It returns nil and adds a diagnostic if no client can be generated for the type.
func (r *resolver) kindOf(s *source.Package, name string, version *model.Version, diags *diag.List) *model.Kind {
	decl := s.Kind(name)
	forKinds, forClients := only(r.opts.Kinds, diags), only(r.opts.Clients, diags)
	if !checkContract(decl, forKinds) {
		return nil
	}
	checkList(name, decl.List, forClients)
	named := &types.Type{Name: types.Name{Name: name}}
	verbs, methods := decl.By.Client(diags)
	verbs = r.deletingVerbs(verbs, decl, forClients)
	kind := &model.Kind{
		Name:         name,
		Version:      version,
		Plural:       namer.NewPublicPluralNamer(r.opts.Plurals).Name(named),
		Resource:     namer.NewAllLowercasePluralNamer(r.opts.Plurals).Name(named),
		HidesName:    decl.HidesName,
		HasList:      decl.List != nil,
		PointerItems: decl.List != nil && decl.List.PointerItems,
		Undefined:    s.Scanned.Has("kubebuilder:skip") || decl.Scanned.Has("kubebuilder:skipversion"),
		NoVerbs:      decl.By.NoVerbs != nil,
		Verbs:        verbs,
	}
	kind.SelectableFields = lists.Map(decl.Kubebuilder.SelectableFields, func(selectable marker.Written) string { return selectable.Text })
	kind.Indexes = index.Read(r.universe, kind, decl, diags)
	origin := &Origin{Source: s, Pos: decl.Pos, Doc: source.DocLines(decl.Doc), methods: methods}
	r.result.Kinds[kind] = origin
	r.setNames(kind, s, decl, &origin.Facts, diags)
	r.setScope(kind, decl, &origin.Facts, diags)
	setStatus(kind, decl, &origin.Facts)
	if r.opts.Defines && s.Kubebuilder() {
		checkStatus(kind, decl, forClients)
	}
	addVerbFacts(kind, decl, methods, &origin.Facts)
	setCopies(kind, decl, &origin.Facts, diags)
	r.needRuntime(decl.By, diags)
	if kind.Controller, origin.controller = controller.Read(r.universe, decl, diags); kind.Controller != nil {
		origin.Facts.addMarker("controller", origin.controller.String(), *decl.By.Controller)
	}
	setPermissions(kind, decl, diags)
	if !kind.HasList && kind.NeedsList() {
		forClients.AddHint(decl.Pos, "declare type "+kind.List()+", or omit the verbs with +genclient:skipVerbs=list,deleteCollection",
			"type %s has no list type %s", name, kind.List())
	}
	if kind.NeedsList() {
		checkItems(name, decl, forClients)
	}
	kind.Methods = lists.Map(methods, func(m marker.ClientMethod) model.Method { return r.methodOf(s, kind, m, forKinds) })
	checkMethodNames(kind, methods, forKinds)
	return kind
}

func isDNSLabel(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }

// checkContract reports a type that is not an API object.
func checkContract(decl *source.Kind, diags *diag.List) bool {
	spec := decl.Spec
	switch {
	case !token.IsExported(spec.Name.Name):
		diags.Add(decl.Pos, "cannot generate a client for type %s: it is not exported", spec.Name)
	case strings.IndexFunc(spec.Name.Name, func(r rune) bool { return r > unicode.MaxASCII }) >= 0:
		diags.Add(decl.Pos, "cannot generate a client for type %s: the names of kinds and resources have ASCII letters only", spec.Name)
	case spec.Assign.IsValid():
		diags.AddHint(decl.Pos, "put +genclient on the aliased type", "cannot generate a client for type %s: it is an alias", spec.Name)
	case spec.TypeParams != nil:
		diags.Add(decl.Pos, "cannot generate a client for type %s: it is generic", spec.Name)
	case decl.Struct == nil:
		diags.Add(decl.Pos, "cannot generate a client for type %s: it is not a struct", spec.Name)
	case !decl.HasObjectMeta:
		diags.AddHint(decl.Pos, "embed metav1.ObjectMeta `json:\"metadata,omitempty\"`",
			"cannot generate a client for type %s: it has no ObjectMeta", spec.Name)
	case !decl.HasTypeMeta:
		diags.AddHint(decl.Pos, "embed metav1.TypeMeta `json:\",inline\"`", "cannot generate a client for type %s: it has no TypeMeta", spec.Name)
	default:
		return true
	}
	return false
}

// deletingVerbs omits the verb deleteWithResult if the release lacks it. Otherwise, it warns if only delete is skipped.
func (r *resolver) deletingVerbs(verbs model.Verbs, decl *source.Kind, diags *diag.List) model.Verbs {
	if !r.opts.Target.DeleteWithResult() {
		return verbs.Without(model.DeleteWithResult)
	}
	if skip := decl.By.SkipVerbs; skip != nil && !verbs.Has(model.Delete) && verbs.Has(model.DeleteWithResult) {
		diags.Warn(skip.Pos, "name "+string(model.DeleteWithResult)+" in the marker, too",
			"client-go %s has another method that deletes, DeleteWithResult", r.opts.Target)
	}
	return verbs
}

// checkList reports a list type without ListMeta or without items. list is nil if there is no list type.
func checkList(kind string, list *source.List, diags *diag.List) {
	if list == nil {
		return
	}
	if list.Struct == nil {
		diags.Add(list.Pos, "type %sList is not a struct", kind)
		return
	}
	if !list.HasListMeta {
		diags.AddHint(list.Pos, "embed metav1.ListMeta `json:\"metadata,omitempty\"`", "list type %sList has no ListMeta", kind)
	}
	if !list.HasItems {
		diags.AddHint(list.Pos, "add Items []"+kind+" `json:\"items\"`", "list type %sList has no Items", kind)
	}
}

// checkItems reports a list type whose items are not the objects of a kind.
func checkItems(kind string, decl *source.Kind, diags *diag.List) {
	if list := decl.List; list != nil && list.ItemsKnown && list.Item != decl.Decl {
		diags.AddHint(list.Pos, "declare Items []"+kind+" `json:\"items\"`", "the items of list type %sList are not of type %s", kind, kind)
	}
}

// setPermissions adds the permissions that the reconciler of a kind needs in addition.
func setPermissions(kind *model.Kind, decl *source.Kind, diags *diag.List) {
	for _, m := range decl.By.Permissions {
		permission, ok := marker.As[model.Permission](m, diags)
		switch {
		case !ok:
		case kind.Controller == nil:
			diags.AddHint(m.Pos, "add // +"+marker.Controller+", or write +kubebuilder:rbac", "kind %s has no controller, so +%s has no effect",
				kind.Name, m.Name)
		default:
			kind.Controller.Permissions = append(kind.Controller.Permissions, permission)
		}
	}
}

// separateScopes splits permissions of markers into those for objects with and without a namespace, as far as scopes are known: of the
// kinds of this run and of Kubernetes' own.
func separateScopes(api *model.API) {
	clusterScoped := func(group, resource string) bool {
		resource, _, _ = strings.Cut(resource, "/")
		for _, kind := range api.Kinds() {
			if kind.Version.Group.Name == group && kind.Resource == resource {
				return !kind.Namespaced
			}
		}
		return slices.Contains(clusterScopedResources[group], resource)
	}
	for _, kind := range api.WithControllers() {
		kind.Controller.Permissions = lists.FlatMap(kind.Controller.Permissions, func(p model.Permission) []model.Permission {
			return p.ByScope(clusterScoped)
		})
	}
}

// clusterScopedResources are Kubernetes' resources without a namespace, by group.
var clusterScopedResources = map[string][]string{
	"":     coreClusterScoped,
	"core": coreClusterScoped,
	"admissionregistration.k8s.io": {
		"mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "mutatingwebhookconfigurations",
		"validatingadmissionpolicies", "validatingadmissionpolicybindings", "validatingwebhookconfigurations",
	},
	"apiextensions.k8s.io":         {"customresourcedefinitions"},
	"apiregistration.k8s.io":       {"apiservices"},
	"authentication.k8s.io":        {"selfsubjectreviews", "tokenreviews"},
	"authorization.k8s.io":         {"selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews"},
	"certificates.k8s.io":          {"certificatesigningrequests", "clustertrustbundles"},
	"flowcontrol.apiserver.k8s.io": {"flowschemas", "prioritylevelconfigurations"},
	"imagepolicy.k8s.io":           {"imagereviews"},
	"internal.apiserver.k8s.io":    {"storageversions"},
	"networking.k8s.io":            {"ingressclasses", "ipaddresses", "servicecidrs"},
	"node.k8s.io":                  {"runtimeclasses"},
	"rbac.authorization.k8s.io":    {"clusterrolebindings", "clusterroles"},
	"resource.k8s.io":              {"deviceclasses", "devicetaintrules", "resourcepoolstatusrequests", "resourceslices"},
	"scheduling.k8s.io":            {"priorityclasses"},
	"storage.k8s.io":               {"csidrivers", "csinodes", "storageclasses", "volumeattachments", "volumeattributesclasses"},
	"storagemigration.k8s.io":      {"storageversionmigrations"},
}

var coreClusterScoped = []string{"componentstatuses", "namespaces", "nodes", "persistentvolumes"}
