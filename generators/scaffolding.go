package generators

import (
	"github.com/informer-gen-lite/informer-gen-lite/generators/scaffold"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
	"github.com/informer-gen-lite/informer-gen-lite/templates"
)

// Scaffold renders the handwritten files around generated controllers. They are written once and then belong to the user. Their
// paths are relative to the destination.
func Scaffold(kinds []*model.Kind, layout *model.Layout, destination scaffold.Destination, boilerplate []byte) ([]render.File, error) {
	renderer, err := render.New(templates.FS, boilerplate)
	if err != nil {
		return nil, err
	}
	var files []render.File
	for _, kind := range kinds {
		for _, job := range scaffold.Jobs(kind, layout, destination) {
			file, err := renderer.Render(job)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}
