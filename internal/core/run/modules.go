package run

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// GoGet is a command that adds missing modules for the imports of generated files, or packages to the vendor directory.
type GoGet struct {
	// Module is the root of the module, in which the command must run.
	Module string
	// Edit are the arguments of a go command that must run first; nil for none.
	Edit []string
	// Args are the arguments of the go command; nil if go.mod has all modules.
	Args []string
	// Vendored is true if the module has a vendor directory, which must be updated too.
	Vendored bool
}

// Line returns the command as a shell command line for a directory.
func (g GoGet) Line(dir string) string {
	command := "go "
	if rel := filepath.ToSlash(diag.Relative(dir, g.Module)); rel != "." {
		command += "-C " + rel + " "
	}
	if g.Args == nil {
		return command + "mod vendor"
	}
	line := command + strings.Join(g.Args, " ")
	if g.Edit != nil {
		line = command + strings.Join(lists.Map(g.Edit, module.Quote), " ") + " && " + line
	}
	if g.Vendored {
		line += " && " + command + "mod vendor"
	}
	return line
}

// Note says what to replace in the line before it can run; "" for nothing.
func (g GoGet) Note() string {
	if !slices.Contains(g.Edit, "-replace="+module.Library+"="+module.LibraryPlaceholder) {
		return ""
	}
	return "replace " + module.LibraryPlaceholder + " by the folder runtime of the repository that informer-gen-lite was built from, " +
		"which a build with -trimpath does not know"
}

// GoGet returns the command that adds the modules for the generated files to the module of the output directory, or else packages to
// its vendor directory; false if nothing is missing.
func (r *Run) GoGet() (GoGet, bool) {
	return goGet(r.API.Place.Dir, r.Imports, []*API{r.API})
}

// GoGetTests returns the command that adds the modules for files below a directory, including tests, which use the APIs.
func GoGetTests(dir string, files []render.File, apis []*API) GoGet {
	get, _ := goGet(dir, ImportsOf(files), apis)
	if get.Args != nil { // otherwise go mod vendor finds the tests, too
		get.Args = slices.Insert(get.Args, 1, "-t")
	}
	return get
}

// goGet returns the command for the module that owns a directory, and whether its go.mod lacks modules for the imports. The
// user's own packages need no requirement: they are in this module or in a workspace with it.
func goGet(dir string, imports map[string]string, apis []*API) (GoGet, bool) {
	owner, err := module.Owner(dir)
	if err != nil {
		return GoGet{}, false
	}
	file, err := module.ReadFile(owner.Dir)
	if err != nil {
		return GoGet{}, false
	}
	imports = maps.Clone(imports)
	for _, api := range apis {
		for own := range api.Layout.SourceDirs {
			delete(imports, own)
		}
	}
	foreign := slices.Collect(maps.Keys(imports))
	lacking := module.Lacks(file, foreign)
	vendored := module.Vendored(owner.Dir)
	if vendored && len(lacking) == 0 {
		return GoGet{Module: owner.Dir, Vendored: true}, len(module.LacksVendored(file, foreign)) > 0
	}
	version := module.KubernetesVersion(file, module.ClientGoVersion)
	if len(apis) > 0 {
		version = cmp.Or(apis[0].ClientGo.Query(), version)
	}
	library := module.ThisLibrary()
	return GoGet{
		Module: owner.Dir, Edit: module.Edit(lacking, library), Args: module.Get(lacking, version, library),
		Vendored: vendored,
	}, len(lacking) > 0
}

// PrintGoGet prints the commands that add the imports of the generated files to go.mod and the vendor directory, each once.
func PrintGoGet(w io.Writer, dir string, runs []Run) {
	var printed []string
	for i := range runs {
		get, lacks := runs[i].GoGet()
		if line := get.Line(dir); lacks && !slices.Contains(printed, line) {
			printed = append(printed, line)
			missing := "modules missing from go.mod"
			if get.Args == nil {
				missing = "packages missing from the vendor directory"
			}
			fmt.Fprintf(w, "generated code imports %s; run:\n\t%s\n", missing, line)
			if note := get.Note(); note != "" {
				fmt.Fprintln(w, note)
			}
		}
	}
}
