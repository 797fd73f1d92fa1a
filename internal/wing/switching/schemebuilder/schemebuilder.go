// Package schemebuilder takes controller-runtime's scheme.Builder out of API packages, in favor of a generated registration. It plans
// edits of handwritten files in memory, and writes nothing.
//
// The generated registration declares SchemeBuilder as a runtime.SchemeBuilder of apimachinery, to which functions are added in place of
// objects. Edits are ranges of bytes, so comments and the format of everything else stay.
package schemebuilder

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// The packages of controller-runtime that have the builder, and its name there.
const (
	Module      = "sigs.k8s.io/controller-runtime"
	schemePath  = Module + "/pkg/scheme"
	runtimePath = "k8s.io/apimachinery/pkg/runtime"
)

// The names that the generated registration declares.
const (
	builderName = "SchemeBuilder"
	adderName   = "AddToScheme"
	versionName = "SchemeGroupVersion"
)

// Config says where to look.
type Config struct {
	// Packages are the API packages to edit.
	Packages []*Package
	// Files are the absolute names of all Go files that may use them.
	Files []string
	// Follows reports whether a file is built with the edited package. Other files are reported and not edited.
	Follows func(file string, p *Package) bool
}

// Package is an API package.
type Package struct {
	// Dir is its absolute directory, Path its import path and Name the name in its package clauses.
	Dir, Path, Name string
	// ByHand are types that the generated registration will not have, so that they stay registered by hand.
	ByHand []string
	// Stay is true for a package that does not get a registration.
	Stay bool
	// Generated is true if the package has a generated registration already. Later types may be registered as for a scheme.Builder.
	Generated bool

	// Pos is the position of the builder, or of the first registration that changes.
	Pos token.Position
	// Registered are the types whose registration by hand is removed.
	Registered []string
	// Frees is true if nothing in the package imports controller-runtime any more.
	Frees bool
}

// Stays returns the reason why the builder of the package stays, as a warning.
func (p *Package) Stays(pos token.Position, hint, why string) diag.Diagnostic {
	return diag.Diagnostic{Warning: true, Pos: pos, Hint: hint, Message: "the scheme.Builder of package " + p.Path + " stays: " + why}
}

// Plan is what would change.
type Plan struct {
	// Packages are the packages that change.
	Packages []*Package
	// Files are the new contents of files, by absolute names.
	Files map[string][]byte
	// Changes describe the edits, in the order of their positions.
	Changes []Change
	// Left are the reasons why packages do not change, as warnings.
	Left diag.List
}

// Change describes an edit.
type Change struct {
	Pos  token.Position
	Text string
}

// New plans the edits. The error is a diag.List with the syntax errors of files that would have to be edited.
func New(c Config) (*Plan, error) {
	plan := &Plan{Files: map[string][]byte{}}
	p := planner{fset: token.NewFileSet(), config: c, files: map[string]*file{}}
	for _, pkg := range c.Packages {
		p.plan(pkg, plan)
	}
	for _, f := range p.files {
		if len(f.edits) > 0 {
			content, err := p.edited(f)
			if err != nil {
				return nil, err
			}
			plan.Files[f.name] = content
		}
	}
	for _, pkg := range plan.Packages {
		pkg.Frees = p.frees(pkg, plan)
	}
	slices.SortFunc(plan.Changes, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Offset-b.Pos.Offset)
	})
	return plan, p.diags.Err()
}

// planner plans the edits of all packages.
type planner struct {
	fset   *token.FileSet
	config Config
	// files are the parsed files, with the edits so far.
	files map[string]*file
	diags diag.List
}

// plan plans the edits for one package, or none if something that uses it would not compile.
func (p *planner) plan(pkg *Package, plan *Plan) {
	own := p.own(pkg)
	if len(own) == 0 {
		return
	}
	b := p.find(pkg, own)
	if b == nil {
		return
	}
	for _, f := range own {
		b.plan(uses{builder: b, file: f, version: b.version, own: true})
	}
	for _, f := range p.users(pkg) {
		b.usesOf(f)
	}
	if len(b.left) > 0 {
		plan.Left = append(plan.Left, b.left...)
		return
	}
	if len(b.edits) == 0 {
		return
	}
	for _, e := range b.edits {
		e.file.edits = append(e.file.edits, e.edit)
		e.file.runtime = cmp.Or(e.file.runtime, e.runtime)
	}
	plan.Changes = append(plan.Changes, b.changes...)
	plan.Packages = append(plan.Packages, pkg)
}

// own returns the parsed files of a package, with the tests in it, if one of them mentions what can change.
func (p *planner) own(pkg *Package) (own []*file) {
	names, _ := filepath.Glob(filepath.Join(pkg.Dir, "*.go"))
	slices.Sort(names)
	mentions := false
	for _, name := range names {
		if f := p.parse(name); f != nil && f.syntax.Name.Name == pkg.Name {
			own = append(own, f)
			text := string(f.text)
			mentions = mentions || strings.Contains(text, Module) || pkg.Generated && strings.Contains(text, builderName+".Register(")
		}
	}
	if !mentions {
		return nil
	}
	p.check(pkg.Path, own)
	return own
}

// users returns the parsed files of other packages that import a package.
func (p *planner) users(pkg *Package) (users []*file) {
	quoted := `"` + pkg.Path + `"`
	for _, name := range p.config.Files {
		f := p.files[name]
		if f == nil {
			if text, err := regular.ReadFile(name); err != nil || !strings.Contains(string(text), quoted) {
				continue
			}
			if f = p.parse(name); f == nil {
				continue
			}
		}
		if f.imported(pkg.Path, pkg.Name) == "" {
			continue
		}
		if f.info == nil {
			p.check(f.syntax.Name.Name, []*file{f})
		}
		users = append(users, f)
	}
	return users
}

// check resolves the identifiers in files of one package. Nothing is imported, so only declarations in the files have types.
func (p *planner) check(path string, files []*file) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, Importer: named(p.config.Packages), FakeImportC: true}
	syntax := make([]*ast.File, len(files))
	for i, f := range files {
		syntax[i], f.info = f.syntax, info
	}
	_, _ = config.Check(path, p.fset, syntax, info)
}

// named is an importer that only knows the names of packages.
type named []*Package

// Import implements types.Importer.
func (n named) Import(path string) (*types.Package, error) {
	name := path[strings.LastIndex(path, "/")+1:]
	if path == Module {
		name = "controllerruntime"
	}
	for _, pkg := range n {
		if pkg.Path == path {
			name = pkg.Name
		}
	}
	imported := types.NewPackage(path, name)
	imported.MarkComplete()
	return imported, nil
}

// frees reports whether no file of a package imports controller-runtime after the edits.
func (p *planner) frees(pkg *Package, plan *Plan) bool {
	names, _ := filepath.Glob(filepath.Join(pkg.Dir, "*.go"))
	return !slices.ContainsFunc(names, func(name string) bool {
		text, changed := plan.Files[name]
		if !changed {
			text, _ = regular.ReadFile(name)
		}
		syntax, err := parser.ParseFile(p.fset, name, text, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(syntax.Imports, func(spec *ast.ImportSpec) bool {
			path, _ := strconv.Unquote(spec.Path.Value)
			return strings.HasPrefix(path+"/", Module+"/")
		})
	})
}
