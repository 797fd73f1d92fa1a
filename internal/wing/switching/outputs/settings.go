package outputs

import (
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
)

// Keys of the configuration that calls set.
const (
	HeaderKey             = "go-header-file"
	ApplyKey              = "applyconfiguration-package"
	BuildTagsKey          = "build-tags"
	DefinitionsDirKey     = "crd-output-dir"
	DefinitionsOptionsKey = "crd-options"
	RolesDirKey           = "rbac-output-dir"
	RolesOptionsKey       = "rbac-options"
	RoleNameKey           = "rbac-role-name"
	rolesPathsKey         = "rbac-paths"
)

// inPackagesKeys are the keys that matter to files in API packages.
var inPackagesKeys = []string{
	HeaderKey, BuildTagsKey, option.ExtraPeersKey, option.BasePeersKey, option.SkipUnsafeKey, option.GeneratedBuildTagKey,
}

// Location is a setting with an absolute directory.
type Location string

// Options is a setting with options in controller-gen's syntax. Names of files are absolute.
type Options []string

// show returns a setting for messages.
func (m *Merger) show(value any) string { return option.FlowYAML(relativeTo(m.Repo.Root, value)) }

// relativeTo returns a setting as a value of the configuration in a directory; nil for one that says nothing.
func relativeTo(dir string, value any) any {
	switch v := value.(type) {
	case Location:
		return repository.Relative(dir, string(v))
	case Options:
		if len(v) == 0 {
			return nil
		}
		all := make([]string, len(v))
		for i, option := range v {
			all[i] = option
			if file, ok := strings.CutPrefix(option, controllergen.HeaderFile+"="); ok {
				all[i] = controllergen.HeaderFile + "=" + repository.Relative(dir, file)
			}
		}
		return all
	}
	return value
}
