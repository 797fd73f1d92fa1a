package marker

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
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
)

// Allows reports whether a marker of this level may appear on the other one.
func (l Level) Allows(other Level) bool { return l == other || l == OnEither }

// Value defines the value that a marker takes.
type Value int

const (
	// NoValue allows no value: the presence of the marker is its meaning.
	NoValue Value = iota
	// AnyValue requires an equals sign and a value, which may be empty.
	AnyValue
	// BoolValue allows true, false, or no value, which means true.
	BoolValue
	// MayValue allows a value after an equals sign.
	MayValue
)

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

// AboutDeepCopies reports whether a marker concerns deep copies, or is a misspelling of such a marker.
func AboutDeepCopies(m Marker) bool {
	name := strings.ToLower(m.Name)
	return strings.HasPrefix(name, "k8s:deep") || strings.HasPrefix(name, KubebuilderObject)
}

// Definition describes one marker.
type Definition struct {
	Name       string
	Level      Level
	Value      Value
	Repeatable bool
	// Syntax is the text after the name, as users write it; Summary says what the marker does; Example is a complete marker.
	Syntax, Summary, Example string
}

// Known is the table of all supported markers. Other markers belong to other programs and are ignored, except for names in our
// namespaces and names that resemble a known one.
var Known = []Definition{
	{Name: GenClient, Level: OnType, Value: NoValue, Example: "+genclient",
		Summary: "generate a client and, if its verbs allow, a lister and an informer"},
	{Name: NonNamespaced, Level: OnType, Value: NoValue, Example: "+genclient:nonNamespaced",
		Summary: "the kind is cluster-scoped"},
	{Name: NoStatus, Level: OnType, Value: NoValue, Example: "+genclient:noStatus",
		Summary: "no UpdateStatus and ApplyStatus, even if the type has a field Status"},
	{Name: NoVerbs, Level: OnType, Value: NoValue, Example: "+genclient:noVerbs",
		Summary: "the client has no methods except those of its expansion, and there is no informer"},
	{Name: ReadOnly, Level: OnType, Value: NoValue, Example: "+genclient:readonly",
		Summary: "only get, list and watch, and verbs in onlyVerbs"},
	{Name: OnlyVerbs, Level: OnType, Value: AnyValue, Syntax: "=verb,…", Example: "+genclient:onlyVerbs=get,list,watch",
		Summary: "only these verbs"},
	{Name: SkipVerbs, Level: OnType, Value: AnyValue, Syntax: "=verb,…", Example: "+genclient:skipVerbs=deleteCollection",
		Summary: "all verbs except these"},
	{Name: Method, Level: OnType, Value: AnyValue, Repeatable: true,
		Syntax:  "=Name,verb=verb[,subresource=path][,input=Type][,result=Type]",
		Example: "+genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale",
		Summary: "a client method; repeatable"},
	{Name: ResourceName, Level: OnType, Value: AnyValue, Syntax: "=plural", Example: "+resourceName=chassis",
		Summary: "the resource, in lower case; by default the English plural of the kind"},
	{Name: Controller, Level: OnType, Value: MayValue, Syntax: "[=owns=group/version.Kind[:all];…][,finalizer=name]",
		Example: "+informergen:controller=owns=apps/v1.Deployment;core/v1.ConfigMap,finalizer=fleet.example.com/cleanup",
		Summary: "a controller for the kind, which watches owned objects, and sets a finalizer to clean up before deletion"},
	{Name: Ref, Level: OnType, Value: AnyValue, Repeatable: true,
		Syntax:  "=group/version.Kind,path=path[,namespace=path][,watch=cached|metadata|named][,name=Name]",
		Example: "+informergen:ref=core/v1.ConfigMap,path=spec.env[*].configMapRef",
		Summary: "a field that names objects of another kind, which the controller watches and looks up; repeatable"},
	{Name: Index, Level: OnType, Value: AnyValue, Repeatable: true, Syntax: "=field=path|label=key|owner|func=Name[,name=Method]",
		Example: "+informergen:index=field=spec.nodeName",
		Summary: "an index of the informer, and a lookup method of the lister; repeatable"},
	{Name: Lister, Level: OnType, Value: AnyValue, Syntax: "=copies", Example: "+informergen:lister=copies",
		Summary: "the lister returns deep copies, which may be modified"},
	{Name: RBAC, Level: OnType, Value: AnyValue, Repeatable: true, Syntax: "=groups=…,resources=…,verbs=…",
		Example: "+informergen:rbac=groups=core,resources=secrets,verbs=get",
		Summary: "a permission that the reconciler needs in addition, with the arguments of +kubebuilder:rbac; repeatable"},
	{Name: GroupName, Level: OnPackage, Value: AnyValue, Syntax: "=group", Example: "+groupName=fleet.example.com",
		Summary: "the API group; empty for the core group"},
	{Name: GroupGoName, Level: OnPackage, Value: AnyValue, Syntax: "=Name", Example: "+groupGoName=Fleet",
		Summary: "the name of the group in Go identifiers, instead of its first label"},
	{Name: ClientGen, Level: OnPackage, Value: BoolValue, Syntax: "=false", Example: "+k8s:client-gen=false",
		Summary: "no clients for this package"},
	{Name: ListerGen, Level: OnPackage, Value: BoolValue, Syntax: "=false", Example: "+k8s:lister-gen=false",
		Summary: "no listers for this package"},
	{Name: InformerGen, Level: OnPackage, Value: BoolValue, Syntax: "=false", Example: "+k8s:informer-gen=false",
		Summary: "no informers for this package"},
	{Name: DeepCopyGen, Level: OnEither, Value: AnyValue, Syntax: "=package|true|false", Example: "+k8s:deepcopy-gen=package",
		Summary: "deep copies: package for all types of a package, true or false for a type; false on a package disables them"},
	{Name: ObjectGenerate, Level: OnEither, Value: BoolValue, Syntax: "=true|false", Example: "+kubebuilder:object:generate=true",
		Summary: "deep copies, kubebuilder's form: for all types of a package, or for a type"},
	{Name: ObjectRoot, Level: OnType, Value: BoolValue, Syntax: "=true|false", Example: "+kubebuilder:object:root=true",
		Summary: "deep copies, and DeepCopyObject"},
	{Name: DeepCopyInterfaces, Level: OnType, Value: AnyValue, Repeatable: true, Syntax: "=path.Interface,…",
		Example: "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object",
		Summary: "deep copies, and a method such as DeepCopyObject for each interface; repeatable"},
	{Name: DeepCopyNonPointer, Level: OnType, Value: AnyValue, Syntax: "=true|false", Example: "+k8s:deepcopy-gen:nonpointer-interfaces=true",
		Summary: "these methods have value receivers"},
	{Name: ApplyConfigurationGen, Level: OnPackage, Value: BoolValue, Syntax: "=false", Example: "+k8s:applyconfiguration-gen=false",
		Summary: "no apply configurations, and so no apply methods, for the types of this package"},
	{Name: RegisterGen, Level: OnPackage, Value: MayValue, Syntax: "[=false]", Example: "+k8s:register-gen",
		Summary: "generate the registration of the types in schemes, or disable it with false; by default, " +
			"it is generated if there is a +groupName and no handwritten registration"},
}

// k8sPrefix is the prefix of the markers that Kubernetes' generators read.
const k8sPrefix = "k8s:"

// k8sGenerators are markers of code-generator's other programs.
var k8sGenerators = []string{
	"k8s:conversion-gen", "k8s:conversion-gen-external-types", "k8s:conversion-gen:explicit-from", "k8s:conversion-fn",
	"k8s:defaulter-gen", "k8s:defaulter-gen-input", "k8s:openapi-gen", "k8s:openapi-model-package", "k8s:protobuf-gen",
	"k8s:protobuf-deps", "k8s:event-gen", "k8s:validation-gen", "k8s:validation-gen-input", "k8s:validation-gen-nolint",
	"k8s:validation-gen-scheme-registry", "k8s:validation-gen-test-fixture", "k8s:validation-gen-test-targets",
	"k8s:prerelease-lifecycle-gen", "k8s:prerelease-lifecycle-gen:introduced", "k8s:prerelease-lifecycle-gen:deprecated",
	"k8s:prerelease-lifecycle-gen:removed", "k8s:prerelease-lifecycle-gen:replacement",
}

// OtherProgram returns the program of Kubernetes that reads a marker and that this tool does not replace, such as conversion-gen; "" for
// other markers and for those that switch a program off.
func OtherProgram(m Marker) string {
	name, ok := strings.CutPrefix(m.Name, k8sPrefix)
	if !ok || m.Value == "false" {
		return ""
	}
	for prefix, program := range otherPrograms {
		if strings.HasPrefix(name, prefix) {
			return program
		}
	}
	return ""
}

// otherPrograms maps beginnings of markers without k8s: to programs.
var otherPrograms = map[string]string{
	"conversion-gen": "conversion-gen", "conversion-fn": "conversion-gen", "defaulter-gen": "defaulter-gen", "openapi-gen": "openapi-gen",
	"openapi-model-package": "openapi-gen", "protobuf-": "go-to-protobuf", "validation-gen": "validation-gen",
	"prerelease-lifecycle-gen": "prerelease-lifecycle-gen",
}

// k8sValidations are the markers of declarative validation (https://kep.k8s.io/5073).
var k8sValidations = []string{
	"alpha", "beta", "customUnique", "customValidation", "dependentForbidden", "dependentRequired", "eachKey", "eachVal", "enum",
	"enumExclude", "forbidden", "format", "ifDisabled", "ifEnabled", "ifMode", "immutable", "isSubresource", "item", "listMapKey",
	"listType", "maxBytes", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
	"modeDiscriminator", "monotonic", "neq", "opaqueType", "optional", "required", "subfield", "supportsSubresource",
	"unionDiscriminator", "unionMember", "unique", "update", "zeroOrOneOfMember",
}

// otherFamilies returns the markers with the prefix k8s: or kubebuilder:, including those of other programs.
var otherFamilies = sync.OnceValue(func() []string {
	all := slices.DeleteFunc(names(), func(name string) bool {
		return !strings.HasPrefix(name, k8sPrefix) && !strings.HasPrefix(name, kubebuilderPrefix)
	})
	all = append(all, k8sGenerators...)
	for _, name := range k8sValidations {
		all = append(all, k8sPrefix+name)
	}
	return all
})

// Lookup finds the definition of a marker by its exact name.
func Lookup(name string) (Definition, bool) {
	i := slices.IndexFunc(Known, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return Definition{}, false
	}
	return Known[i], true
}

// ownedPrefixes are the prefixes that belong to this program, so that unknown names with them are mistakes.
var ownedPrefixes = []string{GenClient, "informergen:"}

// misspelled reports whether an unknown name is a mistake rather than another program's marker: it has one of our prefixes, or
// differs from a known name by case or by a letter or two. The suggestion may be empty.
func misspelled(name string) (suggestion string, yes bool) {
	if name == "versionName" { // which controller-gen reads, and which resembles resourceName
		return "", false
	}
	lower := strings.ToLower(name)
	for _, prefix := range ownedPrefixes {
		if strings.HasPrefix(lower, prefix) {
			return Nearest(name, names()), true
		}
	}
	suggestion = near(name, names())
	return suggestion, suggestion != ""
}

// near returns the candidate that differs from a name by case, or by a letter or two; name itself if it is a candidate.
func near(name string, candidates []string) string {
	if slices.Contains(candidates, name) {
		return name
	}
	return within(min(2, len(name)/5), name, candidates)
}

// Nearest returns the candidate closest to name, or "" if none is close enough.
func Nearest(name string, candidates []string) string { return within(1+len(name)/3, name, candidates) }

// within returns the candidate closest to name, ignoring case, if at most limit letters differ.
func within(limit int, name string, candidates []string) string {
	lower, length, best := strings.ToLower(name), utf8.RuneCountInString(name), ""
	for _, candidate := range candidates {
		if n := utf8.RuneCountInString(candidate); max(n-length, length-n) > limit {
			continue // the distance is at least the difference in length, which excludes most names
		}
		if d := levenshtein.ComputeDistance(lower, strings.ToLower(candidate)); d <= limit {
			best, limit = candidate, d-1
		}
	}
	return best
}

// DidYouMean returns a hint with the candidate closest to name, or the other hint if none is close enough.
func DidYouMean(name string, candidates []string, otherwise string) string {
	if nearest := Nearest(name, candidates); nearest != "" {
		return "did you mean " + nearest + "?"
	}
	return otherwise
}

func names() []string {
	all := make([]string, len(Known))
	for i, d := range Known {
		all[i] = d.Name
	}
	return all
}
