package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
)

// disagreements reports files in API packages for which two outputs have different contents, so that each would undo the other.
func disagreements(runs []run.Run) diag.List {
	var diags diag.List
	contents := map[string][]byte{}
	for _, run := range runs {
		for _, file := range run.Files {
			name := run.API.Place.File(file.Path)
			if other, known := contents[name]; known && !bytes.Equal(other, file.Content) {
				diags.AddHint(token.Position{Filename: name},
					"use the same settings for all outputs with this package, or skip the generator in all but one",
					"two outputs would write different contents to this file")
			}
			contents[name] = file.Content
		}
	}
	return diags
}

// awaited reports deep copy methods that the output of one run needs and none of the runs generates.
func awaited(runs []run.Run) diag.List {
	type method struct{ pkg, typ, name string }
	made := map[method]bool{}
	for _, run := range runs {
		for _, pkg := range run.API.Resolved.API.Packages {
			if pkg.DeepCopies == nil {
				continue
			}
			for _, t := range pkg.DeepCopies.Types {
				for _, name := range t.Methods() {
					made[method{pkg.Path, t.Name, name}] = true
				}
			}
		}
	}
	var diags diag.List
	for _, run := range runs {
		needs := run.API.Resolved.AwaitedByCopies
		if slices.ContainsFunc(run.API.Options.Generators, func(g product.Product) bool { return g.Folder != nil }) {
			needs = slices.Concat(needs, run.API.Resolved.AwaitedByClients)
		}
		for _, a := range needs {
			if !made[method{a.Package, a.Type, a.Method}] {
				diags.AddHint(a.Pos, a.Hint, "type %s has no method %s", a.Type, a.Method)
			}
		}
	}
	return diags
}

// kindsByFile returns the position of the kind's declaration for each generated file about one kind.
func kindsByFile(a *run.API) map[string]token.Position {
	declared := map[string]token.Position{}
	for kind, files := range a.Options.Generators.FilesOf(a.Resolved.API, &a.Layout) {
		for _, file := range files {
			declared[file] = a.Resolved.Kinds[kind].Pos
		}
	}
	return declared
}

// positioned moves diagnostics about generated files, which do not exist, to the declarations of their kinds. Files about no
// single kind keep their names, below the output directory.
func positioned(err error, dir string, kinds map[string]token.Position) error {
	diags, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	for i := range diags {
		pos := &diags[i].Pos
		if kind, ok := kinds[pos.Filename]; ok {
			*pos = kind
		} else {
			pos.Filename = filepath.Join(dir, filepath.FromSlash(pos.Filename))
		}
	}
	return diags
}

// checkPaths reports files that would overwrite each other, including on case-insensitive file systems.
func checkPaths(jobs []render.Job) error {
	var diags diag.List
	seen := map[string]string{}
	for _, job := range jobs {
		key := strings.ToLower(job.Path)
		if other, ok := seen[key]; ok {
			diags.AddHint(position(job.Path), "rename one of the kinds", "another generated file would have the name %s", path.Base(other))
		}
		seen[key] = job.Path
	}
	return diags.Err()
}

func position(name string) token.Position { return token.Position{Filename: name} }

// checkDeclarations reports files of one package that declare the same name, as for kinds named Foo and FooNamespace.
func checkDeclarations(files []render.File) error {
	var diags, within diag.List
	hint := "rename one of the kinds, or remove +genclient from one"
	type pair struct{ a, b string }
	declaredIn, reported := map[string]string{}, map[pair]bool{}
	names := run.Each(files, render.File.Declares)
	for i, file := range files {
		for _, name := range names[i] {
			key := path.Dir(file.Path) + "." + name
			other, taken := declaredIn[key]
			if !taken {
				declaredIn[key] = file.Path
			} else if p := (pair{file.Path, other}); !reported[p] {
				reported[p] = true
				if other == file.Path {
					within.AddHint(position(file.Path), hint, "duplicate declaration of %s", name)
				} else {
					diags.AddHint(position(file.Path), hint, "%s would be declared in %s and in %s",
						name, path.Base(other), path.Base(file.Path))
				}
			}
		}
	}
	if len(diags) == 0 { // otherwise the kinds are the same, and the other diagnostics say more
		diags = within
	}
	return diags.Err()
}

// invisible reports imports that the go command refuses: of internal packages, whose parent directory does not contain the
// importing file. Files in API packages import what these may import.
func invisible(a *run.API, files []render.File) diag.List {
	var diags diag.List
	reported := map[string]bool{}
	imports, sources := run.Each(files, run.GoImports), slices.Collect(maps.Values(a.Layout.SourceDirs))
	for i, file := range files {
		importer := path.Join(a.Place.ImportPath, path.Dir(file.Path))
		if slices.Contains(sources, path.Dir(file.Path)) {
			continue
		}
		for _, importPath := range imports[i] {
			above := strings.LastIndex("/"+importPath+"/", "/internal/") - 1
			if above < 0 || reported[importPath] || strings.HasPrefix(importer+"/", importPath[:above]+"/") {
				continue
			}
			parent := importPath[:above]
			reported[importPath] = true
			diags.AddHint(importPos(a, importPath), "move the types out of the internal directory, or the output below "+parent,
				"package %s is internal to %s, and %s cannot import it", importPath, parent, importer)
		}
	}
	return diags
}

// importPos returns the position of a loaded package, or of its import in a loaded package.
func importPos(a *run.API, importPath string) token.Position {
	for _, origin := range a.Resolved.Versions {
		if origin.Source.Path == importPath {
			return origin.Pos
		}
	}
	for _, pkg := range a.Loaded.Packages {
		for _, file := range pkg.Files {
			for _, spec := range file.Imports {
				if imported, err := strconv.Unquote(spec.Path.Value); err == nil && imported == importPath {
					return a.Loaded.Fset.Position(spec.Pos())
				}
			}
		}
	}
	return token.Position{}
}

// libraries are the modules that generated files import and that have no kinds.
var libraries = []string{"k8s.io/apimachinery", "k8s.io/client-go"}

// mayRemove reports kinds whose files the plan must not remove without --prune, because nobody has deleted them: their packages still
// exist, and a run that named them would generate these files. It does not report kinds and packages that are gone or have lost their
// markers.
func mayRemove(ctx context.Context, r *run.Run) error {
	a, plan := r.API, r.Plan
	if a.Options.Values.Prune {
		return nil
	}
	packages, err := importedBy(ctx, a, plan)
	if err != nil || len(packages) == 0 {
		return err
	}
	lost, first := map[string][]string{}, map[string]token.Position{}
	others := a.Resolved.Others(packages)
	find := func() {
		files := a.Options.Generators.FilesOf(others.API, &a.Layout)
		for _, kind := range others.API.Kinds() {
			from := kind.Version.Source.Path
			isRemoved := func(name string) bool { return slices.Contains(plan.Remove, name) }
			if !slices.ContainsFunc(files[kind], isRemoved) || slices.Contains(lost[from], kind.Name) {
				continue
			}
			if lost[from] = append(lost[from], kind.Name); len(lost[from]) == 1 {
				first[from] = others.Kinds[kind].Pos
			}
		}
	}
	find()
	// In a run with packages of another group in the same folder, folders are named after groups.
	for _, version := range others.API.Versions() {
		version.GroupFolder = strings.ToLower(version.Group.GoName)
	}
	find()
	var diags diag.List
	for _, from := range slices.Sorted(maps.Keys(lost)) {
		diags.AddHint(first[from], "add package "+from+" to this run, or remove its files with --prune",
			"the files of %s would be removed, because their package is not part of this run", strings.Join(lost[from], ", "))
	}
	return cmp.Or(ctx.Err(), diags.Err())
}

// withoutKinds reports whether an import path belongs to a library, or to a package of the output.
func withoutKinds(a *run.API, importPath string) bool {
	inModuleOf := func(p *load.Package) bool { return p.Module != nil && within(p.Module.Path, importPath) }
	return slices.ContainsFunc(libraries, func(module string) bool { return within(module, importPath) }) ||
		module.Standard(importPath) && !slices.ContainsFunc(a.Loaded.Packages, inModuleOf) || // modules may have such names too
		within(a.Place.ImportPath, importPath)
}

// importedBy returns existing packages that the run has not loaded and that are imported by files that the plan removes.
func importedBy(ctx context.Context, a *run.API, plan *output.Plan) ([]*load.Package, error) {
	asked := map[string]bool{}
	for _, pkg := range a.Loaded.Packages {
		asked[pkg.Path] = true
	}
	var found []*load.Package
	for _, name := range plan.Remove {
		if path.Ext(name) != ".go" {
			continue
		}
		for _, importPath := range module.Imports(plan.Old(name)) {
			if asked[importPath] || withoutKinds(a, importPath) {
				continue
			}
			asked[importPath] = true
			pkg, err := a.Loaded.Find(ctx, importPath)
			if err != nil {
				return nil, err
			}
			if pkg != nil {
				found = append(found, pkg)
			}
		}
	}
	return found, nil
}

// newerRelease warns about a release of client-go that nobody has compared with yet.
func newerRelease(a *run.API) (diags diag.List) {
	if a.ClientGo.TooNew {
		diags.Warn(a.ClientGo.Pos, "upgrade informer-gen-lite, or set --client-go "+model.NewestTarget.String(),
			"client-go %s is newer than %s, the newest known release, for which this is generated", a.ClientGo.Version, model.NewestTarget)
	}
	return diags
}

// missingSymbols reports declarations that the files use and that a newer release of client-go or apimachinery no longer has. Modules
// that are not downloaded are not checked.
func missingSymbols(a *run.API, files []render.File) (diags diag.List) {
	if !a.ClientGo.TooNew {
		return nil
	}
	declared := map[string]map[string]token.Position{} // by import path; nil for packages without sources
	for _, file := range files {
		syntax, _ := parser.ParseFile(token.NewFileSet(), "", file.Content, parser.SkipObjectResolution) // manifests are no Go
		if syntax == nil || !strings.HasSuffix(file.Path, ".go") {
			continue
		}
		for _, symbol := range slices.Sorted(maps.Keys(symbolsOf(syntax))) {
			importPath, name, _ := strings.Cut(symbol, "#")
			names, known := declared[importPath]
			if !known {
				names = declaredIn(module.Source(a.Place.Root(), importPath))
				declared[importPath] = names
			}
			if _, has := names[name]; !has && names != nil {
				names[name] = token.Position{} // once
				diags.AddHint(a.ClientGo.Pos, "use an earlier release, or upgrade informer-gen-lite",
					"%s lacks %s of package %s, which the output for %s uses", a.ClientGo.Because, name, importPath, model.NewestTarget)
			}
		}
	}
	return diags
}

// symbolsOf returns the names of Kubernetes' modules that a file uses, as import path and name with a # between them.
func symbolsOf(file *ast.File) map[string]bool {
	imports, symbols := map[string]string{}, map[string]bool{}
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		for _, prefix := range []string{"k8s.io/client-go/", "k8s.io/apimachinery/", "sigs.k8s.io/structured-merge-diff/"} {
			if strings.HasPrefix(importPath, prefix) {
				name := filepath.Base(importPath)
				if spec.Name != nil {
					name = spec.Name.Name
				}
				imports[name] = importPath
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok && imports[pkg.Name] != "" {
				symbols[imports[pkg.Name]+"#"+selector.Sel.Name] = true
			}
		}
		return true
	})
	return symbols
}

// declaredIn returns the names that the package in a directory declares on any operating system, or nil without a package.
func declaredIn(dir string) map[string]token.Position {
	sources, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	if dir == "" || len(sources) == 0 {
		return nil
	}
	names := map[string]token.Position{}
	for _, source := range sources {
		if !strings.HasSuffix(source, "_test.go") {
			file, _ := parser.ParseFile(token.NewFileSet(), source, nil, parser.SkipObjectResolution)
			maps.Copy(names, losses.Declared(nil, file))
		}
	}
	return names
}
