package foreign

import (
	"cmp"
	"fmt"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/importing/structural"
)

// apiPackage is a package in the making: one version of a group.
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

// goName returns the Go name of the group in a directory: its first label or, if the directory has all of its name, that. A name that
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
