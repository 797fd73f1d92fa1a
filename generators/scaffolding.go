package generators

import (
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Scaffold renders the handwritten files around the generated controller of a kind. They are written once and then belong to the user.
// Their paths are relative to the destination.
func Scaffold(kind *model.Kind, layout *model.Layout, destination scaffold.Destination, boilerplate []byte) ([]render.File, error) {
	renderer, err := render.New(templates.FS, boilerplate)
	if err != nil {
		return nil, err
	}
	return renderer.RenderAll(scaffold.Jobs(kind, layout, destination))
}

// ScaffoldTogether renders the handwritten files for all kinds that are scaffolded at the same time.
func ScaffoldTogether(kinds []scaffold.Controlled, destination scaffold.Destination) ([]render.File, error) {
	renderer, err := render.New(templates.FS, nil)
	if err != nil {
		return nil, err
	}
	return renderer.RenderAll(scaffold.JobsTogether(kinds, destination))
}
