package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/apicompare"
)

// LeftOver returns the absolute names of the files that the runs would remove and that code-generator no longer writes: it never deletes
// the files of types that were deleted or lost their +genclient. Without evidence for that, a file is not left over.
func LeftOver(runs []run.Run) []string {
	s := scan{removed: map[string]string{}, types: map[string]map[string]*declaredType{}}
	for _, r := range runs {
		s.programs = r.API.Options.Products.Programs()
		if s.repo == nil && len(r.Plan.Remove) > 0 {
			s.repo = repository.At(r.API.Place.Dir)
		}
		for _, file := range r.Plan.Remove {
			name := r.API.Place.File(file)
			if text, err := os.ReadFile(name); err == nil && isSource(name) {
				s.removed[name] = s.upstream(text)
			}
		}
	}
	left := map[string]bool{}
	for name, generator := range s.removed {
		left[name] = generator != "" && !isShared(name) && s.isStale(name, generator)
	}
	var names []string
	for name, generator := range s.removed {
		if left[name] || generator != "" && isShared(name) && s.onlyLeft(filepath.Dir(name), left) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// scan looks for the types that generated files belong to.
type scan struct {
	repo *repository.Repository
	// programs are the programs of code-generator, true for programs that write to API packages.
	programs map[string]bool
	// removed are the files that would be removed, with the generators of code-generator that wrote them.
	removed map[string]string
	// types are the types in a directory, in lower case as file names have them.
	types map[string]map[string]*declaredType
	// reached are the types that types with +genclient refer to.
	reached map[*declaredType]bool
}

// declaredType is a type in a package of the repository.
type declaredType struct {
	client, alias bool
	refs          []reference
}

// reference is the name of a type, in lower case, in the package of a directory.
type reference struct{ dir, name string }

// upstream returns the program of code-generator that wrote a file for a type, without -gen, or "".
func (s *scan) upstream(text []byte) string {
	for _, by := range origin.Of(text) {
		program, ok := strings.CutSuffix(strings.TrimPrefix(by, "by "), "-gen.")
		if inPackages, known := s.programs[program]; ok && known && !inPackages {
			return program
		}
	}
	return ""
}

// typeOf returns the name of the type that a file belongs to, in lower case. Some repositories rename x.go to x.gen.go.
func typeOf(name string) string {
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	return strings.TrimPrefix(base, "fake_")
}

// isShared reports whether a file belongs to all types of a package.
func isShared(name string) bool {
	return strings.Contains(typeOf(name), "_") || slices.Contains([]string{
		"clientset", "doc", "factory", "generic", "interface", "internal", "register", "utils",
	}, typeOf(name))
}

// isStale reports whether code-generator would not write a file. The API package is among the imports of the file's package. Apply
// configurations need not import it; they exist for the types that a kind reaches.
func (s *scan) isStale(name, generator string) bool {
	dir := filepath.Dir(name)
	if generator != "applyconfiguration" {
		known := false
		for _, imported := range s.imported(dir) {
			known = true
			if t := s.typesIn(imported)[typeOf(name)]; t != nil && t.client {
				return false
			}
		}
		return known
	}
	owner, err := module.Owner(dir)
	if err != nil {
		return false
	}
	packages := s.repo.Packages(owner.Dir)
	isOther := func(pkg string) bool { return ending(pkg) != ending(dir) || s.isGenerated(pkg) }
	if same := slices.DeleteFunc(slices.Clone(packages), isOther); len(same) > 0 {
		packages = same
	}
	reached := s.reachable(owner.Dir)
	return !slices.ContainsFunc(packages, func(pkg string) bool { return reached[s.typesIn(pkg)[typeOf(name)]] })
}

// ending returns the last two elements of a directory, which name group and version, in lower case.
func ending(dir string) string {
	return strings.ToLower(filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir)))
}

// reachable returns the types in a module that types with +genclient refer to, directly or not.
func (s *scan) reachable(root string) map[*declaredType]bool {
	if s.reached != nil {
		return s.reached
	}
	s.reached = map[*declaredType]bool{}
	var reach func(t *declaredType)
	reach = func(t *declaredType) {
		if t == nil || s.reached[t] {
			return
		}
		s.reached[t] = !t.alias // an alias has no apply configuration of its own
		for _, ref := range t.refs {
			reach(s.typesIn(ref.dir)[ref.name])
		}
	}
	for _, dir := range s.repo.Packages(root) {
		for _, t := range s.typesIn(dir) {
			if t.client {
				reach(t)
			}
		}
	}
	return s.reached
}

// imported returns the directories of the packages in the repository that the Go files of a directory import, other than generated ones.
func (s *scan) imported(dir string) (dirs []string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, spec := range file.Imports {
			importPath, _ := strconv.Unquote(spec.Path.Value)
			if found := s.repo.Source(dir, importPath); found != "" && !s.isGenerated(found) && !slices.Contains(dirs, found) {
				dirs = append(dirs, found)
			}
		}
	}
	return dirs
}

// isGenerated reports whether code-generator or this tool wrote clients to a directory.
func (s *scan) isGenerated(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.ContainsFunc(names, func(name string) bool {
		text, _ := os.ReadFile(name)
		return s.upstream(text) != "" || !strings.HasPrefix(filepath.Base(name), "zz_generated") && slices.Contains(origin.Of(text), origin.Us)
	})
}

// typesIn returns the types in a directory.
func (s *scan) typesIn(dir string) map[string]*declaredType {
	if found, ok := s.types[dir]; ok {
		return found
	}
	found := map[string]*declaredType{}
	s.types[dir] = found
	fset, files := token.NewFileSet(), []*load.File(nil)
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if file, _ := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution); file != nil {
			files = append(files, &load.File{Name: name, File: file})
		}
	}
	for name, decl := range gotype.NewPackage(fset, &load.Package{Files: files}).Types {
		hasClient := marker.Scan(fset, decl.Above, decl.Doc).Has(marker.GenClient)
		found[strings.ToLower(name)] = &declaredType{hasClient, decl.Spec.Assign.IsValid(), s.references(dir, decl.File.File, decl.Spec.Type)}
	}
	return found
}

// references returns the types of the repository that a type in a file of a directory refers to.
func (s *scan) references(dir string, file *ast.File, t ast.Expr) (refs []reference) {
	add := func(dir string, name *ast.Ident) { refs = append(refs, reference{dir, strings.ToLower(name.Name)}) }
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			ast.Inspect(n.Type, visit)
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok {
				add(s.importedAs(dir, file, pkg.Name), n.Sel)
			}
			return false
		case *ast.Ident:
			add(dir, n)
		}
		return true
	}
	ast.Inspect(t, visit)
	return refs
}

// importedAs returns the directory of the package in the repository that a file of a directory imports with a name, or "".
func (s *scan) importedAs(dir string, file *ast.File, name string) string {
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		if spec.Name != nil && spec.Name.Name == name || spec.Name == nil && path.Base(importPath) == name {
			return s.repo.Source(dir, importPath)
		}
	}
	return ""
}

// onlyLeft reports whether a directory has nothing but files that are left over, and shared ones that would be removed too.
func (s *scan) onlyLeft(dir string, left map[string]bool) bool {
	some, all := false, true
	for name := range module.AllFiles(dir, func(string) bool { return false }) {
		if isSource(name) {
			some = some || left[name]
			all = all && (left[name] || s.removed[name] != "" && isShared(name))
		}
	}
	return some && all
}

// Lost returns the absolute names of the files that the runs would remove and that declare symbols missing in the results.
func Lost(runs []run.Run, results []apicompare.Result) []string {
	missed := map[string]bool{}
	for _, result := range results {
		for _, f := range result.Findings {
			if f.Message == apicompare.Removed || f.Message == apicompare.Missing {
				missed[result.Package+" "+f.Symbol] = true
			}
		}
	}
	var names []string
	for _, r := range runs {
		for _, file := range r.Plan.Remove {
			name := r.API.Place.File(file)
			pkg, _ := module.ImportPath(filepath.Dir(name)) // "" for a directory that cannot be a package
			isMissed := func(symbol string) bool { return missed[pkg+" "+symbol] }
			if isSource(name) && (isMissed("") || slices.ContainsFunc(declared(name), isMissed)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// declared returns the names that a file declares at the top level, as far as it can be parsed.
func declared(name string) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	return slices.Collect(maps.Keys(losses.Declared(nil, file)))
}
