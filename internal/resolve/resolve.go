// Package resolve makes the model of loaded packages and their markers. It holds every check that needs two facts at
// once, and reports all that is wrong, not only the first thing.
package resolve

import (
	"cmp"
	"context"
	"go/token"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// Options are the decisions of the user that no source file records.
type Options struct {
	// Plurals maps kinds to their plurals in Go form, where the rule of English spelling gives the wrong one.
	Plurals map[string]string
	// CRDs are the manifests that kinds have to agree with.
	CRDs []CRD
	// Apply has apply configurations generated. ExternalApplyConfigurations are the packages that have those of types
	// which are not generated.
	Apply                       bool
	ExternalApplyConfigurations map[model.Type]string
	// OpenAPI is the document that the schema of the apply configurations is made from; without a name there is none, and
	// it is made from the types.
	OpenAPI Document
	// Register has registrations generated for the packages that ask for one.
	Register bool
	// DeepCopies has deep copies generated for the types that ask for them.
	DeepCopies bool
}

// Document is a file that the user has given.
type Document struct {
	Name    string
	Content []byte
}

// Result is the model, and what was passed over on the way.
type Result struct {
	API *model.API
	// Versions and Kinds tell for each version and kind what was decided, and why.
	Versions map[*model.Version]Facts
	Kinds    map[*model.Kind]Facts
	// Declared tells where the type of a kind is declared.
	Declared map[*model.Kind]token.Position
	// WithoutClients are the versions that are not part of the model, as nothing but files beside their types is
	// generated for them.
	WithoutClients []*model.Version
	// PassedOver counts the packages without a type to generate for, Internal those that hold internal versions, and
	// OptedOut those whose tags turn every generator off.
	PassedOver, Internal, OptedOut int
	// Nothing says what was looked through if the model is empty though nothing is wrong.
	Nothing diag.List
}

// API builds the model. With diagnostics the model must not be used. Packages that types of the loaded ones refer to are
// loaded as the need arises, as long as the context lasts.
func API(ctx context.Context, loaded *load.Result, opts Options) (Result, diag.List) {
	if opts.Register {
		setAside(loaded)
	}
	r := &resolver{
		universe: gotype.NewUniverse(ctx, loaded),
		groups:   map[string]*model.Group{}, sources: map[*model.Version]*source{},
		versionFacts: map[*model.Version]Facts{}, kindFacts: map[*model.Kind]Facts{}, declared: map[*model.Kind]token.Position{},
		controllers: map[*model.Kind]controllerTag{},
	}
	r.all = newSources(r.universe)
	var result Result
	for _, s := range r.all {
		switch r.add(s, opts) {
		case passedOver:
			result.PassedOver++
		case internalVersion:
			result.Internal++
		case optedOut:
			result.OptedOut++
		}
	}
	if opts.DeepCopies {
		r.addDeepCopies()
	}
	result.API = r.finish(opts)
	result.Versions, result.Kinds, result.Declared = r.versionFacts, r.kindFacts, r.declared
	result.WithoutClients = r.withoutClients
	result.Nothing = r.nothing(loaded, result)
	return result, r.diags
}

// newSources reads the markers of all packages, side by side.
func newSources(universe *gotype.Universe) []*source {
	sources := make([]*source, len(universe.Roots))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, pkg := range universe.Roots {
		group.Go(func() error {
			sources[i] = newSource(universe.Fset, pkg)
			return nil
		})
	}
	_ = group.Wait() // none of them fails
	return sources
}

type resolver struct {
	universe *gotype.Universe
	// all are the loaded packages.
	all      []*source
	diags    diag.List
	groups   map[string]*model.Group
	sources  map[*model.Version]*source
	packages []*model.Package
	// withoutClients are the versions that have only files beside their types.
	withoutClients []*model.Version

	versionFacts map[*model.Version]Facts
	kindFacts    map[*model.Kind]Facts
	declared     map[*model.Kind]token.Position
	// controllers are the tags of the kinds that have one.
	controllers map[*model.Kind]controllerTag
}

type outcome int

const (
	added outcome = iota
	passedOver
	internalVersion
	optedOut
)

// add resolves one package into the model.
func (r *resolver) add(s *source, opts Options) outcome {
	wanted := s.wanted()
	registers := opts.Register && s.asksForRegistration()
	copies := opts.DeepCopies && inMainModule(s.Package.Package) && s.asksForDeepCopies()
	if len(wanted) > 0 || registers || copies || s.declaresObjects() {
		s.checkSpelling(&r.diags)
	}
	if len(wanted) == 0 && !registers && copies {
		return added
	}
	if len(wanted) == 0 && !registers {
		return passedOver
	}
	if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(name string) bool { return !r.internal(s, s.types[name]) }) {
		return internalVersion
	}
	s.checkTags(&r.diags)
	version, facts := s.versionOf(&r.diags)
	if version.Generate == (model.Activation{}) && !registers {
		r.versionFacts[version] = facts
		return optedOut
	}
	for _, name := range wanted {
		if kind := r.kindOf(s, name, version, opts); kind != nil {
			version.Kinds = append(version.Kinds, kind)
		}
	}
	slices.SortFunc(version.Kinds, func(a, b *model.Kind) int { return strings.Compare(a.Name, b.Name) })
	if registers {
		r.register(s, version, &facts)
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

// join puts the version into the group of its name.
func (r *resolver) join(version *model.Version) {
	group, ok := r.groups[version.Group.Name]
	if !ok {
		group = version.Group
		r.groups[group.Name] = group
	}
	version.Group = group
	group.Versions = append(group.Versions, version)
}

// finish orders the model, names its groups and checks what only the whole can show.
func (r *resolver) finish(opts Options) *model.API {
	api := &model.API{Packages: r.packages}
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
			r.sources[version].checkCRDs(kind, opts.CRDs, &r.diags)
		}
	}
	r.finishControllers(api)
	if opts.Apply && len(r.diags) == 0 {
		r.applyConfigurations(api, opts)
	}
	return api
}

// nothing says that there is nothing to generate, and why.
func (r *resolver) nothing(loaded *load.Result, result Result) diag.List {
	if len(r.groups)+len(r.packages) > 0 {
		return nil
	}
	var diags diag.List
	if result.Internal > 0 {
		diags.AddHint(token.Position{}, "give ObjectMeta its tag: `json:\"metadata,omitempty\"`",
			"nothing to generate: %d of %d packages hold internal versions, whose ObjectMeta has no json tag", result.Internal, len(loaded.Packages))
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
