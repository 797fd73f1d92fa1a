// Package product has the form of the table of products of a run. The table is in package generators: its rows name resolvers.
package product

import (
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/gofile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Product is something that a run can write: a row of the table. It is a folder of the output, a file in API packages, or manifests.
type Product struct {
	// Name is the name in --only and --skip.
	Name string
	// Program is the part before -gen of the name of code-generator's program that writes the same, which is also its word for
	// generate-groups.sh; "" if no program does. Function is the function of kube_codegen.sh that runs nothing else.
	Program, Function string
	// Plural is what users call the output.
	Plural string

	// Folder returns the directory of all files, slash-separated and relative to the output directory.
	Folder func(*model.Layout) string
	// PackageFile is the usual name of the file in an API package. A file of any name that Program has written keeps its name if AnyName is
	// true.
	PackageFile string
	AnyName     bool
	// Manifests returns the directory of manifests that the options name. ManifestsDir is the conventional directory.
	Manifests    func(option.Values) string
	ManifestsDir string

	// Clients is true if the product is for or about kinds with clients, and follows the rules for them.
	Clients bool
	// Marker begins the marker by which code-generator's script finds the packages that get the file.
	Marker string
	// InPackage has the name of the product. It finds the packages that get the product's file, and resolves its contents.
	InPackage *source.InPackage
	// Jobs returns the jobs for the files of an API. The result depends only on the arguments. It is nil for manifests.
	Jobs func(*model.API, *model.Layout) []render.Job
}

// Dir returns the directory of all files of the product, or "" if they are in API packages or manifests.
func (p Product) Dir(layout *model.Layout) string {
	if p.Folder == nil {
		return ""
	}
	return p.Folder(layout)
}

// The names of the products that other packages name.
const (
	DeepCopy   = "deepcopy"
	Defaults   = "defaults"
	Register   = "register"
	Conversion = "conversion"
	Apply      = "applyconfiguration"
	Clientset  = "clientset"
	Listers    = "listers"
	Informers  = "informers"
	Controller = "controller"
	CRD        = "crd"
	RBAC       = "rbac"
)

// Table has products in the order in which their output builds on each other.
type Table []Product

// Names returns the names of the products.
func (t Table) Names() []string { return lists.Map(t, func(p Product) string { return p.Name }) }

// Has reports whether a product with a name is in the table.
func (t Table) Has(name string) bool {
	return slices.ContainsFunc(t, func(p Product) bool { return p.Name == name })
}

// PackageFiles returns the names of the files in API packages.
func (t Table) PackageFiles() []string {
	files := lists.Map(t, func(p Product) string { return p.PackageFile })
	return lists.Filter(files, func(file string) bool { return file != "" })
}

// Renamed returns the names of files in an API package that have other names than usual, with the usual names.
func (t Table) Renamed(pkg *load.Package) map[string]string {
	renamed := map[string]string{}
	for _, p := range t {
		if p.AnyName {
			if name := gofile.Name(pkg, p.PackageFile); name != p.PackageFile {
				renamed[name] = p.PackageFile
			}
		}
	}
	return renamed
}

// Programs returns the programs of code-generator that the products replace: true for programs that write to API packages.
func (t Table) Programs() map[string]bool {
	programs := map[string]bool{}
	for _, p := range t {
		if p.Program != "" {
			programs[p.Program] = p.PackageFile != ""
		}
	}
	return programs
}

// FilesOf returns the paths of the files for single kinds, relative to the output directory.
func (t Table) FilesOf(api *model.API, layout *model.Layout) map[*model.Kind][]string {
	files := map[*model.Kind][]string{}
	t.each(api, layout, func(job render.Job) {
		if view, ok := job.View.(interface{ About() *model.Kind }); ok && view.About() != nil {
			files[view.About()] = append(files[view.About()], job.Path)
		}
	})
	return files
}

// FilesIn returns the paths of the files in packages, by import path.
func (t Table) FilesIn(api *model.API, layout *model.Layout) map[string][]string {
	files := map[string][]string{}
	t.each(api, layout, func(job render.Job) {
		if view, ok := job.View.(interface{ AboutPackage() string }); ok {
			files[view.AboutPackage()] = append(files[view.AboutPackage()], job.Path)
		}
	})
	return files
}

func (t Table) each(api *model.API, layout *model.Layout, visit func(render.Job)) {
	for _, p := range t {
		if p.Jobs == nil {
			continue
		}
		for _, job := range p.Jobs(api, layout) {
			visit(job)
		}
	}
}
