package marker

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobuffalo/flect"
	"golang.org/x/tools/go/packages"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
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

// Names are the names of a resource that a +kubebuilder:resource sets: the plural, and the scope. The others are zero.
type Names struct{ Path, Scope Written }

// The types of values of controller-gen's markers.
var (
	resource   = valueOf(optional, parseResource)
	selectable = valueOf(optional, parseSelectable)
)

// arguments parses arguments of a controller-gen marker to the library's type for it, so quotes, braces and spaces have the same meaning.
func arguments[T any](name, arguments string) (T, bool) {
	parsed, err := definitionOf(name).Parse("+" + name + ":" + arguments)
	value, ok := parsed.(T)
	return value, ok && err == nil
}

// parseResource reads path and scope. CheckSpelling reports arguments that do not exist.
func parseResource(m Marker, problems *diag.List) (names Names) {
	for offset, argument := range Arguments(m.Value) {
		key, _, _ := strings.Cut(argument, "=")
		if key = strings.TrimSpace(key); key != "path" && key != "scope" {
			continue
		}
		parsed, ok := arguments[crdmarkers.Resource](m.Name, argument)
		switch {
		case !ok:
			problems.AddHint(m.ValuePos(offset), "write "+key+"=value", "cannot parse argument %q of +%s", argument, m.Name)
		case key == "path":
			names.Path = Written{parsed.Path, m.ValuePos(offset)}
		default:
			names.Scope = Written{parsed.Scope, m.ValuePos(offset)}
		}
	}
	return names
}

// parseSelectable reads the path of a selectable field. Only the strict fake uses it, so an invalid marker is a warning.
func parseSelectable(m Marker, problems *diag.List) Written {
	parsed, ok := arguments[crdmarkers.SelectableField](m.Name, m.Value)
	path := Written{strings.TrimPrefix(parsed.JSONPath, "."), m.Pos}
	if !ok || path.Text == "" {
		problems.Warn(m.Pos, "write JSONPath=.spec.field", "+%s needs a field", m.Name)
		return Written{}
	}
	return path
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
		hint := spelling.DidYouMean(key, known, "use one of "+strings.Join(known, ", "))
		diags.Warn(m.ValuePos(offset), hint, "unknown argument %q of +%s", key, m.Name)
	}
}

// nearKubebuilder returns the marker that an unknown marker resembles. The last part of its name may be an argument.
func nearKubebuilder(name string) string {
	defined := lists.Map(controllerGen().AllDefinitions(), func(definition *markers.Definition) string { return definition.Name })
	candidates := lists.Filter(defined, func(name string) bool { return strings.HasPrefix(name, kubebuilderPrefix) })
	if slices.ContainsFunc(otherKubebuilder, func(other string) bool { return strings.HasPrefix(name+":", other+":") }) {
		return ""
	}
	candidates = append(candidates, otherKubebuilder...)
	if suggestion := near(name, candidates); suggestion != "" {
		return suggestion
	}
	return near(name[:strings.LastIndex(name, ":")], candidates)
}

// DefaultResource returns the plural that controller-gen gives a kind without a marker for it. Its rules differ from code-generator's.
func DefaultResource(kind string) string { return strings.ToLower(flect.Pluralize(kind)) }

// FirstError returns the first error of a list of controller-gen's library, from which the others follow, or an error that is not a list.
func FirstError(err error) error {
	if all, ok := errors.AsType[loader.ErrList](err); ok && len(all) > 0 {
		return all[0]
	}
	return err
}

// Unread warns about markers for packages that controller-gen ignores because of their place: in the comment of a declaration, or within a
// declaration. The library of controller-gen decides, with a numbered rule in place of each marker.
func Unread(files []*ast.File, fset *token.FileSet) (warnings diag.List) {
	const remedy = "separate it from the declaration by an empty line, or move it out"
	ofPackages := regexp.MustCompile(`^//\s*(\+(?:versionName|kubebuilder:(?:rbac|webhook|webhookconfiguration|skip)))(?:[:=]|\s*$)`)
	registry := &markers.Registry{}
	_ = registry.Register(rbac.RuleDefinition) // it has no other markers
	for _, file := range files {
		var all []*ast.Comment
		var texts []string
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.Contains(c.Text, "+") && ofPackages.MatchString(c.Text) {
					all, texts = append(all, c), append(texts, c.Text)
					c.Text = "// " + rulePrefix + "verbs=" + strconv.Itoa(len(texts)-1)
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		root := &loader.Package{Package: &packages.Package{Syntax: []*ast.File{file}}}
		nodes, _ := (&markers.Collector{Registry: registry}).MarkersInPackage(root) // these rules are valid
		for i, c := range all {
			c.Text = texts[i]
			isRead := func(rule any) bool { return rule.(rbac.Rule).Verbs[0] == strconv.Itoa(i) }
			if !slices.ContainsFunc(nodes[file][rbac.RuleDefinition.Name], isRead) {
				name := ofPackages.FindStringSubmatch(c.Text)[1]
				plus := c.Pos() + token.Pos(strings.Index(c.Text, name))
				warnings.Warn(fset.Position(plus), remedy, "marker %s has no effect here: it describes the package", name)
			}
		}
	}
	return warnings
}

// rulePrefix is the beginning of markers with a permission.
var rulePrefix = "+" + rbac.RuleDefinition.Name + ":"

// ParseRule reads the arguments of +kubebuilder:rbac as controller-gen does: a permission, and the role that gets it; "" for the default.
func ParseRule(arguments string) (permission model.Permission, role string, err error) {
	parsed, err := rbac.RuleDefinition.Parse(rulePrefix + arguments)
	rule, _ := parsed.(rbac.Rule)
	return model.Permission{
		Groups: rule.Groups, Resources: rule.Resources, Verbs: rule.Verbs, Names: rule.ResourceNames, URLs: rule.URLs,
		Namespaced: len(rule.URLs) == 0, Namespace: rule.Namespace,
	}, rule.RoleName, FirstError(err)
}

// ParsePermission reads the permission of a controller in the syntax of +kubebuilder:rbac.
func ParsePermission(value string) (model.Permission, error) {
	p, role, err := ParseRule(value)
	switch {
	case err != nil:
		return p, err
	case len(p.Resources) == 0 && len(p.URLs) == 0:
		return p, errors.New("neither resources nor urls")
	case len(p.Resources) > 0 && len(p.Groups) == 0:
		return p, errors.New(`no groups: write groups=core for Kubernetes' core group`)
	case role != "":
		return p, fmt.Errorf("roleName=%s: the role belongs to the controller", role)
	case slices.Contains(p.Verbs, ""):
		return p, errors.New("an empty verb")
	}
	return p, nil
}
