package resolve

import (
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/rbac"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// setPermissions reads the permissions that the reconciler of a kind needs in addition.
func setPermissions(kind *model.Kind, decl *source.Type, diags *diag.List) {
	for _, m := range decl.Markers.All(marker.RBAC) {
		permission, err := rbac.ParsePermission(m.Value)
		switch {
		case err != nil:
			diags.AddHint(m.ValuePos(0), "as in +informergen:rbac=groups=core,resources=secrets,verbs=get;list", "invalid +%s: %w", m.Name, err)
		case kind.Controller == nil:
			diags.AddHint(m.Pos, "add // +"+marker.Controller+", or write +kubebuilder:rbac", "kind %s has no controller, so +%s has no effect",
				kind.Name, m.Name)
		default:
			kind.Controller.Permissions = append(kind.Controller.Permissions, permission)
		}
	}
}
