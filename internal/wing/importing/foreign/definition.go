package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// Limits of the input, far above public definitions: the largest have 3 MB and 30 levels.
const (
	maxSize  = 64 << 20
	maxDepth = 100
)

// Source is a file with manifests.
type Source struct {
	Name string
	Text []byte
}

// Definitions are the CustomResourceDefinitions in some files.
type Definitions struct{ all []manifest.Definition }

// action begins what templates replace.
var action = []byte("{{")

const renderFirst = "render it first, for example with helm template"

// Groups selects definitions by their group.
type Groups struct {
	// Names are the groups to read; none for all.
	Names []string
	// Single is true if definitions of several groups are an error, unless Names says which ones to read.
	Single bool
	// Omit are the names of definitions to leave out.
	Omit []string
}

// Read reads the definitions of some groups in files. The error is a diag.List with everything that prevents an import.
func Read(sources []Source, groups Groups) (*Definitions, error) {
	d := &Definitions{}
	var diags, old diag.List
	var others []string
	var all []manifest.Definition
	for _, source := range sources {
		if len(source.Text) > maxSize {
			diags.Add(token.Position{Filename: source.Name}, "the file has more than %d MB", maxSize>>20)
			continue
		}
		stream, err := manifest.Parse(source.Name, source.Text)
		if isTemplate := bytes.Contains(source.Text, action); err != nil && !isTemplate {
			problems, _ := errors.AsType[diag.List](err)
			diags = append(diags, slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return errors.Is(d.Cause, manifest.ErrEmpty) })...)
			continue
		} else if isTemplate && (err != nil || !stream.HasDefinitions()) {
			diags.AddHint(token.Position{Filename: source.Name}, renderFirst, "the file is a template")
			continue
		}
		found, rest, problems := stream.Definitions()
		for i, line := range bytes.Split(source.Text, []byte("\n")) {
			isHere := func(d diag.Diagnostic) bool { return d.Pos.Line == i+1 }
			if bytes.Contains(line, action) && slices.ContainsFunc(problems, isHere) { // it is a map in YAML
				problems = slices.DeleteFunc(problems, isHere)
				diags.AddHint(token.Position{Filename: source.Name, Line: i + 1}, renderFirst, "the file is a template")
			}
		}
		others = append(others, rest...)
		old = append(old, problems...)
		all = append(all, found...)
	}
	for _, name := range groups.Omit {
		if !slices.ContainsFunc(all, func(d manifest.Definition) bool { return d.Name == name }) {
			diags.Add(token.Position{Filename: sources[0].Name}, "omit: no definition is called %s", name)
		}
	}
	all = slices.DeleteFunc(all, func(d manifest.Definition) bool { return slices.Contains(groups.Omit, d.Name) })
	if wrong := groups.check(all); wrong != nil {
		return nil, wrong
	}
	for _, definition := range all {
		if groups.Names == nil || slices.Contains(groups.Names, definition.Spec.Group) {
			d.add(definition, &diags)
		}
	}
	diags = append(diags, old...)
	if len(diags) == 0 && len(d.all) == 0 && len(sources) > 0 {
		message := "no CustomResourceDefinition"
		if kinds := slices.DeleteFunc(unique(others), func(kind string) bool { return kind == "" }); len(kinds) > 0 {
			message += ", only " + strings.Join(kinds, ", ")
		} else if len(others) > 0 {
			message += ", only objects without a kind"
		}
		diags.Add(token.Position{Filename: sources[0].Name}, "%s", message)
	}
	return d, diags.Err()
}

// check reports groups that no definition has, and several groups if one is wanted.
func (g Groups) check(all []manifest.Definition) error {
	var diags diag.List
	exist := groupsOf(all)
	if g.Names == nil && g.Single && len(exist) > 1 {
		diags.AddHint(token.Position{Filename: all[0].At().Filename}, "select some with --group GROUP, or take all with --all",
			"definitions of %d groups: %s", len(exist), strings.Join(exist, ", "))
	}
	for _, name := range g.Names {
		if len(all) > 0 && !slices.Contains(exist, name) {
			diags.AddHint(token.Position{Filename: all[0].At().Filename}, "it has definitions of "+strings.Join(exist, ", "),
				"no definition of group %s", name)
		}
	}
	return diags.Err()
}

// groupsOf returns the groups of definitions, sorted.
func groupsOf(all []manifest.Definition) []string {
	return unique(lists.Map(all, func(definition manifest.Definition) string { return definition.Spec.Group }))
}

// unique returns the strings without repetitions, sorted.
func unique(all []string) []string { return slices.Compact(slices.Sorted(slices.Values(all))) }

// add adds a definition, unless the same is there.
func (d *Definitions) add(definition manifest.Definition, diags *diag.List) {
	for _, other := range d.all {
		if other.Spec.Group == definition.Spec.Group && other.Name != definition.Name && goType(other) == goType(definition) {
			diags.AddHint(definition.At("spec", "names", "kind"), "leave one of them out with --omit",
				"the type of kind %s at %s has the name %s, too", other.Spec.Names.Kind, diag.Line(other.At("spec", "names", "kind")), goType(other))
		}
		if other.Name != definition.Name {
			continue
		}
		if !equality.Semantic.DeepEqual(other.Spec, definition.Spec) {
			diags.Add(definition.At("metadata", "name"), "another %s is at %s", definition.Name, diag.Line(other.At("metadata", "name")))
		}
		return
	}
	d.all = append(d.all, definition)
	before := len(*diags)
	checkDefinition(definition, diags)
	found := (*diags)[before:]
	if i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Hint == "" }); i >= 0 { // it is for the whole definition
		found[i].Hint = "to leave it out, use import --omit " + definition.Name + " (omit: [" + definition.Name + "] in its entry of imports)"
	}
}

// checkDefinition reports parts of a definition for which there are no Go types.
func checkDefinition(d manifest.Definition, diags *diag.List) {
	if len(d.Spec.Versions) == 0 {
		diags.Add(d.At("spec"), "no versions")
	}
	checkNames(d, diags)
	for i, v := range d.Spec.Versions {
		if !goname.IsVersion(v.Name) && !token.IsIdentifier(v.Name) {
			diags.Add(d.At("spec", "versions", i, "name"), "version %q cannot be the name of a Go package", v.Name)
		}
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			diags.Add(d.At("spec", "versions", i), "version %s has no schema", v.Name)
			continue
		}
		root := []any{"spec", "versions", i, "schema", "openAPIV3Schema"}
		before := len(*diags)
		checkSchema(d, root, v.Schema.OpenAPIV3Schema, 0, diags)
		if len(*diags) == before {
			checkStructural(d, root, v.Schema.OpenAPIV3Schema, diags)
		}
	}
}

// checkNames reports names that servers refuse. They become paths of packages and markers, so nothing else may be in them.
func checkNames(d manifest.Definition, diags *diag.List) {
	names := d.Spec.Names
	if want := names.Plural + "." + d.Spec.Group; d.Name != want {
		diags.AddHint(d.At("metadata", "name"), "write "+strconv.Quote(want), "the name %q does not consist of the plural and the group", d.Name)
	}
	for _, problem := range validation.IsDNS1123Subdomain(d.Spec.Group) {
		diags.Add(d.At("spec", "group"), "group %q: %s", d.Spec.Group, problem)
	}
	labels := map[string][]string{"plural": {names.Plural}, "shortNames": names.ShortNames, "categories": names.Categories}
	labels["kind"] = []string{strings.ToLower(names.Kind)}
	if names.Singular != "" {
		labels["singular"] = []string{names.Singular}
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		for _, label := range labels[key] {
			for _, problem := range validation.IsDNS1035Label(label) {
				diags.Add(d.At("spec", "names", key), "%s %q: %s", key, label, problem)
			}
		}
	}
	if scope := d.Spec.Scope; scope != apiextensionsv1.ClusterScoped && scope != apiextensionsv1.NamespaceScoped {
		diags.AddHint(d.At("spec", "scope"), "write Cluster or Namespaced", "unknown scope %q", string(scope))
	}
}

// checkSchema reports references, unknown types and schemas that are too deep, among others that are structural.
func checkSchema(d manifest.Definition, path []any, s *apiextensionsv1.JSONSchemaProps, depth int, diags *diag.List) {
	switch {
	case s.Ref != nil:
		diags.AddHint(d.At(append(path, "$ref")...), "write the schema out: servers refuse references, and schemas cannot be recursive",
			"the schema refers to %s", *s.Ref)
		return
	case depth > maxDepth:
		diags.Add(d.At(path...), "the schema has more than %d levels", maxDepth)
		return
	}
	if _, ok := formsByType[s.Type]; !ok {
		diags.Add(d.At(append(path, "type")...), "unknown type %q", s.Type)
	}
	for keyword, c := range map[string]struct {
		value *string
		known []string
	}{
		"x-kubernetes-list-type": {s.XListType, []string{"atomic", "map", "set"}},
		"x-kubernetes-map-type":  {s.XMapType, []string{"atomic", "granular"}},
	} {
		if c.value != nil && !slices.Contains(c.known, *c.value) {
			diags.AddHint(d.At(append(path, keyword)...), "write "+strings.Join(c.known, " or "), "unknown %s %q", keyword, *c.value)
		}
	}
	if others := s.AdditionalProperties; others != nil && len(s.Properties) > 0 && (others.Schema != nil || !others.Allows) {
		diags.AddHint(d.At(append(path, "additionalProperties")...), "remove one of them",
			"the schema is not structural: properties and additionalProperties exclude each other")
	}
	for _, key := range s.XListMapKeys {
		if !isTag(key) {
			diags.Add(d.At(append(path, "x-kubernetes-list-map-keys")...), "key %q cannot be the name of a field in JSON", key)
		}
	}
	for child, steps := range structural.Children(s) {
		if name, _ := steps[len(steps)-1].(string); steps[0] == "properties" && !isTag(name) {
			diags.Add(d.At(slices.Concat(path, steps)...), "property %q cannot be the name of a field in JSON: Go has no tag for it", name)
		}
		checkSchema(d, slices.Concat(path, steps), child, depth+1, diags)
	}
}

// isTag reports whether a json tag can give a field a name.
func isTag(name string) bool { return name != "" && name != "-" && gotype.IsJSONName(name) }

// checkStructural reports parts of a schema that are not structural, as servers do.
func checkStructural(d manifest.Definition, root []any, s *apiextensionsv1.JSONSchemaProps, diags *diag.List) {
	for _, problem := range structural.Check(s) {
		at := slices.Concat(root, problem.Path)
		if problem.Key != "" {
			at = append(at, problem.Key)
		}
		text := problem.Text
		if len(problem.Path) > 0 {
			text = pathText(problem.Path) + ": " + text
		}
		diags.AddHint(d.At(at...), problem.Hint, "the schema is not structural: %s", text)
	}
}

// pathText writes a path as properties[spec].oneOf[0].
func pathText(path []any) string {
	var b strings.Builder
	isName := false
	for i, step := range path {
		key, isKey := step.(string)
		switch {
		case isName && !isTag(key):
			fmt.Fprintf(&b, "[%q]", key)
		case isName || !isKey:
			fmt.Fprintf(&b, "[%v]", step)
		case i > 0:
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
		isName = !isName && key == "properties"
	}
	return b.String()
}
