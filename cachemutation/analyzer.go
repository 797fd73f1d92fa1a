// Package cachemutation finds code that changes objects in an informer's cache.
//
// A cache shares its objects with all readers. Changing one is a data race, and the cache then differs from the API server. A DeepCopy
// may be modified. The analyzer knows where cached objects come from:
//
//   - listers, which are types whose names end with Lister, and the indexers, stores and event handlers of client-go
//   - the run-time library, github.com/informer-gen-lite/informer-gen-lite/runtime: the listers, indexes, All and Sorted of package
//     lister, informers and their typed handlers of package informer, Owned.By of package controller, and Cache.Get of package
//     consistency
//   - the OwnedX methods of generated controllers
//
// Reconcilers of the library receive copies. The analyzer follows cached objects through variables, loops, type assertions, struct
// copies, slices, maps and functions of the same package. It reports assignments, append, copy, delete, clear, sorting and setters.
//
//	go install github.com/informer-gen-lite/informer-gen-lite/cmd/cachemutation@latest
//	go vet -vettool=$(which cachemutation) ./...
//
// The analyzer prefers missed changes to false alarms. It assumes that functions of other packages change nothing, except for a
// table of well-known ones, and it does not follow objects into struct fields, channels and other packages. It recognizes listers of
// copies by +informergen:lister=copies, and by a call of lister.Copies or of the method Copies of lister.Lister in the same package. It
// assumes nothing about a lister.AnyLister or lister.Indexed.
package cachemutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports changes to objects in an informer's cache.
var Analyzer = &analysis.Analyzer{
	Name: "cachemutation",
	Doc: "report changes to objects in an informer's cache\n\n" +
		"Objects from listers, indexers and event handlers are shared. Modify a DeepCopy instead.",
	URL: "https://pkg.go.dev/github.com/informer-gen-lite/informer-gen-lite/cachemutation",
	Run: run,
}

// rounds limits how often the summaries of functions are refined. Each round extends the chains of calls that they cover by one.
const rounds = 10

func run(pass *analysis.Pass) (any, error) {
	families := build(pass)
	c := copiesIn(families)
	p := &program{summaries: map[*ssa.Function]summary{}, copies: c, handlers: c.handlersIn(families)}
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
			pass.Reportf(m.pos, "%s changes an object in an informer's cache, %s on line %d; change a DeepCopy instead",
				m.how, origin.what, pass.Fset.Position(origin.pos).Line)
		}
	}
	return nil, nil
}

// program holds the summaries of a package.
type program struct {
	summaries map[*ssa.Function]summary
	copies    copies
	// handlers maps functions that are called with cached objects to what calls them.
	handlers map[*ssa.Function]origin
}

// summary describes the effects of a function for its callers.
type summary struct {
	// changes labels the parameters whose memory the function changes.
	changes labels
	// returns has a taint for each result, labeled by the parameters and the cache that it refers to.
	returns []taint
}

func (s summary) equal(other summary) bool {
	same := func(a, b taint) bool {
		return a.deep == b.deep && a.held == b.held && (a.origin == nil) == (b.origin == nil)
	}
	return s.changes == other.changes && slices.EqualFunc(s.returns, other.returns, same)
}

// summarize analyzes a family and reports whether a summary has changed.
func (p *program) summarize(f family) (changed bool) {
	for fn, s := range p.analyze(f).summarized() {
		if !s.equal(p.summaries[fn]) {
			p.summaries[fn], changed = s, true
		}
	}
	return changed
}

// family is a function with its function literals, which share its variables.
type family []*ssa.Function

// build returns the functions of a package. The buildssa analyzer requires facts about all dependencies, which take a minute.
func build(pass *analysis.Pass) (families []family) {
	prog := ssa.NewProgram(pass.Fset, 0)
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	families = append(families, members(pkg.Func("init"))) // function literals in package variables
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
