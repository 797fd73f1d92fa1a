// Package generators lists the generators, which turn the model of an API into files, in the order in which their output
// builds on each other.
package generators

import (
	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/generators/controller"
	"github.com/informer-gen-lite/informer-gen-lite/generators/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/generators/informers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/listers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Generator makes the files of one kind of output.
type Generator = render.Generator

// All holds every generator, in the order in which their output builds on each other.
var All = []Generator{
	deepcopy.Generator, register.Generator, applyconfiguration.Generator, clientset.Generator, listers.Generator,
	informers.Generator, controller.Generator,
}

// The generators of manifests. They do not work on the model alone, and write to directories of their own: CustomResourceDefinitions, and
// roles.
const (
	CRD  = "crd"
	RBAC = "rbac"
)

// Names returns the names of all generators.
func Names() []string {
	names := make([]string, 0, len(All)+2)
	for _, g := range All {
		names = append(names, g.Name)
	}
	return append(names, CRD, RBAC)
}

// FilesOf returns the paths of the files that the generators make for single kinds, relative to the output directory.
func FilesOf(api *model.API, layout *model.Layout, selected []Generator) map[*model.Kind][]string {
	files := map[*model.Kind][]string{}
	for _, g := range selected {
		for _, job := range g.Jobs(api, layout) {
			if view, ok := job.View.(interface{ About() *model.Kind }); ok && view.About() != nil {
				files[view.About()] = append(files[view.About()], job.Path)
			}
		}
	}
	return files
}

// FilesIn returns the paths of the files that the generators put into packages, by import path.
func FilesIn(api *model.API, layout *model.Layout, selected []Generator) map[string][]string {
	files := map[string][]string{}
	for _, g := range selected {
		for _, job := range g.Jobs(api, layout) {
			if view, ok := job.View.(interface{ AboutPackage() string }); ok {
				files[view.AboutPackage()] = append(files[view.AboutPackage()], job.Path)
			}
		}
	}
	return files
}
