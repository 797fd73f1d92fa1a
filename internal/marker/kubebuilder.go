package marker

import (
	"maps"
	"slices"
	"strings"
	"sync"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// kubebuilderPrefix is the prefix of the markers that controller-gen reads.
const kubebuilderPrefix = "kubebuilder:"

// controllerGen returns the markers on API types that controller-gen defines, using its own library
// (https://book.kubebuilder.io/reference/markers).
var controllerGen = sync.OnceValue(func() *markers.Registry {
	registry := &markers.Registry{}
	for _, register := range []func(*markers.Registry) error{crdmarkers.Register, deepcopy.Generator{}.RegisterMarkers} {
		_ = register(registry) // fails only for invalid definitions in the library
	}
	return registry
})

// otherKubebuilder are kubebuilder markers that do not belong to API types or that other programs read. Their arguments are not checked.
var otherKubebuilder = []string{
	"kubebuilder:ac:generate", "kubebuilder:ac:output:package", "kubebuilder:docs-gen:collapse", "kubebuilder:rbac", "kubebuilder:scaffold",
	"kubebuilder:webhook", "kubebuilder:webhookconfiguration",
}

// definitionOf returns controller-gen's definition of a marker with its arguments, without the plus sign, or nil if it has none.
func definitionOf(line string) *markers.Definition {
	for _, target := range []markers.TargetType{markers.DescribesType, markers.DescribesField, markers.DescribesPackage} {
		if definition := controllerGen().Lookup("+"+line, target); definition != nil {
			return definition
		}
	}
	return nil
}

// parseKubebuilder reads a marker line in controller-gen's grammar: name, name=value, name:=value or
// name:argument=value,…. Arguments become the value.
func parseKubebuilder(line string) Marker {
	name, value, assigned := strings.Cut(line, "=")
	m := Marker{Name: strings.TrimRight(name, ": \t"), Value: strings.TrimSpace(value), Assigned: assigned}
	m.shift = len(name) - len(m.Name)
	if definition := definitionOf(line); definition != nil && len(definition.Name) < len(m.Name) {
		m = Marker{Name: definition.Name, Value: line[len(definition.Name)+len(":"):], Assigned: true}
	}
	if _, ours := Lookup(m.Name); ours {
		value, _, _ := strings.Cut(m.Value, " #")
		m.Value = strings.TrimSpace(value)
	}
	return m
}

// ParseArguments parses the arguments of a controller-gen marker with controller-gen's library, so quotes, braces and spaces have
// the same meaning. The result is the library's type for the marker.
func ParseArguments(m Marker) (any, error) {
	return definitionOf(m.Name).Parse("+" + m.Name + ":" + m.Value)
}

// checkKubebuilder warns about markers and arguments that controller-gen does not define but that resemble existing ones.
// controller-gen itself ignores unknown markers silently.
func checkKubebuilder(m Marker, diags *diag.List) {
	definition := definitionOf(m.Name)
	if definition == nil {
		if suggestion := nearKubebuilder(m.Name); suggestion != "" {
			diags.Warn(m.Pos, "did you mean +"+suggestion+"?", "unknown marker +%s", m.Name)
		}
		return
	}
	if definition.AnonymousField() || definition.Empty() || m.Value == "" {
		return
	}
	known := slices.Sorted(maps.Keys(definition.Fields))
	for offset, argument := range Arguments(m.Value) {
		key, _, _ := strings.Cut(argument, "=")
		if key = strings.TrimSpace(key); slices.Contains(known, key) {
			continue
		}
		hint := DidYouMean(key, known, "use one of "+strings.Join(known, ", "))
		diags.Warn(m.ValuePos(offset), hint, "unknown argument %q of +%s", key, m.Name)
	}
}

// nearKubebuilder returns the marker that an unknown marker resembles. The last part of its name may be an argument.
func nearKubebuilder(name string) string {
	var candidates []string
	for _, definition := range controllerGen().AllDefinitions() {
		if strings.HasPrefix(definition.Name, kubebuilderPrefix) {
			candidates = append(candidates, definition.Name)
		}
	}
	if slices.ContainsFunc(otherKubebuilder, func(other string) bool { return strings.HasPrefix(name+":", other+":") }) {
		return ""
	}
	candidates = append(candidates, otherKubebuilder...)
	if suggestion := near(name, candidates); suggestion != "" {
		return suggestion
	}
	return near(name[:strings.LastIndex(name, ":")], candidates)
}
