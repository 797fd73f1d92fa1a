package cluster

import (
	"context"
	"errors"
	"go/token"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/version"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/interrupt"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
)

// definitionSet has the definitions of one state of the types.
type definitionSet struct {
	crds     []*apiextensionsv1.CustomResourceDefinition
	warnings diag.List
	// strict is true if warnings are errors.
	strict bool

	kinds []kind
}

// kind is a version of a kind with a definition.
type kind struct {
	*model.Kind
	api *run.API
}

// readDefinitions makes the definitions of all outputs of a configuration, also for kinds without clients.
func readDefinitions(ctx context.Context, front run.Front, config run.Configuration) (*definitionSet, error) {
	all, err := config.Options()
	if err != nil {
		return nil, err
	}
	s := &definitionSet{}
	for _, opts := range all {
		opts.Resolve.Roots = true
		s.strict = s.strict || opts.Values.Strict
		api, diags, err := front.Read(ctx, opts)
		if err != nil {
			return nil, err
		}
		diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { // what does not exist yet
			_, unmatched := errors.AsType[*load.Unmatched](d.Cause)
			return unmatched
		})
		if err := diags.Err(); err != nil {
			return nil, err
		}
		if err := s.add(ctx, api); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add adds the definitions of an API.
func (s *definitionSet) add(ctx context.Context, api *run.API) error {
	s.kinds = append(s.kinds, lists.Map(api.Resolved.API.Kinds(), func(k *model.Kind) kind { return kind{k, api} })...)
	making, warnings := beginDefinitions(ctx, api)
	s.warnings = append(s.warnings, warnings...)
	made, _, err := making.wait()
	if err != nil {
		return err
	}
	for _, definition := range made {
		parsed := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(definition.Content, parsed); err != nil {
			return err
		}
		same := func(other *apiextensionsv1.CustomResourceDefinition) bool { return other.Name == parsed.Name }
		if !slices.ContainsFunc(s.crds, same) { // of an output with the same packages
			s.crds = append(s.crds, parsed)
		}
	}
	return nil
}

// position returns the position of a field of a definition, or of the nearest one around it in the packages of the run.
func (s *definitionSet) position(place change.Place) token.Position {
	of := func(k kind) bool {
		return place.CRD == k.Resource+"."+k.Version.Group.Name && (place.Version == "" || place.Version == k.Version.Name)
	}
	i := slices.IndexFunc(s.kinds, of)
	if i < 0 {
		return token.Position{}
	}
	k := s.kinds[i]
	pos, fields := k.api.Resolved.Kinds[k.Kind].Pos, k.api.Resolved.Fields(k.Kind)
	for _, name := range place.Path {
		if name == change.Element {
			continue
		}
		field, ok := fieldOf(fields, name)
		if !ok {
			break
		}
		pos, fields = field.Pos, field.Fields
	}
	return pos
}

// fieldOf returns the field with a name in JSON.
func fieldOf(fields []resolve.Field, name string) (resolve.Field, bool) {
	for _, f := range fields {
		if f.JSON == name {
			return f, true
		}
	}
	for _, f := range fields {
		if found, ok := fieldOf(f.Fields, name); ok && f.Inline {
			return found, true
		}
	}
	return resolve.Field{}, false
}

// definitions generates CustomResourceDefinitions while other files are rendered. A nil value generates none.
type definitions struct {
	api     resolve.Result
	known   crd.API
	options crd.Options
	// made waits for the result.
	made func() ([]crd.Definition, error)
}

// beginDefinitions begins to make the definitions of the kinds in the packages of an API, as the options say. It returns diagnostics
// about the kinds.
func beginDefinitions(ctx context.Context, api *run.API) (*definitions, diag.List) {
	universe := api.Resolved.Universe()
	roots := lists.Filter(universe.Roots, func(pkg *gotype.Package) bool { return pkg.InMainModule() && crd.MayDeclareKinds(pkg.Syntax()) })
	if len(roots) == 0 {
		return nil, nil
	}
	packages := crd.Open(ctx, universe, roots)
	known, warnings := assumed(api.Resolved, packages)
	options, _ := crd.ParseOptions(api.Options.Load.Dir, api.Options.Values.CRDOptions) // they have been checked
	options.Descriptions = api.Options.Values.CRDDescriptions
	made := interrupt.Begin(ctx, func() ([]crd.Definition, error) { return packages.Definitions(known, options) })
	return &definitions{api.Resolved, known, options, made}, warnings
}

// wait returns the definitions, and diagnostics about them.
func (d *definitions) wait() (made []crd.Definition, warnings diag.List, err error) {
	if d == nil {
		return nil, nil, nil
	}
	if made, err = d.made(); err != nil {
		return nil, nil, err
	}
	return made, d.options.Large(made), d.missing(made).Err()
}

// missing reports kinds with clients that have no definition.
func (d *definitions) missing(made []crd.Definition) diag.List {
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

// assumed returns the assumptions of the clients about the kinds that users can edit. Diagnostics are about kinds that get no definition,
// or whose versions give no hint which one is stored.
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
