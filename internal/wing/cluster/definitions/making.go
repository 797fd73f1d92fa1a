package definitions

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
)

// Definitions are CustomResourceDefinitions in the making, beside the other stages of a run: listing and type-checking the packages
// takes longer than all of them. Nil makes none.
type Definitions struct {
	packages *load.Result
	api      resolve.Result
	cfg      crd.Config
	// loaded and made wait for the results. They are nil if there are no kinds.
	loaded func() (*crd.Packages, error)
	made   func() ([]crd.Definition, error)
}

// Begin begins to load those of the packages of an API that may declare kinds, as the options say.
func Begin(ctx context.Context, api *run.API) *Definitions {
	cfg := api.Options.Load
	options, _ := crd.ParseOptions(cfg.Dir, api.Options.Values.CRDOptions) // they have been checked
	d := &Definitions{packages: api.Loaded, cfg: crd.Config{Dir: cfg.Dir, Options: options}}
	for _, pkg := range api.Loaded.Packages {
		if pkg.InMainModule() && crd.MayDeclareKinds(pkg.Syntax()) {
			d.cfg.Packages = append(d.cfg.Packages, pkg.Path)
		}
	}
	if len(cfg.BuildTags) > 0 {
		d.cfg.BuildFlags = []string{"-tags=" + strings.Join(cfg.BuildTags, ",")}
	}
	if loading := d.cfg; len(loading.Packages) > 0 { // a copy, since Generate completes the configuration meanwhile
		d.loaded = interrupt.Begin(ctx, func() (*crd.Packages, error) { return crd.Load(loading) })
	}
	return d
}

// Generate begins to generate the definitions of the kinds that were loaded, for an API that was resolved since. It returns what is
// odd about them.
func (d *Definitions) Generate(ctx context.Context, api resolve.Result) (diags diag.List) {
	if d == nil || d.loaded == nil {
		return nil
	}
	d.api = api
	d.cfg.API, diags = assumed(api)
	d.made = interrupt.Begin(ctx, func() ([]crd.Definition, error) {
		loaded, err := d.loaded()
		if err != nil {
			return nil, err
		}
		return loaded.Definitions(d.cfg.API, d.cfg.Options)
	})
	return diags
}

// Wait returns the definitions. The library type-checks everything that the types need, for which go.mod may be incomplete. If there are
// fewer errors with a completed copy of go.mod, that result is used.
func (d *Definitions) Wait(ctx context.Context) ([]crd.Definition, error) {
	if d == nil || d.made == nil {
		return nil, nil
	}
	made, err := d.made()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && !d.missing(made).Failed() {
		return made, nil
	}
	failed := d.packages.WithModules(ctx, func(flags []string) error {
		cfg := d.cfg
		cfg.BuildFlags = slices.Concat(cfg.BuildFlags, flags)
		better, err := interrupt.Do(ctx, func() ([]crd.Definition, error) { return crd.Generate(cfg) })
		if err == nil {
			made = better
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case failed != nil && err != nil:
		return nil, err
	}
	return made, d.missing(made).Err()
}

// missing reports kinds with clients that have no definition.
func (d *Definitions) missing(made []crd.Definition) diag.List {
	var problems diag.List
	for kind, origin := range d.api.Kinds {
		i := slices.IndexFunc(d.cfg.Kinds, func(k crd.Kind) bool { return k.Package == kind.Version.Source.Path && k.Name == kind.Name })
		if i < 0 || d.cfg.Kinds[i].Skipped || d.cfg.Kinds[i].Generic {
			continue
		}
		if !slices.ContainsFunc(made, func(d crd.Definition) bool { return d.File == kind.DefinitionFile() }) {
			problems.AddHint(origin.Pos, "embed metav1.TypeMeta and metav1.ObjectMeta, and declare Items in "+kind.Name+"List",
				"cannot generate a CustomResourceDefinition of kind %s", kind.Name)
		}
	}
	return problems
}

// assumed returns what the clients assume about the kinds that users can edit. Diagnostics are about kinds that get no definition, or
// whose versions give no hint which one is stored.
func assumed(api resolve.Result) (known crd.API, diags diag.List) {
	for _, v := range slices.Concat(api.API.Versions(), api.WithoutClients) {
		if !api.Versions[v].Source.Kubebuilder() {
			known.Plain = append(known.Plain, v.Source.Path)
		}
	}
	for _, k := range api.API.Kinds() {
		origin := api.Kinds[k]
		if !origin.Source.InMainModule() {
			continue
		}
		pos, generic := api.GenericField(k)
		if generic {
			diags.Warn(pos, "write it by hand",
				"no CustomResourceDefinition of kind %s: controller-gen's library, which makes it, has no generic types", k.Name)
		}
		known.Kinds = append(known.Kinds, crd.Kind{
			Package: k.Version.Source.Path, Group: k.Version.Group.Name, Version: k.Version.Name, Name: k.Name, Renamed: k.Renamed,
			Resource: k.Resource, Namespaced: k.Namespaced, Status: k.HasStatus,
			Skipped: k.Undefined || !k.HasList && (k.NoVerbs || slices.Contains(known.Plain, k.Version.Source.Path)),
			Generic: generic, Storage: isStored(api, k, &diags),
		})
		for _, method := range k.Methods {
			for _, t := range []model.Type{method.Input, method.Result} {
				if t.Package == origin.Source.Path && origin.Source.Decls[t.Name+"List"] == nil {
					known.Kinds = append(known.Kinds, crd.Kind{Package: t.Package, Name: t.Name, Skipped: true})
				}
			}
		}
	}
	return known, diags
}

// isStored reports, with a warning, whether a version of a kind is stored although no marker says so: the most stable one of several. It
// warns, too, if several versions have a marker: controller-gen writes such a definition as well, which some repositories edit before use.
func isStored(api resolve.Result, kind *model.Kind, warnings *diag.List) bool {
	versions := slices.DeleteFunc(api.API.Kinds(), func(other *model.Kind) bool {
		return other.Name != kind.Name || other.Version.Group != kind.Version.Group
	})
	markerOf := func(k *model.Kind) (marker.Marker, bool) {
		return api.Kinds[k].Source.Decls[k.Name].Scanned.Get(storageMarker)
	}
	marked := slices.IndexFunc(versions, func(k *model.Kind) bool {
		_, ok := markerOf(k)
		return ok
	})
	if m, ok := markerOf(kind); ok && versions[marked] != kind {
		first, _ := markerOf(versions[marked])
		warnings.Warn(m.Pos, "remove one of the markers: servers refuse a definition that stores two versions",
			"servers store kind %s as %s already, because of the marker at %s", kind.Name, versions[marked].Version.Name, diag.Line(first.Pos))
	}
	stable := slices.MaxFunc(versions, func(a, b *model.Kind) int {
		return version.CompareKubeAwareVersionStrings(a.Version.Name, b.Version.Name)
	})
	if len(versions) == 1 || marked >= 0 || stable != kind {
		return false
	}
	warnings.Warn(api.Kinds[kind].Pos, "add // +"+storageMarker+" above the type of the version that servers store",
		"kind %s has several versions, and no marker says which one is stored: it is %s", kind.Name, kind.Version.Name)
	return true
}

// storageMarker selects the version of a kind that servers store.
const storageMarker = "kubebuilder:storageversion"
