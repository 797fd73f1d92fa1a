package resolve

import (
	"slices"
	"strings"

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
			permission.Pos = m.Pos
			kind.Controller.Permissions = append(kind.Controller.Permissions, permission)
		}
	}
}

// separateScopes splits permissions of markers into those for objects with and without a namespace, as far as scopes are known: of the
// kinds of this run and of Kubernetes' own.
func separateScopes(api *model.API) {
	clusterScoped := func(group, resource string) bool {
		resource, _, _ = strings.Cut(resource, "/")
		for _, kind := range api.Kinds() {
			if kind.Version.Group.Name == group && kind.Resource == resource {
				return !kind.Namespaced
			}
		}
		return slices.Contains(clusterScopedResources[group], resource)
	}
	for _, kind := range api.WithControllers() {
		var separate []model.Permission
		for _, permission := range kind.Controller.Permissions {
			separate = append(separate, permission.ByScope(clusterScoped)...)
		}
		kind.Controller.Permissions = separate
	}
}

// clusterScopedResources are Kubernetes' resources without a namespace, by group.
var clusterScopedResources = map[string][]string{
	"":     coreClusterScoped,
	"core": coreClusterScoped,
	"admissionregistration.k8s.io": {
		"mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "mutatingwebhookconfigurations",
		"validatingadmissionpolicies", "validatingadmissionpolicybindings", "validatingwebhookconfigurations",
	},
	"apiextensions.k8s.io":         {"customresourcedefinitions"},
	"apiregistration.k8s.io":       {"apiservices"},
	"authentication.k8s.io":        {"selfsubjectreviews", "tokenreviews"},
	"authorization.k8s.io":         {"selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews"},
	"certificates.k8s.io":          {"certificatesigningrequests", "clustertrustbundles"},
	"flowcontrol.apiserver.k8s.io": {"flowschemas", "prioritylevelconfigurations"},
	"imagepolicy.k8s.io":           {"imagereviews"},
	"internal.apiserver.k8s.io":    {"storageversions"},
	"networking.k8s.io":            {"ingressclasses", "ipaddresses", "servicecidrs"},
	"node.k8s.io":                  {"runtimeclasses"},
	"rbac.authorization.k8s.io":    {"clusterrolebindings", "clusterroles"},
	"resource.k8s.io":              {"deviceclasses", "devicetaintrules", "resourcepoolstatusrequests", "resourceslices"},
	"scheduling.k8s.io":            {"priorityclasses"},
	"storage.k8s.io":               {"csidrivers", "csinodes", "storageclasses", "volumeattachments", "volumeattributesclasses"},
	"storagemigration.k8s.io":      {"storageversionmigrations"},
}

var coreClusterScoped = []string{"componentstatuses", "namespaces", "nodes", "persistentvolumes"}
