package scaffold

import (
	"path"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// Kustomization is the file that ties the manifests together, relative to the directory to scaffold in.
const Kustomization = "config/kustomization.yaml"

// together is the template data of files about several kinds.
type together struct {
	Views       []view
	Destination Destination
}

// Resources returns the manifests relative to the kustomization, generated ones first. Kustomize reads files below it only.
func (t together) Resources() []string {
	var resources []string
	add := func(name string) {
		if name, below := strings.CutPrefix(name, path.Dir(Kustomization)+"/"); below && !slices.Contains(resources, name) {
			resources = append(resources, name)
		}
	}
	for _, v := range t.Views {
		for _, kind := range v.stored() {
			add(path.Join(t.Destination.CRDs, kind.DefinitionFile()))
		}
	}
	add(t.Destination.RoleFile)
	for _, v := range t.Views {
		add(path.Join("config/rbac", v.Command()+".yaml"))
		add(path.Join("config/deploy", v.Command()+".yaml"))
	}
	return resources
}

// stored returns the kind and its related kinds whose definitions are generated.
func (v view) stored() []*model.Kind {
	kinds := []*model.Kind{v.Kind}
	for _, related := range v.Related() {
		if related.Kind != nil {
			kinds = append(kinds, related.Kind)
		}
	}
	return kinds
}

// Image returns the name of an image that no registry has, so that nothing else is run by mistake.
func (v view) Image() string { return "example.invalid/" + v.Command() }

func (v view) monitoringDir() string { return path.Join("config/monitoring", v.Command()) }
