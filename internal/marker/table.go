package marker

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Place says where a marker may stand.
type Place int

const (
	// OnType markers belong to a type declaration.
	OnType Place = iota
	// OnPackage markers belong to a package clause, or anywhere into doc.go.
	OnPackage
)

// Value says what may follow a marker's name.
type Value int

const (
	// NoValue: the marker says all by being there.
	NoValue Value = iota
	// AnyValue: a value must follow after the equals sign; it may be empty.
	AnyValue
	// BoolValue: true, false, or nothing, which means true.
	BoolValue
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
)

// Definition describes one marker.
type Definition struct {
	Name       string
	Place      Place
	Value      Value
	Repeatable bool
}

// Known is the table of all markers that are read. Whatever is not in it belongs to somebody else and is passed over,
// save for names in the genclient namespace.
var Known = []Definition{
	{Name: GenClient, Place: OnType, Value: NoValue},
	{Name: NonNamespaced, Place: OnType, Value: NoValue},
	{Name: NoStatus, Place: OnType, Value: NoValue},
	{Name: NoVerbs, Place: OnType, Value: NoValue},
	{Name: ReadOnly, Place: OnType, Value: NoValue},
	{Name: OnlyVerbs, Place: OnType, Value: AnyValue},
	{Name: SkipVerbs, Place: OnType, Value: AnyValue},
	{Name: Method, Place: OnType, Value: AnyValue, Repeatable: true},
	{Name: ResourceName, Place: OnType, Value: AnyValue},
	{Name: GroupName, Place: OnPackage, Value: AnyValue},
	{Name: GroupGoName, Place: OnPackage, Value: AnyValue},
	{Name: ClientGen, Place: OnPackage, Value: BoolValue},
	{Name: ListerGen, Place: OnPackage, Value: BoolValue},
	{Name: InformerGen, Place: OnPackage, Value: BoolValue},
}

// Lookup finds the definition of a marker by its exact name.
func Lookup(name string) (Definition, bool) {
	i := slices.IndexFunc(Known, func(d Definition) bool { return d.Name == name })
	if i < 0 {
		return Definition{}, false
	}
	return Known[i], true
}

// owned tells whether the name lies in a namespace that is ours alone, so that an unknown name there is a mistake.
func owned(name string) bool {
	return strings.HasPrefix(name, GenClient)
}

// Nearest returns the candidate closest to name, or "" when none is close enough to have been meant.
func Nearest(name string, candidates []string) string {
	best, distance := "", 1+len(name)/3
	for _, candidate := range candidates {
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(candidate))
		if d < distance || (best == "" && d == distance) {
			best, distance = candidate, d
		}
	}
	return best
}

func names() []string {
	all := make([]string, len(Known))
	for i, d := range Known {
		all[i] = d.Name
	}
	return all
}
