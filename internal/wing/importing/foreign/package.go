package foreign

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// apiPackage is a package being built: one version of a group.
type apiPackage struct {
	groupVersion
	kinds  []served
	roots  []*node
	shapes []*shape
	// declared are the names of the types as derived, before they are overridden.
	declared []string
	warnings warnings
}

// newPackage resolves the types of one version.
func newPackage(gv groupVersion, kinds []served, opts Options) *apiPackage {
	p := &apiPackage{groupVersion: gv, kinds: kinds}
	t := &tree{recognize: opts.Recognize, shapes: map[sum]*shape{}}
	var names []string
	for _, k := range kinds {
		at := []any{"spec", "versions", k.index, "schema", "openAPIV3Schema"}
		root := &node{
			schema: k.version().Schema.OpenAPIV3Schema, form: object, names: []string{goType(k.Definition)}, definition: k.Definition, path: at,
		}
		t.addFields(root)
		t.warnings.check(root, nil)
		t.warnings.checkKind(k, root)
		p.roots = append(p.roots, root)
		names = append(names, goType(k.Definition))
	}
	p.shapes, p.declared = t.nameShapes(names, opts.Names)
	p.warnings = t.warnings
	return p
}

// files renders the files of the package.
func (p *apiPackage) files(renderer *render.Renderer, opts Options, dir string) ([]render.File, error) {
	scope := goname.NewScope(goname.Predeclared)
	w := writer{imports: goname.NewImports(scope), names: goname.NewScope()}
	w.view = view{Source: opts.Source, Name: p.version, Group: p.group, Version: p.version}
	if name := p.goName(path.Base(path.Join(opts.Dir, dir))); name != p.goName("") || !token.IsExported(goname.Camel(p.group)) {
		w.view.GoName = cmp.Or(opts.GroupGoNames[p.group], name)
	}
	w.imports.Alias(metav1, "metav1")
	for _, s := range p.shapes {
		w.names.Take(s.name)
	}
	for i, k := range p.kinds {
		w.names.Take(goType(k.Definition))
		w.kind(k, p.roots[i])
	}
	for _, s := range p.shapes {
		w.shape(s)
	}
	w.imports.Each(func(importPath, alias string) {
		w.view.Imports = append(w.view.Imports, importView{alias, importPath})
	})
	return renderer.RenderAll([]render.Job{
		{Path: "doc.go", Template: "doc.go.tmpl", View: w.view, HandedOver: true},
		{Path: "types.go", Template: "types.go.tmpl", View: w.view, HandedOver: true},
	})
}

// goName returns the Go name of the group in a directory: its first label, or the full name if the directory has it. A name that
// would begin with a digit begins with X.
func (p *apiPackage) goName(dir string) string {
	name := goname.Camel(label(p.group))
	if dir == p.group {
		name = goname.Camel(dir)
	}
	if token.IsExported(name) {
		return name
	}
	return "X" + name
}

// markers returns the markers of a kind.
func (k served) markers(root *node) []string {
	spec, v, names := k.Spec, k.version(), k.Spec.Names
	all := []string{"genclient"}
	status := v.Subresources != nil && v.Subresources.Status != nil
	if spec.Scope == "Cluster" {
		all = append(all, "genclient:nonNamespaced")
	}
	if slices.ContainsFunc(root.fields, func(f *field) bool { return f.name == "Status" }) && !status {
		all = append(all, "genclient:noStatus")
	}
	scale := v.Subresources != nil && v.Subresources.Scale != nil
	if scale {
		const scaleType = "k8s.io/api/autoscaling/v1.Scale"
		all = append(all, "genclient:method=GetScale,verb=get,subresource=scale,result="+scaleType,
			"genclient:method=UpdateScale,verb=update,subresource=scale,input="+scaleType+",result="+scaleType)
	}
	if names.Kind != goType(k.Definition) {
		all = append(all, marker.Kind+"="+names.Kind)
	}
	all = append(all, "resourceName="+names.Plural)
	resource := []string{"path=" + names.Plural, "scope=" + string(spec.Scope)}
	for _, list := range []struct {
		name   string
		values []string
	}{{"shortName", names.ShortNames}, {"categories", names.Categories}} {
		if len(list.values) > 0 {
			resource = append(resource, list.name+"={"+strings.Join(list.values, ",")+"}")
		}
	}
	if names.Singular != "" && names.Singular != strings.ToLower(names.Kind) {
		resource = append(resource, "singular="+names.Singular)
	}
	all = append(all, "kubebuilder:resource:"+strings.Join(resource, ","))
	if v.Storage {
		all = append(all, "kubebuilder:storageversion")
	}
	if !v.Served {
		all = append(all, "kubebuilder:unservedversion")
	}
	if v.Deprecated {
		text := "kubebuilder:deprecatedversion"
		if v.DeprecationWarning != nil {
			text += ":warning=" + strconv.Quote(*v.DeprecationWarning)
		}
		all = append(all, text)
	}
	if status {
		all = append(all, "kubebuilder:subresource:status")
	}
	if scale {
		paths := v.Subresources.Scale
		all = append(all, "kubebuilder:subresource:scale:"+arguments("specpath", paths.SpecReplicasPath, "statuspath", paths.StatusReplicasPath,
			"selectorpath", value(paths.LabelSelectorPath)))
	}
	return append(all, k.columns()...)
}

// columns returns the markers for printer columns and selectable fields.
func (k served) columns() (all []string) {
	for _, c := range k.version().AdditionalPrinterColumns {
		text := "kubebuilder:printcolumn:" + arguments("name", c.Name, "type", c.Type, "JSONPath", c.JSONPath, "description", c.Description,
			"format", c.Format)
		if c.Priority != 0 {
			text += fmt.Sprintf(",priority=%d", c.Priority)
		}
		all = append(all, text)
	}
	for _, s := range k.version().SelectableFields {
		all = append(all, "kubebuilder:selectablefield:"+arguments("JSONPath", s.JSONPath))
	}
	return all
}

// checkKind warns about properties of a kind that its types do not have.
func (w *warnings) checkKind(k served, root *node) {
	names := k.Spec.Names
	if list := names.ListKind; list != "" && list != names.Kind+"List" {
		w.add(root, "", "lists have the kind %s, which clients do not decode: they expect %sList", list, names.Kind)
	}
	if meta, ok := root.schema.Properties["metadata"]; ok && len(meta.Properties) > 0 {
		w.add(root, "", "the schema restricts metadata, which the types do not say")
	}
	if structural.Preserves(root.schema) {
		w.add(root, "", "the kind keeps unknown fields, which the types do not have: an update drops them")
	}
}

// declared are the names that registration and deep copies declare in API packages.
var declared = []string{
	"AddToScheme", "GroupName", "GroupVersion", "Install", "Kind", "Resource", "SchemeBuilder", "SchemeGroupVersion",
}

// goType returns the name of the Go type of a kind, which may begin with a small letter and have hyphens.
func goType(d manifest.Definition) string { return goname.Camel(d.Spec.Names.Kind) }

// initialisms are words that Go writes in upper case.
var initialisms = map[string]string{
	"Api": "API", "Cpu": "CPU", "Dns": "DNS", "Http": "HTTP", "Https": "HTTPS", "Id": "ID", "Ip": "IP", "Json": "JSON", "Sql": "SQL",
	"Ssh": "SSH", "Tcp": "TCP", "Tls": "TLS", "Ttl": "TTL", "Udp": "UDP", "Uid": "UID", "Uri": "URI", "Url": "URL", "Uuid": "UUID",
}

// exported returns the Go name of a property.
func exported(property string) string {
	var b strings.Builder
	for _, word := range words(goname.Camel(property)) {
		b.WriteString(cmp.Or(initialisms[word], word))
	}
	name := b.String()
	if !token.IsExported(name) {
		return "X" + name
	}
	return name
}

// words splits a name before upper-case letters that follow lower-case ones.
func words(name string) (all []string) {
	begin := 0
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) && !isUpper(name[i-1]) {
			all = append(all, name[begin:i])
			begin = i
		}
	}
	return append(all, name[begin:])
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// nameShapes names the declared types and returns them in the order of their names, with the names that they have unless given another.
// Names depend on the names of kinds and properties alone, not on their order: a type is named after its kind and the properties that
// lead to it, without spec; if there are several such paths, after the shortest one.
func (t *tree) nameShapes(kinds []string, given map[string]string) (all []*shape, derived []string) {
	all = slices.Collect(maps.Values(t.shapes))
	for _, s := range all {
		slices.SortFunc(s.nodes, byNames)
	}
	slices.SortFunc(all, func(a, b *shape) int { return byNames(a.nodes[0], b.nodes[0]) })
	taken := map[string]bool{} // in lower case: files of apply configurations are named after types
	scope := goname.NewScope(func(name string) bool { return taken[strings.ToLower(name)] })
	for _, name := range slices.Concat(declared, kinds) {
		taken[strings.ToLower(name)], taken[strings.ToLower(name+"List")] = true, true
	}
	for _, s := range all {
		name := scope.Free(s.candidates()...)
		taken[strings.ToLower(name)] = true
		derived = append(derived, name)
		s.name = cmp.Or(given[name], name)
	}
	slices.SortFunc(all, func(a, b *shape) int { return cmp.Compare(a.name, b.name) })
	return all, derived
}

// byNames orders nodes: first those with the fewest and shortest names.
func byNames(a, b *node) int {
	return cmp.Or(cmp.Compare(len(a.names), len(b.names)), cmp.Compare(len(strings.Join(a.names, "")), len(strings.Join(b.names, ""))),
		slices.Compare(a.names, b.names), cmp.Compare(len(a.path), len(b.path)))
}

// candidates returns names for a type, the best one first. They come from its first node, so that later nodes do not change them.
func (s *shape) candidates() []string {
	first := s.nodes[0]
	names := first.names[1:]
	if len(names) > 1 && names[0] == "spec" {
		names = names[1:]
	}
	return []string{typeName(first, names), typeName(first, first.names[1:])}
}

// typeName returns the name of the type of a node: its kind, and names of properties. Elements have the singular.
func typeName(n *node, names []string) string {
	var name strings.Builder
	name.WriteString(n.names[0])
	for i, property := range names {
		if i == len(names)-1 && n.path[len(n.path)-1] != any(property) {
			property = flect.Singularize(property)
		}
		name.WriteString(exported(property))
	}
	return name.String()
}

// checkGiven reports given names that another type of the package or the registration has.
func (p *apiPackage) checkGiven(opts Options, diags *diag.List) {
	taken := map[string]string{}
	for _, name := range declared {
		taken[strings.ToLower(name)] = "the registration"
	}
	for _, k := range p.kinds {
		kind := goType(k.Definition)
		taken[strings.ToLower(kind)], taken[strings.ToLower(kind+"List")] = "kind "+kind, "kind "+kind
	}
	for _, name := range p.declared {
		if opts.Names[name] == "" {
			taken[strings.ToLower(name)] = "type " + name
		}
	}
	for _, name := range p.declared {
		given := opts.Names[name]
		if by, ok := taken[strings.ToLower(given)]; ok {
			diags.Add(opts.NamesPos, "names: %s cannot be called %s: %s has this name", name, given, by)
		} else if given != "" {
			taken[strings.ToLower(given)] = "the type for " + name
		}
	}
}
