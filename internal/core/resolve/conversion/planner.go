package conversion

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// planner plans the conversions of one package.
type planner struct {
	source.Run
	*request
	all   *resolver
	names *gofile.Names
	made  model.Conversions
	// functions are the handwritten conversions of the package and of its peers.
	functions map[shape.Pair]*function
	// pair is the pair that is being planned. fields are the fields of it that cannot be converted.
	pair   shape.Pair
	fields []gap
	// public are the pairs with a generated public function. called are the pairs whose function generated code calls.
	public map[shape.Pair]bool
	called map[shape.Pair]gap
	// order are the called pairs in their order.
	order []shape.Pair
}

// gap is a field that cannot be converted, or whose conversion is missing.
type gap struct {
	in, out *types.Var
	reason  string
}

func newPlanner(r *resolver, q *request) *planner {
	isLocal := func(name string) bool { return slices.Contains(model.ConvertLocals, name) }
	return &planner{
		Run: r.Run, request: q, all: r, names: gofile.NewNames(q.Package, isLocal),
		functions: r.visible(q),
		public:    map[shape.Pair]bool{}, called: map[shape.Pair]gap{},
	}
}

// plan plans all conversions of the package.
func (p *planner) plan() {
	p.made.File, p.made.Tag = gofile.Name(p.Package.Package.Package, File), p.Peers.Tag()
	gofile.CheckOnly(p.Package.Package.Package, p.made.File, File, p.Diags)
	p.made.Scheme = p.names.Of("k8s.io/apimachinery/pkg/runtime", "Scheme")
	var pairs, fromValues []shape.Pair
	for _, name := range slices.SortedFunc(slices.Values(p.types.TypeNames), byUpper) {
		t := p.World.Lookup(p.types, name)
		if t == nil {
			continue
		}
		if peer := p.peerOf(t); peer != nil && p.convertible(shape.Pair{In: t, Out: peer}) {
			pairs = append(pairs, shape.Pair{In: t, Out: peer}, shape.Pair{In: peer, Out: t})
		}
		fromValues = append(fromValues, p.explicit(t)...)
	}
	for _, pair := range pairs {
		p.register(pair)
	}
	for _, pair := range fromValues {
		p.made.Generated = append(p.made.Generated, p.registered(pair, nameOf(pair)))
	}
	p.checkName("RegisterConversions", "rename it")
	p.registerFunctions()
	// For each type, conversions in both directions come before conversions from other types.
	for _, pair := range slices.SortedStableFunc(slices.Values(slices.Concat(pairs, fromValues)), func(a, b shape.Pair) int {
		return byUpper(p.own(a).Name, p.own(b).Name)
	}) {
		p.convert(pair)
	}
	p.checkCalls()
	if len(p.made.Generated)+len(p.made.Functions)+len(p.made.Conversions) > 0 {
		p.made.Scope = p.names.Of(scopePackage, scopeName)
	}
	p.made.Imports = p.names.List()
}

// byUpper compares names as upstream does, which writes them in upper case first.
func byUpper(a, b string) int {
	return cmp.Or(strings.Compare(goname.UpperFirst(a), goname.UpperFirst(b)), strings.Compare(a, b))
}

// own returns the type of a pair that the package, or the package with its types, declares.
func (p *planner) own(pair shape.Pair) *shape.Type {
	if pair.In.Package == p.types.Path {
		return pair.In
	}
	return pair.Out
}

// peerOf returns the type with the same name in the first peer that declares it, or nil.
func (p *planner) peerOf(t *shape.Type) *shape.Type {
	for _, pkg := range p.peers {
		if peer := p.World.Lookup(pkg, t.Name); peer != nil {
			return peer
		}
	}
	return nil
}

// convertible reports whether the package gets functions for a pair.
func (p *planner) convertible(pair shape.Pair) bool {
	t, other := pair.In, pair.Out
	if t.Package != p.types.Path {
		t, other = other, t
	}
	if t.Package != p.types.Path || t.Kind != shape.Struct || !other.Exported() {
		return false
	}
	m, excluded := t.Closest().Get(marker.ConversionGen)
	if excluded && !m.Disables() {
		p.Diags.AddHint(m.Pos, "name packages above the package clause; on a type, only false has a meaning",
			"unknown value %q of +%s", m.Value, m.Name)
	}
	return !excluded
}

// function returns the handwritten conversion for a pair, or nil.
func (p *planner) function(pair shape.Pair) *function {
	return cmp.Or(p.functions[pair], p.all.unique[pair])
}

// register adds the registration of a pair, unless its function is handwritten.
func (p *planner) register(pair shape.Pair) {
	if p.function(pair) == nil {
		p.made.Generated = append(p.made.Generated, p.registered(pair, nameOf(pair)))
	}
}

func (p *planner) registered(pair shape.Pair, function string) model.RegisteredConversion {
	return model.RegisteredConversion{In: p.text(pair.In), Out: p.text(pair.Out), Func: function}
}

// registerFunctions adds the registrations of the package's handwritten functions, by their names.
func (p *planner) registerFunctions() {
	var own []*function
	for _, f := range p.functions {
		if f.Package.Path == p.Path {
			own = append(own, f)
		}
	}
	slices.SortFunc(own, func(a, b *function) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range own {
		p.made.Functions = append(p.made.Functions, p.registered(f.pair, f.Name))
	}
}

// text formats a type for the file.
func (p *planner) text(t *shape.Type) string {
	if missing := p.missing(t.GoType); missing != nil {
		p.Diags.Add(p.positionOf(p.pair), "%s cannot be converted: %w", t.Short(), missing)
		return ""
	}
	text, hidden := p.names.Text(t.GoType)
	if hidden != "" {
		p.Diags.AddHint(p.positionOf(p.pair), "export it, or exclude the type with // +"+marker.ConversionGen+"=false",
			"%s cannot be converted: %s is not exported by its package", t.Short(), hidden)
	}
	if t.Package == p.Path && slices.Contains(model.ConvertLocals, t.Name) {
		p.Diags.AddHint(p.Position(t.Name), "rename it", "type %s has the name of a variable in generated conversions", t.Name)
	}
	return text
}

// missing returns why a part of a type cannot be resolved, or nil.
func (p *planner) missing(t types.Type) *gotype.Missing {
	if missing := p.World.Missing(t); missing != nil {
		return missing
	}
	for part := range gotype.Parts(t) {
		if missing := p.missing(part); missing != nil {
			return missing
		}
	}
	return nil
}

// convert plans the function for a pair.
func (p *planner) convert(pair shape.Pair) {
	p.pair, p.fields = pair, nil
	made := model.Conversion{In: p.text(pair.In), Out: p.text(pair.Out), Name: nameOf(pair), Public: p.function(pair) == nil}
	switch {
	case isValues(pair.In):
		made.Values = p.fromValues(pair)
	case pair.In.Kind != pair.Out.Kind:
		p.fields = append(p.fields, gap{reason: pair.In.Short() + " is a struct and " + pair.Out.Short() + " is not"})
		made.Plan = &model.Convert{Op: model.ConvertStruct}
	default:
		made.Plan = p.structure(pair)
	}
	if made.Public && len(p.fields) > 0 {
		p.report(pair, p.fields)
	}
	if made.Public {
		p.checkName(made.Name, "correct its signature to "+signature(pair))
	}
	p.checkName("auto"+made.Name, "rename it")
	p.public[pair] = made.Public
	p.made.Conversions = append(p.made.Conversions, made)
}

// checkName reports a declaration of the package that has the name of a generated function.
func (p *planner) checkName(name, hint string) {
	if what := p.Declared(name); what != "" {
		p.Diags.AddHint(p.Position(name), hint, "%s is %s of this package, but a generated conversion has this name", name, what)
	}
}

// signature returns the signature of the function for a pair.
func signature(pair shape.Pair) string {
	return "func " + nameOf(pair) + "(in *" + pair.In.Short() + ", out *" + pair.Out.Short() + ", s conversion.Scope) error"
}

// isValues reports whether a type is url.Values.
func isValues(t *shape.Type) bool { return t.Package == "net/url" && t.Name == "Values" }

// report reports a pair that needs a handwritten function.
func (p *planner) report(pair shape.Pair, gaps []gap) {
	var reasons []string
	for _, g := range gaps {
		reasons = append(reasons, g.reason)
	}
	pos := p.positionOf(pair)
	if first := gaps[0].in; first != nil && p.isOwn(first) {
		pos = p.World.Fset.Position(first.Pos())
	}
	p.Diags.AddHint(pos, "write "+signature(pair), "%s cannot be converted to %s: %s",
		pair.In.Short(), pair.Out.Short(), strings.Join(reasons, "; "))
}

// isOwn reports whether users can edit a field.
func (p *planner) isOwn(v *types.Var) bool {
	pkg := p.World.Package(v.Pkg().Path())
	return pkg != nil && pkg.InMainModule()
}

// positionOf returns the position of the first type of a pair that users can edit, or of the package.
func (p *planner) positionOf(pair shape.Pair) token.Position {
	for _, t := range []*shape.Type{pair.In, pair.Out} {
		if t == nil {
			continue
		}
		if decl := p.World.Decl(t.GoType); decl != nil && decl.Package.InMainModule() {
			return p.World.Fset.Position(decl.Spec.Name.Pos())
		}
	}
	return p.Start()
}

// call plans the call of the function that is generated for a pair.
func (p *planner) call(pair shape.Pair, field gap) string {
	if _, known := p.called[pair]; !known {
		p.called[pair] = field
		p.order = append(p.order, pair)
	}
	return nameOf(pair)
}

// checkCalls reports called functions that neither exist nor are generated.
func (p *planner) checkCalls() {
	for _, pair := range p.order {
		if _, made := p.public[pair]; !made && p.function(pair) == nil {
			p.pair = pair
			p.report(pair, []gap{p.called[pair]})
		}
	}
}

// nameOf returns how the file refers to a handwritten function.
func (p *planner) nameOf(f *function) string { return p.names.Of(f.Package.Path, f.Name) }
