package pipeline

import (
	"bytes"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// usesApply reports whether clients of the output have apply methods: apply configurations are generated for it, or already
// exist. Output without clients needs none.
func usesApply(a *run.API) (bool, error) {
	if !a.Options.Resolve.Apply || a.Options.Generators.Has(product.Apply) {
		return a.Options.Resolve.Apply, nil
	}
	return a.Options.Resolve.Kinds && module.HasGo(a.Place.File(a.Options.Layout.ApplyConfigurationDir)), a.Unlocated
}

// existing is the output directory before the run.
type existing struct {
	module.Place
	layout model.Layout
}

// HasVersion implements resolve.Existing.
func (e existing) HasVersion(groupFolder, folder string) bool {
	v := &model.Version{GroupFolder: groupFolder, Folder: folder}
	return slices.ContainsFunc([]string{e.layout.TypedDir(v), e.layout.ListerDir(v), e.layout.InformerDir(v)}, e.has)
}

// has reports whether a directory has Go files.
func (e existing) has(dir string) bool { return module.HasGo(e.File(dir)) }

// Client implements resolve.Existing.
func (e existing) Client(kind *model.Kind) []byte {
	name := path.Join(e.layout.TypedDir(kind.Version), kind.FileName(""))
	content, _ := regular.ReadFile(e.File(name)) // unreadable files are ignored
	return content
}

// GroupGoName implements resolve.Existing.
func (e existing) GroupGoName(version *model.Version) string {
	names, _ := filepath.Glob(filepath.Join(e.File(e.layout.TypedDir(version)), "*_client.go"))
	for _, name := range names {
		content, _ := regular.ReadFile(name) // unreadable files are ignored
		if found := clientInterface().FindSubmatch(content); found != nil {
			if name, ofVersion := strings.CutSuffix(string(found[1]), version.GoName); ofVersion {
				return name
			}
		}
	}
	return ""
}

// LacksSchema implements resolve.Existing. code-generator writes a schema only if it gets an OpenAPI document.
func (e existing) LacksSchema() bool {
	if e.layout.ApplyConfigurationDir == "" {
		return false
	}
	name := e.File(e.layout.ApplyConfigurationDir + "/internal/internal.go")
	content, err := regular.ReadFile(name)
	return err == nil && origin.Of(content) != nil && !namedType().Match(content)
}

// namedType matches the definition of a type that has a name in Go.
var namedType = lazy.Regexp(`(?m)^- name: [^_\n]`)

// OnlyClient implements resolve.Existing. A handwritten expansion alone is not a client.
func (e existing) OnlyClient(version *model.Version) bool {
	return e.generated(e.layout.TypedDir(version)) && e.has(e.layout.Informers) &&
		!e.has(e.layout.ListerDir(version)) && !e.has(e.layout.InformerDir(version))
}

// lacksFakes reports whether there is a clientset without fakes: their folder is missing, and the run that wrote it did not make them. A
// killed first run leaves no checksums, but no file of client-gen either.
func (e existing) lacksFakes() bool {
	dir := e.File(e.layout.Clientset)
	if _, err := os.Stat(filepath.Join(dir, "fake")); err == nil {
		return false
	}
	sums, err := regular.ReadFile(e.File(output.ManifestName))
	clientset, _ := regular.ReadFile(filepath.Join(dir, "clientset.go")) // without one, nothing is missing
	by := origin.Of(clientset)
	if err != nil {
		return slices.Contains(by, "by client-gen.")
	}
	return by != nil && !bytes.Contains(sums, []byte("  "+e.layout.Clientset+"/fake/"))
}

// generated reports whether a directory has a file that a generator wrote.
func (e existing) generated(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(e.File(dir), "*.go"))
	return slices.ContainsFunc(names, func(name string) bool {
		content, _ := regular.ReadFile(name) // unreadable files are ignored
		return origin.Of(content) != nil
	})
}

// clientInterface matches the interface of a version's typed client in generated code. The submatch is the Go name of the group and the
// version.
var clientInterface = lazy.Regexp(`(?m)^type (\w+)Interface interface \{\n\tRESTClient\(\) rest\.Interface$`)

// checkExisting reports apply configurations that clients refer to and that are neither generated nor exist.
func checkExisting(a *run.API) diag.List {
	opts := a.Options
	if a.Resolved.API.Apply == nil || opts.Generators.Has(product.Apply) ||
		!opts.Generators.Has(product.Clientset) && !opts.Generators.Has(product.Controller) {
		return nil
	}
	var diags diag.List
	files := only(a, product.Apply).FilesOf(a.Resolved.API, &a.Layout)
	for _, kind := range a.Resolved.API.Kinds() {
		for _, file := range files[kind] {
			if _, err := os.Stat(a.Place.File(file)); err != nil {
				diags.AddHint(a.Resolved.Kinds[kind].Pos,
					"run the generator applyconfiguration too, or omit apply methods with --skip applyconfiguration",
					"the apply configuration of %s is neither generated nor in %s", kind.Name, file)
			}
		}
	}
	return diags
}

// missing reports packages of an output that its files import and that neither exist nor are generated by one of the runs.
func missing(runs []run.Run) diag.List {
	made := map[string]bool{}
	for _, run := range runs {
		for _, file := range run.Files {
			made[run.API.Place.File(path.Dir(file.Path))] = true
		}
	}
	var diags diag.List
	for _, run := range runs {
		place := run.API.Place
		for _, importPath := range slices.Sorted(maps.Keys(run.Imports)) {
			below, own := strings.CutPrefix(importPath, place.ImportPath+"/")
			if dir := place.File(below); !own || made[dir] || module.HasGo(dir) {
				continue
			}
			hint := "run all generators"
			for _, g := range run.API.Options.Products {
				if tree := g.Dir(&run.API.Layout); tree != "" && within(tree, below) {
					hint = "run the generator " + g.Name + " too"
				}
			}
			diags.AddHint(token.Position{}, hint,
				"%s imports %s, which does not exist and is not generated in this run", run.Imports[importPath], importPath)
		}
	}
	return diags
}

// promoted are the methods that fakes have from gentype.FakeClient and the types that embed it.
var promoted = strings.Fields(
	"Get List Watch Create Update UpdateStatus Delete DeleteWithResult DeleteCollection Patch Apply ApplyStatus Namespace Kind Resource")

// unfaked reports methods in handwritten expansions of typed clients that fakes lack: the output would not compile.
func unfaked(a *run.API, files []render.File) (diags diag.List) {
	if a.Layout.NoFakes || !a.Options.Generators.Has(product.Clientset) {
		return nil
	}
	contents := map[string]any{} // nil for handwritten files, which are on disk
	for name := range a.Layout.Handwritten {
		contents[name] = nil
	}
	for _, file := range files {
		contents[file.Path] = file.Content
	}
	fset := token.NewFileSet()
	declared := func(name string) map[string]token.Position {
		file, _ := parser.ParseFile(fset, a.Place.File(name), contents[name], parser.SkipObjectResolution) // the compiler reports errors
		return losses.Declared(fset, file)
	}
	made := only(a, product.Clientset).FilesOf(a.Resolved.API, &a.Layout)
	for _, kind := range a.Resolved.API.Kinds() {
		dir := a.Layout.TypedDir(kind.Version)
		if len(made[kind]) == 0 || !a.Layout.HasExpansion(dir, kind) {
			continue
		}
		fakes, fake := map[string]token.Position{}, "fake"+kind.Plural
		for name := range contents {
			if path.Dir(name) == dir+"/fake" && !strings.HasSuffix(name, "_test.go") {
				maps.Copy(fakes, declared(name))
			}
		}
		for name, pos := range declared(path.Join(dir, kind.Lower()+"_expansion.go")) {
			method, ofExpansion := strings.CutPrefix(name, kind.Name+"Expansion.")
			if _, has := fakes[fake+"."+method]; ofExpansion && !has && !slices.Contains(promoted, method) {
				file := path.Join(dir, "fake", "fake_"+kind.Lower()+"_expansion.go")
				diags.AddHint(pos, "declare it in "+file+" of the output, or skip the fakes with --skip fake",
					"%s, the fake client of %s, has no method %s", fake, kind.Name, method)
			}
		}
	}
	return diags
}

// only returns the product with a name.
func only(a *run.API, name string) product.Table {
	return slices.DeleteFunc(slices.Clone(a.Options.Products), func(p product.Product) bool { return p.Name != name })
}
