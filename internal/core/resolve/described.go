package resolve

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/smd"
)

// addFields adds the fields of the kinds, which informers of the run-time library know: a manager compares them with definitions in the
// cluster.
func (r *resolver) addFields(api *model.API) {
	if !r.result.Runtime.Used || r.diags.Failed() {
		return
	}
	var roots []smd.Root
	for _, kind := range api.Kinds() {
		if kind.HasInformer() {
			decl := r.universe.Lookup(kind.Version.Source.Path, kind.Name)
			roots = append(roots, smd.Root{Resource: kind.Version.GV() + "/" + kind.Resource, Kind: kind.APIKind(), Decl: decl})
		}
	}
	api.Fields = smd.Fields(r.universe, roots)
}
