package pipeline

import (
	"bytes"
	"errors"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/deepcopy"
)

// packageDirs returns the possible locations of generated files in API packages, for all generators, selected or not, and the
// directories of manifests.
func packageDirs(api *API) []output.PackageDir {
	names := filesInPackages(generators.All)
	var all []output.PackageDir
	for _, pkg := range api.Loaded.Packages {
		if pkg.InMainModule() {
			dir := output.PackageDir{Dir: api.Layout.SourceDirs[pkg.Path], Module: pkg.Module.Dir, Names: names}
			if kept := deepcopy.FileOf(pkg); kept != deepcopy.File {
				dir.Kept = map[string]string{kept: deepcopy.File}
			}
			all = append(all, dir)
		}
	}
	for _, m := range api.Options.Manifests {
		i := slices.IndexFunc(all, func(d output.PackageDir) bool { return d.Dir == api.below(m) })
		if i < 0 {
			i, all = len(all), append(all, output.PackageDir{Dir: api.below(m), Module: api.Place.Root()})
		}
		all[i].Manifests = true
	}
	return all
}

// disagreements reports files in API packages for which two outputs have different contents, so that each would undo the other.
func disagreements(runs []Run) diag.List {
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
func awaited(runs []Run) diag.List {
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
		if slices.ContainsFunc(run.API.Options.Generators, func(g generators.Generator) bool { return g.Folder != nil }) {
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
func (a *API) kindsByFile() map[string]token.Position {
	declared := map[string]token.Position{}
	for kind, files := range generators.FilesOf(a.Resolved.API, &a.Layout, a.Options.Generators) {
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
	names := ofEach(files, render.File.Declares)
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
