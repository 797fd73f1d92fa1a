// Package resolve makes the model from loaded packages and their markers. It holds every check that needs two facts, and
// reports all problems, not only the first. The parts of the model that are worked out from types have packages of their
// own below this one.
package resolve

import (
	"cmp"
	"context"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/controller"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve/source"
)

// Options are the user's decisions that no source file records.
type Options struct {
	// Target is the client-go that the output is made for.
	Target model.Target
	// Plurals maps kinds to their plurals in Go form, where English spelling rules give the wrong one.
	Plurals map[string]string
	// CRDs are the manifests that the kinds have to agree with.
	CRDs []CRD
	// Apply turns apply configurations on.
	Apply bool
	// ApplyConfigurations are the decisions about them.
	ApplyConfigurations applyconfiguration.Options
	// Register turns on registrations for the packages that ask for one.
	Register bool
	// DeepCopies turns on deep copies for the types that ask for them.
	DeepCopies bool
}

// Result is the model and the reasons for it.
type Result struct {
	API *model.API
	// Versions and Kinds hold what was decided for each version and kind, and why.
	Versions map[*model.Version]Facts
	Kinds    map[*model.Kind]Facts
	// Declared holds the position of each kind's type, and Docs its comment, line by line.
	Declared map[*model.Kind]token.Position
	Docs     map[*model.Kind][]string
	// WithoutClients are the versions that are not part of the model, because only files next to their types are
	// generated.
	WithoutClients []*model.Version
	// PassedOver counts the packages without a type to generate for, Internal the packages of internal versions, and
	// OptedOut the packages whose markers turn every generator off.
	PassedOver, Internal, OptedOut int
	// Nothing says what was searched if the model is empty without an error.
	Nothing diag.List
}

// API builds the model. With diagnostics, the model must not be used. Packages that the loaded types refer to are loaded on
// demand, until the context is done.
func API(ctx context.Context, loaded *load.Result, opts Options) (Result, diag.List) {
	if opts.Register {
		register.SetAside(loaded)
	}
	universe := gotype.NewUniverse(ctx, loaded)
	r := &resolver{
		universe: universe, opts: opts, all: source.ReadAll(universe),
		groups: map[string]*model.Group{}, sources: map[*model.Version]*source.Package{}, packages: map[string]*model.Package{},
		versionFacts: map[*model.Version]Facts{}, kindFacts: map[*model.Kind]Facts{}, declared: map[*model.Kind]token.Position{}, docs: map[*model.Kind][]string{},
		controllers: map[*model.Kind]controller.Tag{},
	}
	var result Result
	for _, s := range r.all {
		switch r.add(s) {
		case passedOver:
			result.PassedOver++
		case internalVersion:
			result.Internal++
		case optedOut:
			result.OptedOut++
		}
	}
	if opts.DeepCopies {
		for s, copies := range deepcopy.Resolve(universe, r.all, &r.diags) {
			r.packageOf(s).DeepCopies = copies
		}
	}
	result.API = r.finish()
	result.Versions, result.Kinds, result.Declared, result.Docs = r.versionFacts, r.kindFacts, r.declared, r.docs
	result.WithoutClients = r.withoutClients
	result.Nothing = r.nothing(loaded, result)
	return result, universe.Explain(r.diags)
}

// resolver collects the model.
type resolver struct {
	universe *gotype.Universe
	opts     Options
	// all are the loaded packages.
	all     []*source.Package
	diags   diag.List
	groups  map[string]*model.Group
	sources map[*model.Version]*source.Package
	// packages are the packages that files are generated into, by import path.
	packages map[string]*model.Package
	// withoutClients are the versions for which only files next to their types are generated.
	withoutClients []*model.Version

	versionFacts map[*model.Version]Facts
	kindFacts    map[*model.Kind]Facts
	declared     map[*model.Kind]token.Position
	docs         map[*model.Kind][]string
	// controllers are the markers of the kinds that have a controller.
	controllers map[*model.Kind]controller.Tag
}

// packageOf returns the package that files are generated into, next to the types of a source package.
func (r *resolver) packageOf(s *source.Package) *model.Package {
	if r.packages[s.Path] == nil {
		r.packages[s.Path] = &model.Package{Path: s.Path, Name: s.Name}
	}
	return r.packages[s.Path]
}

type outcome int

const (
	added outcome = iota
	passedOver
	internalVersion
	optedOut
)

// add resolves one package into the model.
func (r *resolver) add(s *source.Package) outcome {
	wanted := s.Wanted()
	registers := r.opts.Register && register.Asked(s)
	copies := r.opts.DeepCopies && s.InMainModule() && deepcopy.Asked(s)
	if len(wanted) > 0 || registers || copies || s.DeclaresObjects() {
		s.CheckSpelling(&r.diags)
	}
	if len(wanted) == 0 && !registers && copies {
		return added
	}
	if len(wanted) == 0 && !registers {
		return passedOver
	}
	if s.Internal(r.universe) {
		return internalVersion
	}
	s.CheckTags(&r.diags)
	version, facts := versionOf(s, &r.diags)
	if version.Generate == (model.Activation{}) && !registers {
		r.versionFacts[version] = facts
		return optedOut
	}
	for _, name := range wanted {
		if kind := r.kindOf(s, name, version); kind != nil {
			version.Kinds = append(version.Kinds, kind)
		}
	}
	slices.SortFunc(version.Kinds, func(a, b *model.Kind) int { return strings.Compare(a.Name, b.Name) })
	if registers {
		r.packageOf(s).Registration = register.Resolve(s, version, &r.diags)
		facts.addRegistration(s)
	}
	r.versionFacts[version] = facts
	if len(wanted) == 0 || version.Generate == (model.Activation{}) {
		r.withoutClients = append(r.withoutClients, version)
		return added
	}
	r.sources[version] = s
	r.join(version)
	return added
}

// join adds the version to the group of its name.
func (r *resolver) join(version *model.Version) {
	group, ok := r.groups[version.Group.Name]
	if !ok {
		group = version.Group
		r.groups[group.Name] = group
	}
	version.Group = group
	group.Versions = append(group.Versions, version)
}

// finish sorts the model, names its groups and makes the checks that need all of it.
func (r *resolver) finish() *model.API {
	api := &model.API{}
	for _, path := range slices.Sorted(maps.Keys(r.packages)) {
		api.Packages = append(api.Packages, r.packages[path])
	}
	for _, group := range r.groups {
		slices.SortFunc(group.Versions, func(a, b *model.Version) int {
			return cmp.Or(strings.Compare(a.Folder, b.Folder), strings.Compare(a.Source.Path, b.Source.Path))
		})
		api.Groups = append(api.Groups, group)
	}
	slices.SortFunc(api.Groups, func(a, b *model.Group) int { return strings.Compare(a.Name, b.Name) })
	for _, group := range api.Groups {
		r.nameGroup(group)
	}
	r.separateFolders(api)
	r.checkGroups(api)
	for _, version := range api.Versions() {
		r.checkVersion(version)
		for _, kind := range version.Kinds {
			checkCRDs(kind, r.opts.CRDs, r.sources[version].Decls[kind.Name].Pos, &r.diags)
		}
	}
	controller.Link(api, r.opts.Target, r.controllers, &r.diags)
	if r.opts.Apply && len(r.diags) == 0 {
		api.Apply = applyconfiguration.Resolve(r.universe, r.all, api, r.opts.ApplyConfigurations, &r.diags)
	}
	return api
}

// nothing returns diagnostics that say why there is nothing to generate; none if there is something.
func (r *resolver) nothing(loaded *load.Result, result Result) diag.List {
	if len(r.groups)+len(r.packages) > 0 {
		return nil
	}
	var diags diag.List
	if result.Internal > 0 {
		diags.AddHint(token.Position{}, "give ObjectMeta its tag: `json:\"metadata,omitempty\"`, and SchemeGroupVersion the name of a version",
			"nothing to generate: %d of %d packages hold internal versions, whose ObjectMeta has no json tag or whose SchemeGroupVersion has runtime.APIVersionInternal",
			result.Internal, len(loaded.Packages))
	}
	if result.OptedOut > 0 {
		diags.Add(token.Position{}, "nothing to generate: %d of %d packages opt out of every generator", result.OptedOut, len(loaded.Packages))
	}
	if len(diags) == 0 {
		diags.AddHint(token.Position{}, "put // +genclient above the types that clients are wanted for",
			"nothing to generate: no type with +genclient in %d packages (%d files)", len(loaded.Packages), loaded.FilesParsed)
	}
	return diags
}
