// Package applyconfiguration plans the builders for server-side apply: the types that have one, its fields and methods, and the
// schema that defines how the fields merge.
package applyconfiguration

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/smd"
)

const (
	runtimePath = "k8s.io/apimachinery/pkg/runtime"
	// clientGo is the parent of client-go's packages with the apply configurations of k8s.io/api and metav1.
	clientGo = "k8s.io/client-go/applyconfigurations"
)

// builtinExternals are the types of metav1 that CRDs use and that have apply configurations in client-go. code-generator refers
// to the same types by default.
var builtinExternals = []string{
	"Condition", "DeleteOptions", "LabelSelector", "LabelSelectorRequirement", "ManagedFieldsEntry", "ObjectMeta",
	"OwnerReference", "TypeMeta",
}

// Options are the user's settings for apply configurations.
type Options struct {
	// Target is the client-go release that they are generated for.
	Target model.Target
	// External are the packages with the apply configurations of types that are not generated.
	External map[model.Type]string
	// NoSchema leaves the schema out.
	NoSchema bool
}

// Resolve plans the apply configurations for the kinds of the API, and sets the locations of those for the inputs of their apply
// methods. The result is nil if no kind has an apply verb. inputPos returns the position of the input of a kind's custom method.
func Resolve(universe *gotype.Universe, sources []*source.Package, api *model.API, opts Options,
	inputPos func(kind *model.Kind, method string) token.Position, diags *diag.List,
) *model.ApplyConfigurations {
	p := &planner{
		index:    newIndex(universe, opts.Target, opts.External),
		sources:  sources,
		inputPos: inputPos,
		versions: map[string]*model.Version{},
		reporter: reporter{universe.Fset, diags, map[*gotype.Missing]bool{}},
		kinds:    map[*gotype.Decl]*model.Kind{},
		seen:     map[types.Type]bool{},
		inputs:   map[types.Type]bool{},
		aliases:  goname.NewScope(goname.Templates("applyconfiguration/utils.*")),
	}
	for _, version := range api.Versions() {
		p.versions[version.Source.Path] = version
		p.aliases.Take(version.Alias())
	}
	roots := p.reachFromKinds(api)
	if len(roots) == 0 {
		return nil
	}
	apply := &model.ApplyConfigurations{Packages: p.packages()}
	for _, kind := range api.Kinds() {
		if kind.Version.Generate.Apply {
			p.placeInputs(kind)
		}
	}
	for _, pkg := range apply.Packages {
		p.fill(pkg)
	}
	if !opts.NoSchema {
		var missing []*gotype.Missing
		apply.Schema, missing = smd.Schema(universe, roots) // it follows from the types of the kinds
		for _, m := range missing {
			p.reporter.report(m)
		}
		return apply
	}
	apply.Schema, _ = smd.Schema(universe, nil)
	for _, pkg := range apply.Packages {
		for _, t := range pkg.Types {
			t.SchemaName = ""
		}
	}
	return apply
}

// planner determines which apply configurations are generated.
type planner struct {
	index    *index
	sources  []*source.Package
	inputPos func(kind *model.Kind, method string) token.Position
	versions map[string]*model.Version
	reporter reporter
	// seen are the types reachable from a kind. inputs are the inputs of apply methods that were not visited further.
	seen, inputs map[types.Type]bool
	// kinds are the kinds with clients by declaration.
	kinds map[*gotype.Decl]*model.Kind
	// aliases are the aliases of the packages with the types, in the file that imports them all.
	aliases *goname.Scope
}

// reporter reports types that cannot be resolved, each once.
type reporter struct {
	fset     *token.FileSet
	diags    *diag.List
	reported map[*gotype.Missing]bool
}

const omitHint = "to omit apply configurations, use --skip applyconfiguration"

func (r reporter) report(m *gotype.Missing) {
	if !r.reported[m] {
		r.reported[m] = true
		r.diags.AddHint(r.fset.Position(m.Pos), omitHint, "%w", m)
	}
}

// unexported reports a type that only its own package can name.
func (r reporter) unexported(what string, pos token.Pos) {
	r.diags.AddHint(r.fset.Position(pos), "export it; "+omitHint, "%w", &gotype.Missing{Reason: what + " is not exported", Pos: pos})
}

// reachFromKinds visits all types that are part of a kind with apply verbs or of the input of an apply method. It returns
// the declarations of these kinds, in the order of the model.
func (p *planner) reachFromKinds(api *model.API) []*gotype.Decl {
	var roots []*gotype.Decl
	for _, kind := range api.Kinds() {
		if !kind.Version.Generate.Apply {
			continue
		}
		pkg := p.index.universe.Package(kind.Version.Source.Path)
		decl := pkg.Types[kind.Name]
		p.kinds[decl] = kind
		if applies(kind) {
			roots = append(roots, decl)
			p.visit(p.index.universe.Type(decl))
		}
		for _, method := range kind.Methods {
			if method.Verb == model.Apply {
				p.reachInput(method.Input, pkg)
			}
		}
	}
	return roots
}

// applies reports whether the client of a kind applies objects.
func applies(kind *model.Kind) bool {
	return kind.Verbs.Has(model.Apply) || kind.Verbs.Has(model.ApplyStatus)
}

// reachInput visits the input of an apply method. For an input declared in the kind's own package, code-generator does not visit
// the types of its fields. This affects the types of the builder's fields, so we do the same.
func (p *planner) reachInput(input model.Type, pkg *gotype.Package) {
	decl := p.index.universe.Lookup(input.Package, input.Name)
	if decl == nil {
		return
	}
	if t := p.index.universe.Type(decl); decl.Package == pkg {
		p.inputs[t] = true
	} else {
		p.visit(t)
	}
}

// placeInputs sets the locations of the apply configurations for the inputs of a kind's apply methods.
func (p *planner) placeInputs(kind *model.Kind) {
	for i := range kind.Methods {
		method := &kind.Methods[i]
		input := &method.Input
		if method.Verb != model.Apply {
			continue
		}
		generated := p.index.generated[p.index.universe.Lookup(input.Package, input.Name)]
		below, builtin := strings.CutPrefix(input.Package, "k8s.io/api/")
		switch external := p.index.external[*input]; {
		case generated != nil:
			input.ApplyFolder = generated.Folder
		case external != "":
			input.ApplyPackage = external
		case builtin:
			input.ApplyPackage = clientGo + "/" + below
		default:
			p.reporter.diags.AddHint(p.inputPos(kind, method.Name),
				"add its package to the run, or set its package with --external-applyconfigurations",
				"method %s applies a %s, which has no apply configuration", method.Name, input.Name)
		}
	}
}

// packages returns the packages of apply configurations with their types. The types have no fields yet.
func (p *planner) packages() []*model.ApplyPackage {
	var packages []*model.ApplyPackage
	folders := map[string]*source.Package{}
	for _, s := range p.sources {
		if !s.Activated(marker.ApplyConfigurationGen) {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(s.TypeNames), func(name string) bool { return !p.wants(s, s.Types[name]) })
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
		})
		if len(names) == 0 {
			continue
		}
		pkg := p.packageOf(s, p.versions[s.Path])
		for _, name := range names {
			p.index.generated[s.Types[name]] = pkg
			pkg.Types = append(pkg.Types, &model.ApplyType{Name: name})
		}
		if other := folders[pkg.Folder]; other != nil {
			p.reporter.diags.AddHint(s.Start(), "exclude one of them with // +k8s:applyconfiguration-gen=false",
				"the apply configurations of packages %s and %s would have the same directory %s", other.Path, s.Path, pkg.Folder)
		}
		folders[pkg.Folder] = s
		packages = append(packages, pkg)
	}
	slices.SortFunc(packages, func(x, y *model.ApplyPackage) int { return cmp.Compare(x.Folder, y.Folder) })
	return packages
}

// packageOf returns the package of apply configurations for a source package, without types. The version is nil if the source
// package declares no kinds. It may still be an API package with types that other packages' kinds use.
func (p *planner) packageOf(s *source.Package, version *model.Version) *model.ApplyPackage {
	pkg := &model.ApplyPackage{Source: s.Path}
	if version != nil {
		pkg.Folder, pkg.Package = version.ApplyFolder(), version.Package
		pkg.Group, pkg.Version = version.Group.Name, version.Name
		pkg.SourceAlias, pkg.GroupVersion = version.Alias(), version.GroupVersionExpr()
		return pkg
	}
	pkg.Folder = strings.ToLower(model.Type{Package: s.Path}.FoldedGroupVersion())
	pkg.Package = goname.Package(path.Base(pkg.Folder))
	declared := s.GroupVersion()
	pkg.Group, pkg.Version = cmp.Or(declared.Group, path.Base(path.Dir(s.Path))), cmp.Or(declared.Version, path.Base(s.Path))
	if m, ok := s.Markers.Get(marker.GroupName); ok {
		pkg.Group = m.Value
	}
	if declared.Variable != "" {
		alias := model.Type{Package: s.Path}.Alias()
		pkg.SourceAlias = p.aliases.Free(alias, alias+"types")
		pkg.GroupVersion = pkg.SourceAlias + "." + declared.Variable
	}
	return pkg
}

// wants reports whether a type gets an apply configuration: it is reachable from a kind and is a struct with serialized fields,
// or it is a kind with apply verbs. RawExtension and Unknown represent arbitrary objects and get none.
func (p *planner) wants(s *source.Package, decl *gotype.Decl) bool {
	t := p.index.universe.Type(decl)
	if decl.Spec.Assign.IsValid() || decl.Spec.TypeParams != nil || !decl.Spec.Name.IsExported() || !p.seen[t] && !p.inputs[t] {
		return false
	}
	if s.Path == runtimePath && (decl.Name() == "RawExtension" || decl.Name() == "Unknown") {
		return false
	}
	if kind := p.kinds[decl]; kind != nil && applies(kind) {
		return true // its client refers to it; fill reports missing metadata
	}
	return p.index.hasWritten(t)
}

// visit adds a type and the serialized types that it consists of to those reachable from a kind.
func (p *planner) visit(t types.Type) {
	t = types.Unalias(t)
	if p.seen[t] {
		return
	}
	p.seen[t] = true
	underlying := p.index.universe.Underlying(t)
	u, ok := underlying.(*types.Struct)
	for i := 0; ok && i < u.NumFields(); i++ {
		_, _, tagged := gotype.JSONTag(u.Tag(i))
		if _, ok := p.index.universe.ReadFieldTag(u.Field(i), u.Tag(i)); ok || tagged {
			p.visit(u.Field(i).Type())
		}
	}
	if !ok {
		for part := range gotype.Parts(underlying) {
			p.visit(part)
		}
	}
}

// hasWritten reports whether a type is a struct in which code-generator's apply configurations include at least one field.
func (x *index) hasWritten(t types.Type) bool {
	structType, ok := x.universe.Underlying(t).(*types.Struct)
	if !ok {
		return false
	}
	for i := range structType.NumFields() {
		if x.written(structType.Tag(i)) && structType.Field(i).Name() != "_" {
			return true
		}
	}
	return false
}

// index knows which types have an apply configuration, and where.
type index struct {
	universe *gotype.Universe
	// release is the client-go release that they are generated for.
	release model.Target
	// external maps types to the packages that already have their apply configurations.
	external map[model.Type]string
	// viaJSON and fields are the answers of needsJSON and fieldsOf.
	viaJSON map[types.Type]bool
	fields  map[listed][]field
	// generated are the packages to be generated, by the declaration of the type.
	generated map[*gotype.Decl]*model.ApplyPackage
}

func newIndex(universe *gotype.Universe, release model.Target, external map[model.Type]string) *index {
	x := &index{
		universe: universe, release: release, external: map[model.Type]string{}, viaJSON: map[types.Type]bool{},
		fields: map[listed][]field{}, generated: map[*gotype.Decl]*model.ApplyPackage{},
	}
	for _, name := range builtinExternals {
		x.external[model.Type{Package: source.MetaV1, Name: name}] = clientGo + "/meta/v1"
	}
	maps.Copy(x.external, external)
	return x
}

// doc returns a comment without markers, and without blank lines at its end if the release drops them.
func (x *index) doc(group *ast.CommentGroup) []string {
	lines := source.DocLines(group)
	for x.release.TrimsComments() && len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// find returns the package of a named type's apply configuration and reports whether it exists. Pointers are followed.
func (x *index) find(t types.Type) (name string, where model.Import, ok bool) {
	named, isNamed := gotype.Pointee(t).(*types.Named)
	if !isNamed || named.Obj().Pkg() == nil {
		return "", model.Import{}, false
	}
	ref := model.Type{Package: named.Obj().Pkg().Path(), Name: named.Obj().Name()}
	if pkg := x.generated[x.universe.Decl(named)]; pkg != nil {
		return ref.Name + "ApplyConfiguration", model.Import{Path: pkg.Folder, Apply: true}, true
	}
	if external, known := x.external[ref]; known {
		return ref.Name + "ApplyConfiguration", model.Import{Path: external}, true
	}
	return "", model.Import{}, false
}
