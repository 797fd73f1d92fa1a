package deepcopy

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// copier plans how the types of one package are copied.
type copier struct {
	source   *source.Package
	universe *gotype.Universe
	methods  *methodTable
	values   *valueTable
	diags    *diag.List
	// own are the import paths of the packages of the run, whose fields have positions that the user can edit.
	own   map[string]bool
	names *gofile.Names
	made  model.DeepCopies
	// awaited are the called methods that packages outside of the run still lack.
	awaited []Awaited
	// decl is the type whose methods are being planned.
	decl *source.Type
	// helpers are the names of the helpers, by type.
	helpers map[string]string
	// depth is the depth of the type being planned.
	depth int
}

// await records the method that a copy of a type calls, if it is generated into a package outside of the run and does not exist yet.
func (c *copier) await(decl *gotype.Decl, call *model.Copy) {
	method := "DeepCopyInto"
	if call.Methods.Value {
		method = "DeepCopy"
	}
	if c.own[decl.Package.Path] || c.methods.requestOf(decl) == nil {
		return
	}
	if _, there := decl.Method(method); !there {
		c.awaited = append(c.awaited, Awaited{
			Package: decl.Package.Path, Type: decl.Name(), Method: method, Pos: c.decl.Pos,
			Hint: "add package " + decl.Package.Path + " to this run, or generate its deep copies first",
		})
	}
}

// maxDepth limits the nesting of types without methods. It also stops at generic types whose type arguments grow without limit,
// which compilers reject.
const maxDepth = 200

// plan returns the deep copies of the package.
func (c *copier) plan(requests []*request) *model.DeepCopies {
	c.checkHiding(c.diags)
	if slices.ContainsFunc(c.source.TypeNames, isLocal) {
		c.made.Suffix = "_" // keeps local variables from shadowing names of the package
	}
	c.made.File = gofile.Name(c.source.Package.Package, File)
	gofile.CheckOnly(c.source.Package.Package, c.made.File, File, c.diags)
	for _, req := range requests {
		c.addType(req)
	}
	c.made.Imports = c.names.List()
	return &c.made
}

// addType plans the methods of one type.
func (c *copier) addType(req *request) {
	decl := req.decl
	kept := c.methods.kept(decl.Decl)
	t := model.DeepCopy{
		Name: decl.Name(), Reference: req.reference, NonPointer: req.nonPointer,
		Into: !kept.Into, Copy: !kept.Value && !kept.Pointer, Value: kept.Value,
	}
	named := c.universe.Type(decl.Decl).(*types.Named)
	for p := range named.TypeParams().TypeParams() {
		t.TypeParams = append(t.TypeParams, p.Obj().Name())
	}
	if t.Into {
		t.Plan = c.planOf(req, kept, named)
	}
	for _, want := range req.interfaces {
		if _, declared := decl.Method("DeepCopy"+want.name, c.methods.remade[decl.Package]...); !declared {
			c.methods.checkImplements(req, want)
			t.Interfaces = append(t.Interfaces, model.CopyInterface{Name: want.name, Type: c.names.Of(want.path, want.name)})
		}
	}
	if t.Into || t.Copy || len(t.Interfaces) > 0 {
		c.made.Types = append(c.made.Types, t)
	}
}

// planOf plans a generated DeepCopyInto: it calls a handwritten DeepCopy or, without one, copies the type part by part.
func (c *copier) planOf(req *request, kept model.CopyMethodSet, named *types.Named) *model.Copy {
	if exist(kept) {
		return &model.Copy{Op: model.CopyMethods, Methods: kept}
	}
	c.decl = req.decl
	underlying := c.universe.Underlying(named)
	if st, ok := underlying.(*types.Struct); ok {
		plan := &model.Copy{Op: model.CopyStruct}
		for field := range st.Fields() {
			if p := c.field(plan, field, req.decl.Name()); p != nil {
				c.report(p)
			}
		}
		return plan
	}
	plan, p := c.composite(named, underlying)
	if p != nil {
		c.report(p)
		return nil
	}
	return plan
}

// problem is the reason why a type cannot be copied. where and pos identify the user's field; they are unset until it is known.
type problem struct {
	pos    token.Pos
	where  string
	reason error
	hint   string
	// others are the problems of further fields of the same struct.
	others []*problem
}

const byHandHint = "write DeepCopyInto and DeepCopy of the type by hand, or exclude it with // +k8s:deepcopy-gen=false"

// immutable are types with unexported fields whose values may be shared.
var immutable = map[string]bool{
	"time.Time": true, "net/netip.Addr": true, "net/netip.AddrPort": true, "net/netip.Prefix": true, "unique.Handle": true,
}

// report adds a problem to the diagnostics, with its others.
func (c *copier) report(p *problem) {
	for _, other := range p.others {
		c.report(other)
	}
	if missing, ok := p.reason.(*gotype.Missing); ok && c.universe.InRoots(missing.Pos) { //nolint:errorlint // it is never wrapped
		c.diags.Add(c.universe.Fset.Position(missing.Pos), "%w", missing)
		return
	}
	pos, where := c.decl.Pos, "type "+c.decl.Name()
	if p.where != "" {
		pos, where = c.universe.Fset.Position(p.pos), p.where
	}
	c.diags.AddHint(pos, p.hint, "%s cannot be copied: %w", where, p.reason)
}

var (
	// isLocal reports whether generated deep copies have a local variable with this name.
	isLocal = func(name string) bool { return slices.Contains(model.CopyLocals, name) }
	// isUsed reports whether generated deep copies use a name from outside the package.
	isUsed = goname.Templates("deepcopy/*")
)

// text formats a type for the file.
func (c *copier) text(t types.Type) (string, *problem) {
	text, hidden := c.names.Text(t)
	if hidden != "" {
		return "", &problem{reason: fmt.Errorf("%s is not exported by its package", hidden), hint: byHandHint}
	}
	return text, nil
}

// checkHiding reports names of the package that shadow predeclared identifiers used by generated deep copies.
func (c *copier) checkHiding(diags *diag.List) {
	for _, name := range types.Universe.Names() {
		if what := c.source.Declared(name); what != "" && (isUsed(name) || slices.Contains(model.CopyBuiltins, name)) {
			_, noun, _ := strings.Cut(what, " ")
			diags.AddHint(c.source.Position(name), "rename it",
				"%s %s shadows the predeclared identifier, which generated deep copies use", noun, name)
		}
	}
}
