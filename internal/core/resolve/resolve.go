// Package resolve builds the model from loaded packages and their markers.
//
// It has all checks that involve more than one declaration and reports all problems, not only the first. After this stage nothing
// depends on syntax: generators see names, verbs and plans. The parts of the model that depend on the structure of types are in
// packages below this one.
package resolve

import (
	"cmp"
	"context"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/controller"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Options are the user's settings that are not recorded in source files.
type Options struct {
	// Target is the client-go release that the output is generated for.
	Target model.Target
	// Plurals maps kinds to their plurals in Go form if English spelling rules give the wrong one.
	Plurals map[string]string
	// GroupGoNames maps groups to their names in Go identifiers, for those without a marker.
	GroupGoNames map[string]string
	// Listers and Informers report whether a package gets them; nil for all.
	Listers, Informers func(*load.Package) bool
	// CRDs are the manifests that the kinds must agree with.
	CRDs []CRD
	// Defines is true if definitions are generated that follow the clients.
	Defines bool
	// Roots also generates clients for the root types of controller-gen: types with +kubebuilder:object:root=true and a list type.
	Roots bool
	// Kinds enables the generators for kinds. Clients is set if typed clients, listers, informers or controllers are among them. Names is
	// set for any output that names groups and versions: all but deep copies. Rules for output that is not generated do not apply.
	Kinds, Clients, Names bool
	// GroupFolders names folders after groups if code-generator would name them api or apis.
	GroupFolders bool
	// SourceFolders names them api or apis even if the output has folders named after groups.
	SourceFolders bool
	// Existing describes the existing output; nil if unknown.
	Existing Existing
	// Apply enables apply configurations.
	Apply bool
	// ApplyConfigurations are the settings for them.
	ApplyConfigurations applyconfiguration.Options
	// Schema decides whether apply configurations have a schema. If it is nil, the existing ones decide.
	Schema *bool
	// Runtime decides whether the output of clients uses the run-time library. If it is nil, markers decide.
	Runtime *bool
	// InPackages are for the packages that request them.
	InPackages []*source.InPackage
	// Peers are the settings for defaults and conversions.
	Peers source.Peers
	// DeepCopies enables deep copies for the types that request them.
	DeepCopies bool
}

// API builds the model. If there are diagnostics, the model must not be used. Packages that the loaded types refer to are loaded
// on demand until ctx is done.
func API(ctx context.Context, loaded *load.Result, opts Options) (Result, diag.List) {
	for _, p := range opts.InPackages {
		if p.SetAside != nil {
			p.SetAside(loaded)
		}
	}
	universe := gotype.NewUniverse(ctx, loaded)
	r := newResolver(universe, opts)
	r.all = r.reader.ReadAll()
	for _, pkg := range loaded.Packages {
		if pkg.InMainModule() {
			r.diags = append(r.diags, marker.Unread(pkg.Syntax(), loaded.Fset)...)
		}
	}
	if opts.DeepCopies {
		r.copies = deepcopy.Resolve(universe, r.all, &r.diags)
		for s, copies := range r.copies.Packages {
			r.packageOf(s).DeepCopies = copies
		}
	}
	candidates := r.candidates()
	r.resolveAll(candidates)
	for _, c := range candidates {
		r.add(c)
	}
	r.finish()
	r.addFields(r.result.API)
	if d, ok := r.kindsWithoutClients(); ok && len(r.packages) > 0 {
		r.diags.Warn(d.Pos, d.Hint, "%s", d.Message)
	}
	r.result.AwaitedByCopies, r.result.AwaitedByClients = r.copies.Awaited, r.awaited()
	r.result.Nothing = r.nothing(loaded)
	return r.result, gotype.Explain(r.diags)
}

// Universe returns the universe of the packages. It is not safe for concurrent use.
func (r Result) Universe() *gotype.Universe { return r.universe }

// Others returns the kinds of packages that are not part of the run, as a run with only these packages would have them. Mistakes in
// the packages are left to the runs that they are part of.
func (r Result) Others(packages []*load.Package) Result {
	others := newResolver(r.universe, r.opts)
	for _, pkg := range packages {
		declared := r.universe.Package(pkg.Path)
		if declared == nil {
			continue // it could not be read
		}
		s := others.reader.Read(declared)
		s.WithRoots = r.opts.Roots
		others.all = append(others.all, s)
		if len(s.ClientTypes()) > 0 {
			others.add(candidate{Package: s, clients: true})
		}
	}
	others.finish()
	return others.result
}

// resolver collects the model.
type resolver struct {
	universe *gotype.Universe
	reader   *source.Reader
	opts     Options
	// all are the loaded packages.
	all    []*source.Package
	result Result
	diags  diag.List
	groups map[string]*model.Group
	// packages are the API packages that files are generated into, by import path.
	packages map[string]*model.Package
	// copies are the deep copies that exist after this run.
	copies *deepcopy.Copies
}

func newResolver(universe *gotype.Universe, opts Options) *resolver {
	runtime := Runtime{Because: "default"}
	if opts.Runtime != nil {
		runtime = Runtime{Used: *opts.Runtime, Because: "--runtime"}
	}
	return &resolver{
		universe: universe, reader: source.NewReader(universe), opts: opts, copies: deepcopy.Existing(universe),
		groups: map[string]*model.Group{}, packages: map[string]*model.Package{},
		result: Result{
			Versions: map[*model.Version]*Origin{}, Kinds: map[*model.Kind]*Origin{}, Runtime: runtime, universe: universe, opts: opts,
		},
	}
}

// packageOf returns the model of a source package that files are generated into.
func (r *resolver) packageOf(s *source.Package) *model.Package {
	if r.packages[s.Path] == nil {
		r.packages[s.Path] = &model.Package{Path: s.Path, Name: s.Name}
	}
	return r.packages[s.Path]
}

// noteOtherPrograms records the programs that read markers of a package.
func (r *resolver) noteOtherPrograms(s *source.Package) {
	if !s.InMainModule() {
		return
	}
	ofTypes := lists.FlatMap(s.TypeNames, func(name string) marker.Set { return s.Decls[name].Scanned })
	for _, m := range slices.Concat(s.Scanned, ofTypes) {
		if program := marker.OtherProgram(m); program != "" && !slices.Contains(r.result.OtherPrograms, program) {
			r.result.OtherPrograms = append(r.result.OtherPrograms, program)
		}
	}
	slices.Sort(r.result.OtherPrograms)
}

// add adds a package to the model, or counts it as a package outside of the model.
func (r *resolver) add(c candidate) {
	r.resolve(c, nil, nil)
	empty := r.isEmptyVersion(c)
	switch {
	case c.clients && c.Internal():
		r.result.Internal++
	case c.clients || c.versioned || empty:
		r.addVersion(c, empty)
	case len(c.requested) == 0 && len(c.Files) > 0: // not all files are generated
		r.result.PassedOver++
	}
}

// addVersion adds the version that a package declares. Empty versions have clients although they have no kinds.
func (r *resolver) addVersion(c candidate, empty bool) {
	r.check(c.Package, c.CheckMarkers)
	version, origin := versionOf(c.Package, r.opts, only(r.opts.Names, &r.diags))
	clients := empty || c.clients && version.Generate != (model.Activation{})
	if clients && c.Name == "main" {
		only(r.opts.Kinds, &r.diags).AddHint(origin.Pos, "move the types to another package", "package main cannot be imported by clients")
	}
	if !clients && !c.versioned {
		r.result.OptedOut++
		return
	}
	version.Kinds = r.kindsOf(c.Package, version)
	slices.SortFunc(version.Kinds, func(a, b *model.Kind) int { return strings.Compare(a.Name, b.Name) })
	r.resolve(c, version, origin)
	for _, name := range c.omitted {
		origin.Facts.add("not registered", name, "no deep copies", c.Decls[name].Pos)
	}
	if empty {
		origin.Facts.add("kinds", "none", "the package is named explicitly", origin.Pos)
	}
	r.result.Versions[version] = origin
	if clients {
		r.join(version)
	} else {
		r.result.WithoutClients = append(r.result.WithoutClients, version)
	}
}

// isEmptyVersion reports whether a package without kinds is still a version of an API that has kinds: it declares its group and
// version, adds types to schemes, and is named explicitly. code-generator generates an empty typed client for such packages, and
// the clientset's interface has a method for it.
func (r *resolver) isEmptyVersion(c candidate) bool {
	declared := c.GroupVersion()
	group := declared.Variable != "" || c.Markers.Has(marker.GroupName)
	version := declared.Version != "" || goname.IsVersion(c.Name)
	registered := c.versioned || c.AddToScheme() != ""
	return !c.clients && c.Named && len(r.groups) > 0 && group && version && registered && !declared.Internal && c.Activated(marker.ClientGen)
}

// only returns a list of diagnostics about one kind of output, which are discarded if there is no such output.
func only(generated bool, diags *diag.List) *diag.List {
	if generated {
		return diags
	}
	return new(diag.List)
}

// check runs a check of a package's markers. Mistakes in packages that users cannot edit are warnings.
func (r *resolver) check(s *source.Package, check func(*diag.List)) {
	var diags diag.List
	check(&diags)
	if !s.InMainModule() {
		diags = diags.AsWarnings()
	}
	r.diags = append(r.diags, diags...)
}

// join adds the version to its group.
func (r *resolver) join(version *model.Version) {
	group, ok := r.groups[version.Group.Key()]
	if !ok {
		group = version.Group
		r.groups[group.Key()] = group
	}
	if group.Name != version.Group.Name {
		first := r.result.Versions[group.Versions[0]].Source
		r.diags.AddHint(r.result.Versions[version].Pos, "use the same group in both variables, or set a different +groupName for one of them",
			"+groupName=%s is also used by package %s, but their variables have the groups %q and %q", group.Key(), first.Path, group.Name,
			version.Group.Name)
	}
	version.Group = group
	group.Versions = append(group.Versions, version)
}

// finish sorts the model, names its groups and runs the checks that need the whole model.
func (r *resolver) finish() {
	api := &model.API{}
	r.result.API = api
	api.Packages = lists.Map(slices.Sorted(maps.Keys(r.packages)), func(path string) *model.Package { return r.packages[path] })
	for _, group := range r.groups {
		slices.SortFunc(group.Versions, func(a, b *model.Version) int {
			return cmp.Or(strings.Compare(a.Folder, b.Folder), strings.Compare(a.Source.Path, b.Source.Path))
		})
		api.Groups = append(api.Groups, group)
	}
	slices.SortFunc(api.Groups, func(a, b *model.Group) int { return strings.Compare(a.Key(), b.Key()) })
	before := r.diags
	for _, group := range api.Groups {
		r.nameGroup(group)
		r.explainGroup(group)
	}
	r.separateFolders(api)
	r.checkGroups(api)
	slices.SortStableFunc(api.Groups, func(a, b *model.Group) int { return strings.Compare(a.Folder, b.Folder) })
	for _, version := range api.Versions() {
		r.keepOnlyClient(api, version)
		r.checkVersion(version)
	}
	if !r.opts.Kinds { // which share Go names and folders
		r.diags = before
	}
	for _, kind := range api.Kinds() {
		checkCRDs(kind, r.opts.CRDs, r.result.Kinds[kind].Pos, &r.diags)
	}
	requestOf := func(kind *model.Kind) controller.Request { return r.result.Kinds[kind].controller }
	controller.Link(r.universe, api, r.opts.Target, requestOf, &r.diags)
	separateScopes(api)
	for _, kind := range api.WithControllers() {
		for _, reference := range kind.Controller.References {
			r.result.Kinds[kind].Facts.add("reference", reference.String(), "+"+marker.Ref, reference.Pos)
		}
	}
	if r.opts.Apply && !r.diags.Failed() {
		opts := r.opts.ApplyConfigurations
		r.result.NoSchema = r.withoutSchema(api)
		opts.Target, opts.NoSchema = r.opts.Target, r.result.NoSchema
		api.Apply = applyconfiguration.Resolve(r.universe, r.all, api, opts, r.inputPos, &r.diags)
	}
}

// withoutSchema decides whether apply configurations have no schema. Controllers need it, because they compare what they applied.
func (r *resolver) withoutSchema(api *model.API) bool {
	decided, controlled := r.opts.Schema, token.Position{}
	for _, kind := range api.Kinds() {
		if kind.Controller != nil {
			controlled = r.result.Kinds[kind].Pos
		}
	}
	switch {
	case decided != nil && !*decided && controlled.IsValid():
		r.diags.AddHint(controlled, "remove schema: false", "the controller of this kind needs the schema of apply configurations")
		return true
	case decided != nil:
		return !*decided
	case r.opts.Existing == nil || controlled.IsValid() || !r.opts.Existing.LacksSchema():
		return false
	}
	r.diags.Warn(r.result.Versions[api.Versions()[0]].Pos,
		"for both, set --schema (schema: true in .informer-gen.yaml); to be independent of the checked-in output, set --schema=false",
		"the checked-in apply configurations have no schema, so none is generated, and no Extract functions")
	return true
}

// inputPos returns the position of the input of a kind's custom method.
func (r *resolver) inputPos(kind *model.Kind, method string) token.Position {
	methods := r.result.Kinds[kind].methods
	return methods[slices.IndexFunc(methods, func(m marker.ClientMethod) bool { return m.Name == method })].Input.Pos
}
