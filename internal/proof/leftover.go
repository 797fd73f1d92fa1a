package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// LeftOver returns the absolute names of the files that the runs would remove and that code-generator would not write either: it keeps
// the files of types that were deleted or lost their +genclient. Without evidence for that, a file is not left over.
func LeftOver(runs []pipeline.Run) []string {
	s := scan{removed: map[string]string{}, types: map[string]map[string]bool{}}
	for _, run := range runs {
		if s.repo == nil && len(run.Plan.Remove) > 0 {
			s.repo = repository.At(run.API.Place.Dir)
		}
		for _, file := range run.Plan.Remove {
			name := run.API.Place.File(file)
			if text, err := os.ReadFile(name); err == nil && isSource(name) {
				s.removed[name] = upstream(text)
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
	// removed are the files that would be removed, with the generators of code-generator that wrote them.
	removed map[string]string
	// types are the types in a directory, in lower case as file names have them, and whether they have +genclient.
	types map[string]map[string]bool
}

// upstream returns the generator of code-generator that wrote a file for a type, or "".
func upstream(text []byte) string {
	for _, generator := range []string{"client", "lister", "informer", "applyconfiguration"} {
		if slices.Contains(origin.Of(text), "by "+generator+"-gen.") {
			return generator
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
// configurations exist for types in other packages too, and need not import them.
func (s *scan) isStale(name, generator string) bool {
	known := false
	for _, dir := range s.imported(filepath.Dir(name)) {
		known = true
		if hasMarker, exists := s.typesIn(dir)[typeOf(name)]; exists && (hasMarker || generator == "applyconfiguration") {
			return false
		}
	}
	if generator != "applyconfiguration" {
		return known
	}
	owner, err := module.Owner(filepath.Dir(name))
	return err == nil && !slices.ContainsFunc(s.repo.Packages(owner.Dir), func(dir string) bool {
		_, exists := s.typesIn(dir)[typeOf(name)]
		return exists
	})
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
			if found := s.repo.Source(dir, importPath); found != "" && !isGenerated(found) && !slices.Contains(dirs, found) {
				dirs = append(dirs, found)
			}
		}
	}
	return dirs
}

// isGenerated reports whether code-generator or this tool wrote clients to a directory.
func isGenerated(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.ContainsFunc(names, func(name string) bool {
		text, _ := os.ReadFile(name)
		return upstream(text) != "" || !strings.HasPrefix(filepath.Base(name), "zz_generated") && slices.Contains(origin.Of(text), origin.Us)
	})
}

// typesIn returns the types in a directory.
func (s *scan) typesIn(dir string) map[string]bool {
	if found, ok := s.types[dir]; ok {
		return found
	}
	found := map[string]bool{}
	s.types[dir] = found
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		fset := token.NewFileSet()
		file, _ := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		after := file.Name.End()
		for _, decl := range file.Decls {
			if types, ok := decl.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, spec := range types.Specs {
					start := spec.Pos()
					if !types.Lparen.IsValid() {
						start = types.Pos()
					}
					found[strings.ToLower(spec.(*ast.TypeSpec).Name.Name)] = hasClient(fset, file, after, start)
					after = spec.End()
				}
			}
			after = decl.End()
		}
	}
	return found
}

// hasClient reports whether a type has +genclient in its doc comment or in a block above that is separated by one blank line. The
// comments are those between what comes before the type and its start.
func hasClient(fset *token.FileSet, file *ast.File, after, start token.Pos) bool {
	line := fset.Position(start).Line
	for _, group := range slices.Backward(file.Comments) {
		if group.Pos() < after || group.End() > start || line-fset.Position(group.End()).Line > 2 {
			continue
		}
		line = fset.Position(group.Pos()).Line
		for _, comment := range group.List {
			if text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")); strings.HasPrefix(text, "+genclient") {
				return true
			}
		}
	}
	return false
}

// onlyLeft reports whether a directory has nothing but files that are left over, and shared ones that would be removed too.
func (s *scan) onlyLeft(dir string, left map[string]bool) bool {
	some, all := false, true
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isSource(name) {
			some = some || left[name]
			all = all && (left[name] || s.removed[name] != "" && isShared(name))
		}
		return nil
	})
	return some && all
}
