package outputs

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
)

// Input is a package that a call names.
type Input struct {
	// Place has the directory, if known, and the import path.
	module.Place
	// Open is the question for the user if the package is unknown; else "".
	Open string
	Pos  token.Position
}

func (i Input) same(j Input) bool {
	return i.Open == j.Open && (i.Open != "" || i.Place == j.Place || i.ImportPath != "" && i.ImportPath == j.ImportPath)
}

// covers reports whether i is the package j, or a pattern for it.
func (i Input) covers(j Input) bool {
	root, all := strings.CutSuffix(i.Dir, "/...")
	return i.same(j) || all && j.Dir != "" && module.Within(root, j.Dir)
}

// PackageDir returns the directory of a package or, for a pattern, the directory that the pattern begins in.
func (i Input) PackageDir() string { return strings.TrimSuffix(i.Dir, "/...") }

// union returns the inputs of both, without duplicates.
func union(a, b []Input) []Input {
	all := slices.Clone(a)
	for _, i := range b {
		if !slices.ContainsFunc(all, i.same) {
			all = append(all, i)
		}
	}
	return all
}

// Part is what one generator makes of a piece: from which packages, and where, unless the files are in these packages.
type Part struct {
	Where  module.Place
	Inputs []Input
}

// The generators whose output has a directory, with its key in the configuration.
const (
	Clientset = product.Clientset
	Listers   = product.Listers
	Informers = product.Informers
	Applied   = product.Apply
	dirKey    = "-dir"
)

// The generators of manifests.
const (
	Definitions = controllergen.CRD
	Roles       = controllergen.RBAC
)

var (
	inClients = []string{Clientset, Listers, Informers}
	inOwnDir  = append(slices.Clone(inClients), Applied)
	// inManifests are the generators of YAML. Roles are not about packages, but their part has those with markers.
	inManifests = []string{Definitions, Roles}
)

// Call is a call of controller-gen for manifests. Its pieces become part of a configuration together, or not at all.
type Call struct {
	Pos token.Position
	// Text is the call without the parts that are translated in any case.
	Text string
	// Problem says why the call cannot be translated; it is empty for other calls. Diags report the parts that a translation loses.
	Problem string
	Diags   diag.List
}

// Piece is the contribution of one tool call to an output: all of it or, for a single generator, its part.
type Piece struct {
	Pos     token.Position
	Partial bool
	// Parts are the generated parts, by the names of generators.
	Parts map[string]Part
	// Problem is the reason why a location is unknown.
	Problem string
	// Stays is true if the call stays for files that nothing else generates, and writes the others, too.
	Stays bool
	// Call is the call if the piece is about manifests.
	Call *Call
	// Skip has generators whose files a call that stays writes, and option.Fake if there are no fakes.
	Skip []string
	// ClientsetLink and ListersLink are the import paths used by the informers.
	ClientsetLink, ListersLink string
	// Settings are the other keys. Files are relative to the repository.
	Settings map[string]any
}

// Clone returns a copy that can be merged with others.
func (p *Piece) Clone() *Piece {
	clone := *p
	clone.Parts, clone.Settings = maps.Clone(p.Parts), maps.Clone(p.Settings)
	return &clone
}

// Set sets a part.
func (p *Piece) Set(name string, where module.Place, inputs []Input) {
	p.Parts[name] = Part{where, inputs}
}

// Add adds packages to a part.
func (p *Piece) Add(name string, inputs []Input) {
	p.Set(name, p.Parts[name].Where, union(p.Parts[name].Inputs, inputs))
}

// Makes reports whether a piece has one of these parts.
func (p *Piece) Makes(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := p.Parts[name]; return ok })
}

// places returns where the parts with a directory are.
func (p *Piece) places() map[string]module.Place {
	places := map[string]module.Place{}
	for _, name := range inOwnDir {
		if p.Makes(name) {
			places[name] = p.Parts[name].Where
		}
	}
	return places
}

// makesOnly reports whether the only part with a directory is this one.
func (p *Piece) makesOnly(name string) bool { return p.Makes(name) && len(p.places()) == 1 }

// onlyAPIFiles reports whether all Go files of a piece are in API packages.
func (p *Piece) onlyAPIFiles() bool { return !p.Makes(inOwnDir...) }

// Packages returns the packages of these parts or, without any, of all.
func (p *Piece) Packages(names ...string) (all []Input) {
	if len(names) == 0 {
		inAPIPackages := slices.DeleteFunc(slices.Sorted(maps.Keys(p.Parts)), func(name string) bool {
			return slices.Contains(inOwnDir, name) || slices.Contains(inManifests, name)
		})
		names = slices.Concat(inOwnDir, inAPIPackages, []string{Definitions})
	}
	for _, name := range names {
		all = union(all, p.Parts[name].Inputs)
	}
	return all
}

// Unknown returns the number of unknown inputs and locations.
func (p *Piece) Unknown() (n int) {
	n = len(lists.Filter(p.Packages(), isOpen))
	for _, where := range p.places() {
		if where.Dir == "" {
			n++
		}
	}
	return n
}

// dirs returns the known directories that are written to: the directories of the API packages if nothing is written to others.
func (p *Piece) dirs() []string {
	dirs := lists.Map(inOwnDir, func(name string) string { return p.Parts[name].Where.Dir })
	if p.onlyAPIFiles() {
		dirs = append(dirs, lists.Map(p.Packages(), Input.PackageDir)...)
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}

// root returns the output directory: if possible, a directory in which the parts have their usual names.
func (p *Piece) root() string {
	for _, name := range inClients {
		root, ok := strings.CutSuffix(p.Parts[name].Where.Dir, "/"+option.DefaultOf(name+dirKey))
		if ok && !slices.ContainsFunc(p.dirs(), func(dir string) bool { return !module.Within(root, dir) }) {
			return root
		}
	}
	return module.CommonDir(p.dirs())
}

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

// relativeTo returns a setting as a value of the configuration in a directory; nil for an empty setting.
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
