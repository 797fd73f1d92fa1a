// Package cachemutation finds code that changes objects of an informer's cache.
//
// What listers, indexers, event handlers and OwnedX of generated controllers hand out is the cache's own: other goroutines read it
// at the same time, and what is changed there is lost or overwrites what the API server says. The analyzer follows such objects
// through variables, loops, type assertions, struct copies, slices, maps and functions of the same package, and reports assignments,
// append, copy, delete, sorting, and setters. A DeepCopy ends the pursuit.
//
//	go install github.com/informer-gen-lite/informer-gen-lite/cmd/cachemutation@latest
//	go vet -vettool=$(which cachemutation) ./...
//
// It would rather miss a change than report one that is none: functions of other packages are taken to change nothing, but for
// those of its table, and what is stored in a struct, sent or returned to other packages is not pursued.
package cachemutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports changes of objects that belong to an informer's cache.
var Analyzer = &analysis.Analyzer{
	Name: "cachemutation",
	Doc:  "report changes of objects that belong to an informer's cache\n\nObjects from listers, indexers and event handlers are shared. Change a DeepCopy of them.",
	URL:  "https://pkg.go.dev/github.com/informer-gen-lite/informer-gen-lite/cachemutation",
	Run:  run,
}

// rounds is how often the functions of a package are looked at until they say nothing new about each other. Each round adds a call
// to the longest chain of functions that is understood.
const rounds = 10

func run(pass *analysis.Pass) (any, error) {
	families := build(pass)
	p := &program{summaries: map[*ssa.Function]summary{}, handlers: handlersIn(families)}
	for range rounds {
		changed := false
		for _, f := range families {
			changed = p.summarize(f) || changed
		}
		if !changed {
			break
		}
	}
	reported := map[token.Pos]bool{}
	for _, f := range families {
		for _, m := range p.analyze(f).mutations {
			if m.taint.deep&fromCacheLabel == 0 || reported[m.pos] {
				continue
			}
			reported[m.pos] = true
			origin := m.taint.origin
			pass.Reportf(m.pos, "%s changes an object of an informer's cache, which is from %s in line %d: change a DeepCopy of it",
				m.how, origin.what, pass.Fset.Position(origin.pos).Line)
		}
	}
	return nil, nil
}

// program is what is known of the functions of a package.
type program struct {
	summaries map[*ssa.Function]summary
	// handlers are the functions that informers call with objects of their caches.
	handlers map[*ssa.Function]string
}

// summary is what callers of a function have to know.
type summary struct {
	// changes are the parameters through which it changes what they refer to.
	changes labels
	// returns are, for each result, the parameters that it refers to, and the cache that it is from.
	returns []taint
}

func (s summary) equal(other summary) bool {
	same := func(a, b taint) bool {
		return a.deep == b.deep && a.held == b.held && (a.origin == nil) == (b.origin == nil)
	}
	return s.changes == other.changes && slices.EqualFunc(s.returns, other.returns, same)
}

// summarize analyzes a function with those inside it. It reports whether there is anything new.
func (p *program) summarize(f family) (changed bool) {
	for fn, s := range p.analyze(f).summarized() {
		if !s.equal(p.summaries[fn]) {
			p.summaries[fn], changed = s, true
		}
	}
	return changed
}

// family is a function with the functions inside it, which share its variables.
type family []*ssa.Function

// build returns the functions of a package. The analyzer buildssa would do so too, but it asks for facts about all dependencies,
// which takes a minute.
func build(pass *analysis.Pass) (families []family) {
	prog := ssa.NewProgram(pass.Fset, 0)
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	families = append(families, members(pkg.Func("init"))) // with the functions in package variables
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					families = append(families, members(prog.FuncValue(fn)))
				}
			}
		}
	}
	return families
}

func members(fn *ssa.Function) family {
	f := family{fn}
	for _, inner := range fn.AnonFuncs {
		f = append(f, members(inner)...)
	}
	return f
}
