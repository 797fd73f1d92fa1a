package pipeline

import (
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/generators"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// promoted are the methods that fakes have from gentype.FakeClient and the types that embed it.
var promoted = strings.Fields(
	"Get List Watch Create Update UpdateStatus Delete DeleteWithResult DeleteCollection Patch Apply ApplyStatus Namespace Kind Resource")

// unfaked reports methods in handwritten expansions of typed clients that fakes lack: the output would not compile.
func (a *API) unfaked(files []render.File) (diags diag.List) {
	if a.Layout.NoFakes || !a.Options.Selects(clientset.Generator.Name) {
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
	made := generators.FilesOf(a.Resolved.API, &a.Layout, []generators.Generator{clientset.Generator})
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
