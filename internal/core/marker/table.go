package marker

import (
	"cmp"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// Level is the kind of declaration that a marker belongs to.
type Level int

const (
	// OnType markers belong to a type declaration.
	OnType Level = iota
	// OnPackage markers belong to a package clause, or anywhere in doc.go.
	OnPackage
	// OnEither markers may appear in both places, with a meaning for each.
	OnEither
	// OnAny markers may also belong to a field or a function.
	OnAny
	// ForControllerGen is the level of markers that controller-gen defines.
	ForControllerGen
)

// Allows reports whether a marker of this level may appear on the other one.
func (l Level) Allows(other Level) bool { return l == other || l.Both() }

// Both reports whether markers of this level have a meaning for packages and another for types.
func (l Level) Both() bool { return l == OnEither || l == OnAny }

// Stability says how long users can rely on a marker.
type Stability string

const (
	// Stable markers have the meaning that code-generator or controller-gen gives them.
	Stable Stability = "stable"
	// Beta markers are our own. Until v1.0.0, a minor release may change them.
	Beta Stability = "beta"
)

// Declaration is all that is known about one marker. Errors, docs/markers.md and the values of markers follow from it.
type Declaration struct {
	Name  string
	Level Level
	// Value is the type of the values.
	Value      Value
	Repeatable bool
	// Library is true if the output for the marker uses the run-time library. Markers that only add to another marker do not decide that.
	Library bool
	// Syntax is the text after the name, as users write it; Summary says how the marker works; Example is a complete marker.
	Syntax, Summary, Example string
	// Since is the release of this tool that introduced the marker, ClientGo the oldest release of client-go with which it has an effect.
	// The tables leave out the usual values: the first release, the oldest supported client-go, and Stable.
	Since     string
	ClientGo  model.Target
	Stability Stability
}

var declarations = sync.OnceValue(func() map[string]*Declaration {
	byName := map[string]*Declaration{}
	for _, table := range [][]Declaration{Known, Kubebuilder} {
		for i := range table {
			byName[table[i].Name] = &table[i]
		}
	}
	return byName
})

// Lookup finds the declaration of a known marker by its exact name.
func Lookup(name string) (*Declaration, bool) {
	d := declarations()[name]
	return d, d != nil && d.Level != ForControllerGen
}

// Check returns the known markers of the set that belong to level. It reports contradictory markers and misplaced values.
func Check(scanned Set, level Level, diags *diag.List) Set {
	var set Set
	for _, m := range scanned {
		declared, known := Lookup(m.Name)
		switch {
		case !known || !declared.Level.Allows(level):
		case !declared.checkForm(m, diags):
		case declared.Repeatable || !set.Has(m.Name):
			set = append(set, m)
		default:
			if first, _ := set.Get(m.Name); first.Value != m.Value {
				diags.Add(m.Pos, "marker +%s=%s contradicts +%s=%s at %s", m.Name, m.Value, m.Name, first.Value, diag.Line(first.Pos))
			}
		}
	}
	return set
}

// checkForm reports a value that does not have the form of the declaration.
func (d *Declaration) checkForm(m Marker, diags *diag.List) bool {
	switch form := d.Value.form; {
	case form == absent && m.Assigned:
		diags.AddHint(m.Pos, "write +"+d.Name+" to enable it; remove the line to disable it",
			"marker +%s takes no value, got %q", d.Name, m.Value)
	case form == required && !m.Assigned:
		diags.Add(m.Pos, "marker +%s needs a value: +%s=…", d.Name, d.Name)
	case form == trueOrFalse && m.Value != "":
		_, ok := As[bool](m, diags)
		return ok
	default:
		return true
	}
	return false
}

// Names of the markers.
const (
	GenClient     = "genclient"
	NonNamespaced = "genclient:nonNamespaced"
	NoStatus      = "genclient:noStatus"
	NoVerbs       = "genclient:noVerbs"
	ReadOnly      = "genclient:readonly"
	OnlyVerbs     = "genclient:onlyVerbs"
	SkipVerbs     = "genclient:skipVerbs"
	Method        = "genclient:method"
	ResourceName  = "resourceName"
	GroupName     = "groupName"
	GroupGoName   = "groupGoName"
	ClientGen     = "k8s:client-gen"
	ListerGen     = "k8s:lister-gen"
	InformerGen   = "k8s:informer-gen"
	// ApplyConfigurationGen selects types of the package for apply configurations.
	ApplyConfigurationGen = "k8s:applyconfiguration-gen"
	RegisterGen           = "k8s:register-gen"
	// Kind is the kind of a type in the API.
	Kind = "informergen:kind"
	// Controller generates a controller for a kind.
	Controller = "informergen:controller"
	// Ref makes the controller of a kind watch what its objects refer to.
	Ref = "informergen:ref"
	// Index adds a lookup to the lister of a kind.
	Index = "informergen:index"
	// Lister selects how the lister of a kind returns objects.
	Lister = "informergen:lister"
	// RBAC adds a permission of the controller of a kind.
	RBAC = "informergen:rbac"
)

// Names of the markers for deep copies.
const (
	DeepCopyGen        = "k8s:deepcopy-gen"
	DeepCopyInterfaces = "k8s:deepcopy-gen:interfaces"
	DeepCopyNonPointer = "k8s:deepcopy-gen:nonpointer-interfaces"
	// KubebuilderObject is the prefix of the markers that controller-gen also reads.
	KubebuilderObject = "kubebuilder:object:"
	ObjectGenerate    = "kubebuilder:object:generate"
	ObjectRoot        = "kubebuilder:object:root"
)

// Names of the markers for controller-gen that affect clients (https://book.kubebuilder.io/reference/markers/crd).
const (
	Resource          = "kubebuilder:resource"
	StatusSubresource = "kubebuilder:subresource:status"
	ScaleSubresource  = "kubebuilder:subresource:scale"
	SelectableField   = "kubebuilder:selectablefield"
)

// ForAnyType reports whether a marker of types needs no client: it concerns deep copies, conversions or defaults.
func ForAnyType(m Marker) bool {
	return AboutDeepCopies(m) || strings.HasPrefix(m.Name, ConversionGen) || strings.HasPrefix(m.Name, DefaulterGen)
}

// AboutDeepCopies reports whether a marker concerns deep copies, or is a misspelling of such a marker.
func AboutDeepCopies(m Marker) bool {
	name := strings.ToLower(m.Name)
	return strings.HasPrefix(name, "k8s:deep") || strings.HasPrefix(name, KubebuilderObject)
}

// complete fills in the values that a table leaves out.
func complete(table []Declaration) []Declaration {
	for i, d := range table {
		d.Since, d.ClientGo, d.Stability = cmp.Or(d.Since, "v0.1.0"), cmp.Or(d.ClientGo, model.OldestTarget), cmp.Or(d.Stability, Stable)
		table[i] = d
	}
	return table
}

// Known is the table of all supported markers. Other markers belong to other programs and are ignored, except for names in our
// namespaces and names that resemble a known one.
var Known = complete(append([]Declaration{
	{Name: GenClient, Level: OnType, Example: "+genclient",
		Summary: "generate a client and, if its verbs allow, a lister and an informer"},
	{Name: NonNamespaced, Level: OnType, Example: "+genclient:nonNamespaced",
		Summary: "the kind is cluster-scoped"},
	{Name: NoStatus, Level: OnType, Example: "+genclient:noStatus",
		Summary: "no UpdateStatus and ApplyStatus, even if the type has a field Status"},
	{Name: NoVerbs, Level: OnType, Example: "+genclient:noVerbs",
		Summary: "the client has only the methods of its expansion, and there is no informer"},
	{Name: ReadOnly, Level: OnType, Example: "+genclient:readonly",
		Summary: "only get, list and watch, and verbs in onlyVerbs"},
	{Name: OnlyVerbs, Level: OnType, Value: verbs, Syntax: "=verb,…", Example: "+genclient:onlyVerbs=get,list,watch",
		Summary: "only these verbs"},
	{Name: SkipVerbs, Level: OnType, Value: verbs, Syntax: "=verb,…", Example: "+genclient:skipVerbs=deleteCollection",
		Summary: "all verbs except these"},
	{Name: Method, Level: OnType, Value: clientMethod, Repeatable: true,
		Syntax:  "=Name,verb=verb[,subresource=path][,input=Type][,result=Type]",
		Example: "+genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale",
		Summary: "a client method; repeatable"},
	{Name: ResourceName, Level: OnType, Value: anyText, Syntax: "=plural", Example: "+resourceName=chassis",
		Summary: "the resource, in lower case; by default the English plural of the kind"},
	{Name: Kind, Level: OnType, Value: kindInAPI, Syntax: "=name", Example: "+informergen:kind=chassis",
		Summary: "the kind in the API, if that is not the name of the type", Stability: Beta},
	{Name: Controller, Level: OnType, Syntax: "[=owns=group/version.Kind[:all];…][,finalizer=name][,pause=annotation][,sharded=true]",
		Example:   "+informergen:controller=owns=apps/v1.Deployment;core/v1.ConfigMap,finalizer=fleet.example.com/cleanup",
		Summary:   "a controller for the kind, which watches owned objects, cleans up with a finalizer, pauses by annotation, and shares objects",
		Stability: Beta, Value: request, ClientGo: model.OldestRuntimeTarget, Library: true},
	{Name: Ref, Level: OnType, Value: reference, Repeatable: true,
		Syntax:    "=group/version.Kind,path=path[,namespace=path][,watch=cached|metadata|named][,name=Name]",
		Example:   "+informergen:ref=core/v1.ConfigMap,path=spec.env[*].configMapRef",
		Summary:   "a field that names objects of another kind, which the controller watches and looks up; repeatable",
		Stability: Beta, ClientGo: model.OldestRuntimeTarget, Library: true},
	{Name: Index, Level: OnType, Value: lookup, Repeatable: true, Syntax: "=field=path|label=key|owner|func=Name[,name=Method]",
		Example:   "+informergen:index=field=spec.nodeName",
		Summary:   "an index of the informer, and a lookup method of the lister; repeatable",
		Stability: Beta, ClientGo: model.OldestRuntimeTarget, Library: true},
	{Name: Lister, Level: OnType, Value: copies, Syntax: "=copies", Example: "+informergen:lister=copies",
		Summary:   "the lister returns deep copies, which may be modified",
		Stability: Beta, ClientGo: model.OldestRuntimeTarget, Library: true},
	{Name: RBAC, Level: OnType, Value: permission, Repeatable: true, Syntax: "=groups=…,resources=…,verbs=…",
		Example:   "+informergen:rbac=groups=core,resources=secrets,verbs=get",
		Summary:   "a permission that the reconciler needs in addition, with the arguments of +kubebuilder:rbac; repeatable",
		Stability: Beta, ClientGo: model.OldestRuntimeTarget},
	{Name: GroupName, Level: OnPackage, Value: anyText, Syntax: "=group", Example: "+groupName=fleet.example.com",
		Summary: "the API group; empty for the core group"},
	{Name: GroupGoName, Level: OnPackage, Value: goName, Syntax: "=Name", Example: "+groupGoName=Fleet",
		Summary: "the name of the group in Go identifiers, instead of its first label"},
	{Name: ClientGen, Level: OnPackage, Value: boolean, Syntax: "=false", Example: "+k8s:client-gen=false",
		Summary: "no clients for this package"},
	{Name: ListerGen, Level: OnPackage, Value: boolean, Syntax: "=false", Example: "+k8s:lister-gen=false",
		Summary: "no listers for this package"},
	{Name: InformerGen, Level: OnPackage, Value: boolean, Syntax: "=false", Example: "+k8s:informer-gen=false",
		Summary: "no informers for this package"},
	{Name: DeepCopyGen, Level: OnEither, Value: copiedTypes, Syntax: "=package|true|false", Example: "+k8s:deepcopy-gen=package",
		Summary: "deep copies: package for all types of a package, true or false for a type; false on a package disables them"},
	{Name: ObjectGenerate, Level: OnEither, Value: boolean, Syntax: "=true|false", Example: "+kubebuilder:object:generate=true",
		Summary: "deep copies, kubebuilder's form: for all types of a package, or for a type"},
	{Name: ObjectRoot, Level: OnType, Value: boolean, Syntax: "=true|false", Example: "+kubebuilder:object:root=true",
		Summary: "deep copies, and DeepCopyObject"},
	{Name: DeepCopyInterfaces, Level: OnType, Value: interfaceNames, Repeatable: true, Syntax: "=path.Interface,…",
		Example: "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
		Summary: "deep copies, and a method such as DeepCopyObject for each interface; repeatable"},
	{Name: DeepCopyNonPointer, Level: OnType, Value: requiredBool, Syntax: "=true|false",
		Example: "+k8s:deepcopy-gen:nonpointer-interfaces=true",
		Summary: "these methods have value receivers"},
	{Name: ApplyConfigurationGen, Level: OnPackage, Value: boolean, Syntax: "=false", Example: "+k8s:applyconfiguration-gen=false",
		Summary: "no apply configurations, and so no apply methods, for the types of this package"},
	{Name: RegisterGen, Level: OnPackage, Value: unlessFalse, Syntax: "[=false]", Example: "+k8s:register-gen",
		Summary: "generate the registration of the types in schemes, or disable it with false; by default, " +
			"it is generated if there is a +groupName and no handwritten registration"},
}, helpers...))

// Kubebuilder declares the markers for controller-gen that affect clients, too. Lookup does not find them: controller-gen decides where
// they belong, and which arguments they have.
var Kubebuilder = complete([]Declaration{
	{Name: Resource, Level: ForControllerGen, Value: resource, Syntax: ":path=plural,scope=Cluster|Namespaced",
		Example: "+kubebuilder:resource:path=chassis,scope=Cluster",
		Summary: "the resource (plural name) and the scope; clients do not depend on other arguments"},
	{Name: StatusSubresource, Level: ForControllerGen, Example: "+kubebuilder:subresource:status",
		Summary: "UpdateStatus and ApplyStatus, if the type has a field `Status`; with `kinds: [roots]`, only if it has this marker"},
	{Name: ScaleSubresource, Level: ForControllerGen, Syntax: ":…",
		Example: "+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas",
		Summary: "shown by explain; to generate methods for the scale, use +genclient:method"},
	{Name: SelectableField, Level: ForControllerGen, Value: selectable, Syntax: ":JSONPath=path",
		Example: "+kubebuilder:selectablefield:JSONPath=.spec.nodeName",
		Summary: "a selectable field, which strict fakes then support without a CustomResourceDefinition"},
})
