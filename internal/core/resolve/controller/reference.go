package controller

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/fieldpath"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// reference is a +informergen:ref marker with resolved paths. Its kind is not resolved yet.
type reference struct {
	marker.ObjectReference

	// model has the facts that do not depend on the kind. Its watch mode is empty without watch=.
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
	r.model.Pos, r.model.Text, r.model.WatchMode = m.Pos, strings.TrimPrefix(r.Path.Text, "."), r.WatchMode
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
	linked.To, linked.WatchMode = to, cmp.Or(linked.WatchMode, defaultWatchMode(to))
	switch {
	case !to.Namespaced && r.Namespace.Text != "":
		diags.AddHint(r.Namespace.Pos, "remove namespace="+r.Namespace.Text, "cluster-scoped %s has no namespace", r.Kind.Text)
	case to.Namespaced && !kind.Namespaced && linked.Namespace == nil:
		diags.AddHint(r.Path.Pos, "add namespace=, the path of a string, or use a struct with a field namespace",
			"cluster-scoped %s needs a namespace to refer to %s", kind.Name, r.Kind.Text)
	case linked.WatchMode == model.Metadata && to.Kind != nil && !to.Kind.Verbs.Has(model.Get):
		diags.AddHint(r.Kind.Pos, "allow the verb get, or set watch=cached", "type %s lacks the verb get, which watch=metadata needs", to.Name)
	}
	if !to.Namespaced {
		linked.Namespace = nil
	}
	linked.Name, linked.Singular = goNames(to, r.Name.Text, linked.Many)
	kind.Controller.References = append(kind.Controller.References, linked)
}

// defaultWatchMode returns the watch mode of a kind: kinds that are large and mostly belong to others are not cached whole.
func defaultWatchMode(to model.Related) model.WatchMode {
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

// builtin is a kind of Kubernetes for which client-go has informers.
type builtin struct {
	group, version, kind string
	namespaced           bool
	// since is the release of client-go that added the stable version, if it is not the oldest target.
	since model.Target
}

// builtinKinds are the kinds of the stable versions of the newest client-go, by group and version; no API server serves the others unless
// told to. Kinds without a namespace have a star. The minor release of client-go follows if they became stable after the oldest target.
const builtinKinds = `
/v1 ComponentStatus* ConfigMap Endpoints Event LimitRange Namespace* Node* PersistentVolume* PersistentVolumeClaim Pod PodTemplate
	ReplicationController ResourceQuota Secret Service ServiceAccount
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy*36 MutatingAdmissionPolicyBinding*36 MutatingWebhookConfiguration*
	ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding* ValidatingWebhookConfiguration*
apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
autoscaling/v1 HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler
batch/v1 CronJob Job
certificates.k8s.io/v1 CertificateSigningRequest* ClusterTrustBundle*37 PodCertificateRequest37
coordination.k8s.io/v1 Lease
discovery.k8s.io/v1 EndpointSlice
events.k8s.io/v1 Event
flowcontrol.apiserver.k8s.io/v1 FlowSchema* PriorityLevelConfiguration*
networking.k8s.io/v1 IPAddress* Ingress IngressClass* NetworkPolicy ServiceCIDR*
node.k8s.io/v1 RuntimeClass*
policy/v1 PodDisruptionBudget
rbac.authorization.k8s.io/v1 ClusterRole* ClusterRoleBinding* Role RoleBinding
resource.k8s.io/v1 DeviceClass*34 DeviceTaintRule*37 ResourceClaim34 ResourceClaimTemplate34 ResourceSlice*34
scheduling.k8s.io/v1 PriorityClass*
storage.k8s.io/v1 CSIDriver* CSINode* CSIStorageCapacity StorageClass* VolumeAttachment* VolumeAttributesClass*34
storagemigration.k8s.io/v1 StorageVersionMigration*37
`

// builtins returns the built-in kinds.
var builtins = sync.OnceValue(func() (all []builtin) {
	var b builtin
	for word := range strings.FieldsSeq(builtinKinds) {
		if group, version, ok := strings.Cut(word, "/"); ok {
			b.group, b.version = group, version
			continue
		}
		name := strings.TrimRight(word, "0123456789")
		minor, _ := strconv.Atoi(word[len(name):])
		b.kind, b.since = strings.TrimSuffix(name, "*"), model.Target{Minor: max(minor, model.OldestTarget.Minor)}
		b.namespaced = b.kind == name
		all = append(all, b)
	}
	return all
})

// folder returns the folder of the group's packages. Its Go name is the same.
func (b builtin) folder() string { return (&model.Group{Name: b.group}).FirstLabel() }

// String returns the kind as users write it.
func (b builtin) String() string { return b.folder() + "/" + b.version + "." + b.kind }

// findBuiltin finds a kind by the name or the folder of its group; nil if it is not built in.
func findBuiltin(group, version, kind string) *builtin {
	i := slices.IndexFunc(builtins(), func(b builtin) bool {
		return b.kind == kind && b.version == version && (group == b.folder() || group == b.group && group != "")
	})
	if i < 0 {
		return nil
	}
	return &builtins()[i]
}

// walker resolves the paths of references, below the type of a declaration.
type walker struct {
	universe *gotype.Universe
	decl     *source.Kind
	diags    *diag.List
}

// reference resolves the paths of a reference.
func (w *walker) reference(r *reference) {
	path := w.follower(r.Path)
	t, ok := w.follow(path, r.Path)
	if ok {
		ok = w.name(path, t, r)
	}
	if r.Namespace.Text == "" {
		return
	}
	namespace := w.follower(r.Namespace)
	t, followed := w.follow(namespace, r.Namespace)
	if !followed || !ok {
		return
	}
	t, underlying := namespace.Into(t, false)
	loops, rest := split(namespace.Path)
	switch {
	case namespace.Missing(underlying, r.Namespace.Pos):
	case !isString(underlying):
		w.diags.AddHint(r.Namespace.Pos, "use a string or a pointer to one",
			"field %s of type %s is not a namespace", r.Namespace.Text, fieldpath.TypeName(t))
	case len(loops) > len(r.model.Each) || !slices.Equal(loops, r.model.Each[:len(loops)]):
		w.diags.AddHint(r.Namespace.Pos, "begin both with the same part up to the last [*] of the namespace",
			"namespace=%s is not in the same list as path=%s", r.Namespace.Text, r.Path.Text)
	default:
		r.model.Namespace, r.model.Outer = &model.StringAt{Path: rest, Converted: isConverted(t)}, loops.Loops()
	}
}

func (w *walker) follower(path marker.FieldPath) *fieldpath.Follower {
	return &fieldpath.Follower{Universe: w.universe, Diags: w.diags, Text: path.Text, Otherwise: "refer to another field"}
}

// follow follows a path of JSON names, in which [*] leads into lists and maps. It returns the type at its end.
func (w *walker) follow(f *fieldpath.Follower, path marker.FieldPath) (types.Type, bool) {
	t := w.decl.GoType
	before, last := "", path.Elements[0].Pos
	for _, element := range path.Elements {
		at := element.Pos
		if element.Name == "" {
			w.diags.AddHint(at, "write names in JSON, and [*] after lists and maps: spec.env[*].configMapRef", "invalid path %q", path.Text)
			return nil, false
		}
		var underlying types.Type
		t, underlying = f.Into(t, false)
		switch underlying.(type) {
		case *types.Slice, *types.Map:
			w.diags.AddHint(last, "write "+before+"[*]."+element.Text, "field %s is a list or map", before)
			return nil, false
		}
		var ok bool
		if t, ok = f.Field(t, element.Name, at); !ok {
			return nil, false
		}
		for range element.Stars {
			if t, ok = w.elements(f, t, at); !ok {
				return nil, false
			}
		}
		last = at
		before = strings.TrimPrefix(before+"."+element.Text, ".")
	}
	return t, true
}

// elements adds the step to the elements of a list or map.
func (w *walker) elements(f *fieldpath.Follower, t types.Type, pos token.Position) (types.Type, bool) {
	t, underlying := f.Into(t, false)
	switch u := underlying.(type) {
	case *types.Slice:
		f.Path = append(f.Path, model.Step{Into: model.IntoSlice})
		return u.Elem(), true
	case *types.Map:
		if key, ok := w.universe.Underlying(u.Key()).(*types.Basic); ok && key.Info()&types.IsOrdered != 0 {
			f.Path = append(f.Path, model.Step{Into: model.IntoValues})
			return u.Elem(), true
		}
	}
	if !f.Missing(underlying, pos) {
		w.diags.AddHint(pos, "remove [*]", "a value of type %s has no elements", fieldpath.TypeName(t))
	}
	return nil, false
}

// name resolves the name at the end of a path, whose type is t, and the namespace and the kind next to it.
func (w *walker) name(f *fieldpath.Follower, t types.Type, r *reference) bool {
	t, underlying := f.Into(t, true)
	r.model.Many = f.Path.Repeats()
	each, rest := split(f.Path)
	r.model.Each = each
	switch u := underlying.(type) {
	case *types.Struct:
		name := w.stringIn(u, "name")
		if name == nil || w.universe.Encoding(t) != gotype.Structured {
			break
		}
		below := func(s *model.StringAt) *model.StringAt {
			if s != nil {
				s.Path = slices.Concat(rest, s.Path)
			}
			return s
		}
		r.model.Target = *below(name)
		r.model.Kind = below(w.stringIn(u, "kind"))
		r.model.Namespace, r.model.Outer = below(w.stringIn(u, "namespace")), each.Loops()
		return true
	default:
		if isString(underlying) {
			r.model.Target = model.StringAt{Path: rest, Converted: isConverted(t)}
			return true
		}
	}
	hint := "refer to a string, a struct with a field name, or a pointer to or list of these"
	if _, isMap := underlying.(*types.Map); isMap {
		hint = "write " + r.Path.Text + "[*] for the values of a map"
	}
	if !f.Missing(underlying, r.Path.Pos) {
		w.diags.AddHint(r.Path.Pos, hint, "field %s of type %s is not a name", r.Path.Text, fieldpath.TypeName(t))
	}
	return false
}

// stringIn returns where a struct has a field with a JSON name; nil if it has none or if that is not a string.
func (w *walker) stringIn(structType *types.Struct, name string) *model.StringAt {
	field, ok := fieldpath.FieldsOf(w.universe, structType)[name]
	if !ok || field.Unreachable != "" {
		return nil
	}
	f := &fieldpath.Follower{Universe: w.universe, Path: field.Steps}
	t, underlying := f.Into(field.Type, false)
	if !isString(underlying) {
		return nil
	}
	return &model.StringAt{Path: f.Path, Converted: isConverted(t)}
}

// split splits a path after the last step into a list or map.
func split(path model.Path) (each, rest model.Path) {
	n := len(path)
	for n > 0 && !path[n-1:].Repeats() {
		n--
	}
	return path[:n:n], path[n:]
}

func isString(underlying types.Type) bool {
	basic, ok := underlying.(*types.Basic)
	return ok && basic.Kind() == types.String
}

// isConverted reports whether a string has a type of its own.
func isConverted(t types.Type) bool { return types.Unalias(t) != types.Typ[types.String] }
