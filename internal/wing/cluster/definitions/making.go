package definitions

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/version"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
)

// Definitions are CustomResourceDefinitions in the making, while other files are rendered. Nil makes none.
type Definitions struct {
	api     resolve.Result
	known   crd.API
	options crd.Options
	// made waits for the result.
	made func() ([]crd.Definition, error)
}

// Begin begins to make the definitions of the kinds in the packages of an API, as the options say. It returns what is odd about them.
func Begin(ctx context.Context, api *run.API) (*Definitions, diag.List) {
	universe := api.Resolved.Universe()
	var roots []*gotype.Package
	for _, pkg := range universe.Roots {
		if pkg.InMainModule() && crd.MayDeclareKinds(pkg.Syntax()) {
			roots = append(roots, pkg)
		}
	}
	if len(roots) == 0 {
		return nil, nil
	}
	packages := crd.Open(ctx, universe, roots)
	known, odd := assumed(api.Resolved, packages)
	options, _ := crd.ParseOptions(api.Options.Load.Dir, api.Options.Values.CRDOptions) // they have been checked
	options.Descriptions = api.Options.Values.CRDDescriptions
	made := interrupt.Begin(ctx, func() ([]crd.Definition, error) { return packages.Definitions(known, options) })
	return &Definitions{api.Resolved, known, options, made}, odd
}

// Wait returns the definitions, and what is odd about them.
func (d *Definitions) Wait() (made []crd.Definition, odd diag.List, err error) {
	if d == nil {
		return nil, nil, nil
	}
	if made, err = d.made(); err != nil {
		return nil, nil, err
	}
	return made, d.options.Large(made), d.missing(made).Err()
}

// missing reports kinds with clients that have no definition.
func (d *Definitions) missing(made []crd.Definition) diag.List {
	var problems diag.List
	for kind, origin := range d.api.Kinds {
		i := slices.IndexFunc(d.known.Kinds, func(k crd.Kind) bool { return k.Package == kind.Version.Source.Path && k.Name == kind.Name })
		if i < 0 || d.known.Kinds[i].Skipped || d.known.Kinds[i].Generic {
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
func assumed(api resolve.Result, packages *crd.Packages) (known crd.API, diags diag.List) {
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
		pos, generic := packages.Generic(origin.Source.Types[k.Name])
		if generic {
			diags.Warn(api.Universe().Fset.Position(pos), "write it by hand",
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
