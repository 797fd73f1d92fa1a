package resolve

import (
	"cmp"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/smd"
)

const (
	metav1Path  = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath = "k8s.io/apimachinery/pkg/runtime"
	// clientGoApply is where client-go has the apply configurations of the types of k8s.io/api and metav1.
	clientGoApply = "k8s.io/client-go/applyconfigurations"
)

// builtinExternals are the types of metav1 that a CRD's types have a use for, which client-go has apply configurations
// of. They are those that code-generator refers to when it is not told otherwise.
var builtinExternals = []string{
	"Condition", "DeleteOptions", "LabelSelector", "LabelSelectorRequirement", "ManagedFieldsEntry", "ObjectMeta",
	"OwnerReference", "TypeMeta",
}

// applyResolver finds out which apply configurations there are to be, and what is in them.
type applyResolver struct {
	*resolver
	// external maps types to the packages that have their apply configurations.
	external map[model.Type]string
	// generated has the apply configurations to be generated, by the declaration of their type.
	generated map[*gotype.Decl]*model.ApplyPackage
	// seen are the types that can be reached from a kind, inputs those of apply methods beside these.
	seen, inputs map[types.Type]bool
	// kinds are those with apply verbs, by their declaration.
	kinds map[*gotype.Decl]*model.Kind
	// reported are the types that could not be made out.
	reported map[*gotype.Missing]bool
}

// applyConfigurations adds to the model what it says about apply configurations.
func (r *resolver) applyConfigurations(api *model.API, opts Options) {
	a := &applyResolver{
		resolver: r, external: map[model.Type]string{}, generated: map[*gotype.Decl]*model.ApplyPackage{},
		seen: map[types.Type]bool{}, inputs: map[types.Type]bool{}, kinds: map[*gotype.Decl]*model.Kind{},
		reported: map[*gotype.Missing]bool{},
	}
	for _, name := range builtinExternals {
		a.external[model.Type{Package: metav1Path, Name: name}] = clientGoApply + "/meta/v1"
	}
	for t, pkg := range opts.ExternalApplyConfigurations {
		a.external[t] = pkg
	}
	roots := a.reachFromKinds(api)
	if len(roots) == 0 {
		return
	}
	api.Apply = &model.ApplyConfigurations{Packages: a.packages(api)}
	for _, kind := range api.Kinds() {
		if kind.Version.Generate.Apply {
			a.placeInputs(kind)
		}
	}
	for _, pkg := range api.Apply.Packages {
		a.fill(pkg)
	}
	api.Apply.Schema = a.schema(roots, opts)
}

// schema returns the schema of the kinds: from their types, or from the document that the user has given.
func (a *applyResolver) schema(roots []*gotype.Decl, opts Options) string {
	if document := opts.OpenAPI; document.Name != "" {
		schema, err := smd.FromOpenAPI(document.Content, roots)
		if err != nil {
			a.diags.AddHint(token.Position{Filename: document.Name}, "leave --openapi-schema out: the schema can be made from the types", "%v", err)
		}
		return schema
	}
	schema, missing := smd.Schema(a.universe, roots)
	for _, m := range missing {
		a.report(m)
	}
	return schema
}

// report reports a type that cannot be made out, once.
func (a *applyResolver) report(m *gotype.Missing) {
	if !a.reported[m] {
		a.reported[m] = true
		a.diags.AddHint(a.universe.Fset.Position(m.Pos), "apply configurations can be left out with --skip applyconfiguration", "%s", m.Reason)
	}
}

// reachFromKinds visits all types that are part of a kind with apply verbs, or are the input of an apply method. It
// returns the declarations of the kinds, in the order of the model.
func (a *applyResolver) reachFromKinds(api *model.API) []*gotype.Decl {
	var roots []*gotype.Decl
	for _, kind := range api.Kinds() {
		if !kind.Version.Generate.Apply {
			continue
		}
		pkg := a.universe.Package(kind.Version.Source.Path)
		if kind.Verbs.Has(model.Apply) || kind.Verbs.Has(model.ApplyStatus) {
			decl := pkg.Types[kind.Name]
			a.kinds[decl] = kind
			roots = append(roots, decl)
			a.reach(a.universe.Type(decl))
		}
		for _, method := range kind.Methods {
			if method.Verb == model.Apply {
				a.reachInput(method.Input, pkg)
			}
		}
	}
	return roots
}

// reachInput visits the input of an apply method. Of an input of the kind's own package code-generator does not look at
// what it is made of; the fields of its apply configuration have a type that others may use by now, so neither do we.
func (a *applyResolver) reachInput(input model.Type, pkg *gotype.Package) {
	declaring := a.universe.Package(input.Package)
	if declaring == nil || declaring.Types[input.Name] == nil {
		return
	}
	if t := a.universe.Type(declaring.Types[input.Name]); declaring == pkg {
		a.inputs[t] = true
	} else {
		a.reach(t)
	}
}

// reach visits a type and those that it is made of, as far as they are serialized.
func (a *applyResolver) reach(t types.Type) {
	t = types.Unalias(t)
	if a.seen[t] {
		return
	}
	a.seen[t] = true
	switch u := a.universe.Underlying(t).(type) {
	case *types.Pointer:
		a.reach(u.Elem())
	case *types.Slice:
		a.reach(u.Elem())
	case *types.Array:
		a.reach(u.Elem())
	case *types.Map:
		a.reach(u.Key())
		a.reach(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if _, _, tagged := gotype.JSONTag(u.Tag(i)); tagged {
				a.reach(u.Field(i).Type())
			}
		}
	}
}

// placeInputs says of the inputs of a kind's apply methods where their apply configurations are.
func (a *applyResolver) placeInputs(kind *model.Kind) {
	tags := ReadClientTags(a.declOf(kind).tags, &diag.List{}) // whose problems were reported before
	for i := range kind.Methods {
		method := &kind.Methods[i]
		input := &method.Input
		if method.Verb != model.Apply {
			continue
		}
		var generated *model.ApplyPackage
		if pkg := a.universe.Package(input.Package); pkg != nil {
			generated = a.generated[pkg.Types[input.Name]]
		}
		below, builtin := strings.CutPrefix(input.Package, "k8s.io/api/")
		switch external := a.external[*input]; {
		case generated != nil:
			input.ApplyFolder = generated.Folder
		case external != "":
			input.ApplyPackage = external
		case builtin:
			input.ApplyPackage = clientGoApply + "/" + below
		default:
			a.diags.AddHint(tags.Methods[i].InputPos, "name its package among those that are read, or say with --external-applyconfigurations who has it",
				"method %s applies a %s, which has no apply configuration", method.Name, input.Name)
		}
	}
}

// declOf returns the declaration of a kind with its markers.
func (a *applyResolver) declOf(kind *model.Kind) *typeDecl {
	return a.resolver.sources[kind.Version].types[kind.Name]
}

// packages returns the packages of apply configurations, with the types that each is to have one of.
func (a *applyResolver) packages(api *model.API) []*model.ApplyPackage {
	versions := map[string]*model.Version{}
	for _, version := range api.Versions() {
		versions[version.Source.Path] = version
	}
	var packages []*model.ApplyPackage
	folders := map[string]*source{}
	for _, s := range a.all {
		version := versions[s.Path]
		if !s.activated(marker.ApplyConfigurationGen) {
			continue
		}
		pkg := a.packageOf(s, version)
		for _, name := range slices.Sorted(slices.Values(s.TypeNames)) {
			if decl := s.Types[name]; a.wantsApply(s, decl) {
				a.generated[decl] = pkg
				pkg.Types = append(pkg.Types, &model.ApplyType{Name: name})
			}
		}
		if len(pkg.Types) == 0 {
			continue
		}
		if other := folders[pkg.Folder]; other != nil {
			a.diags.AddHint(s.start(), "leave the types of one as they are with // +k8s:applyconfiguration-gen=false",
				"the apply configurations of packages %s and %s would both go to the folder %s", other.Path, s.Path, pkg.Folder)
		}
		folders[pkg.Folder] = s
		packages = append(packages, pkg)
	}
	slices.SortFunc(packages, func(p, q *model.ApplyPackage) int { return cmp.Compare(p.Folder, q.Folder) })
	return packages
}

// packageOf returns the still empty package for the types of a source package. The version is nil if that declares no
// kinds; it may still be one of an API, whose kinds others refer to.
func (a *applyResolver) packageOf(s *source, version *model.Version) *model.ApplyPackage {
	pkg := &model.ApplyPackage{Source: s.Path}
	if version != nil {
		pkg.Folder, pkg.Package = version.ApplyFolder(), version.Package
		pkg.Group, pkg.Version = version.Group.Name, version.Name
		pkg.SourceAlias, pkg.GroupVersion = version.Alias(), version.GroupVersionExpr()
		return pkg
	}
	pkg.Folder = strings.ToLower(model.Type{Package: s.Path}.FoldedGroupVersion())
	pkg.Package = model.PackageName(path.Base(pkg.Folder))
	variable, declared := s.groupVersionVar()
	pkg.Group, pkg.Version = cmp.Or(declared.Group, path.Base(path.Dir(s.Path))), cmp.Or(declared.Version, path.Base(s.Path))
	if tag, ok := s.tags.Get(marker.GroupName); ok {
		pkg.Group = tag.Value
	}
	if variable != "" {
		pkg.SourceAlias = a.sourceAlias(s)
		pkg.GroupVersion = pkg.SourceAlias + "." + variable
	}
	return pkg
}

// sourceAlias returns a name for a package that is no version of a group, and that no version of a group has.
func (a *applyResolver) sourceAlias(s *source) string {
	alias := model.Type{Package: s.Path}.Alias()
	for version := range a.sources {
		if version.Alias() == alias {
			return alias + "types"
		}
	}
	return alias
}

// wantsApply tells whether a type is to have an apply configuration: whether it can be reached from a kind, and is a
// struct with fields that are serialized. Two types of the runtime package stand for any object.
func (a *applyResolver) wantsApply(s *source, decl *gotype.Decl) bool {
	t := a.universe.Type(decl)
	if decl.Spec.Assign.IsValid() || decl.Spec.TypeParams != nil || !a.seen[t] && !a.inputs[t] {
		return false
	}
	if s.Path == runtimePath && (decl.Name() == "RawExtension" || decl.Name() == "Unknown") {
		return false
	}
	return a.serialized(t)
}

// serialized tells whether a type is a struct of which at least one field has a json tag.
func (a *applyResolver) serialized(t types.Type) bool {
	structType, ok := a.universe.Underlying(t).(*types.Struct)
	if !ok {
		return false
	}
	for i := range structType.NumFields() {
		if _, _, ok := serializedAs(structType.Tag(i)); ok {
			return true
		}
	}
	return false
}

// applied returns where the apply configuration of a named type is; ok is false if there is none. Pointers are
// followed.
func (a *applyResolver) applied(t types.Type) (name string, where model.Import, ok bool) {
	named, isNamed := gotype.Pointee(t).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil {
		return "", model.Import{}, false
	}
	ref := model.Type{Package: named.Obj().Pkg().Path(), Name: named.Obj().Name()}
	if pkg := a.generated[a.universe.Decl(named)]; pkg != nil {
		return ref.Name + "ApplyConfiguration", model.Import{Path: pkg.Folder, Apply: true}, true
	}
	if external, known := a.external[ref]; known {
		return ref.Name + "ApplyConfiguration", model.Import{Path: external}, true
	}
	return "", model.Import{}, false
}
