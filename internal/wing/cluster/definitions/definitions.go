// Package definitions makes the CustomResourceDefinitions of all types in memory, with the positions of their fields.
package definitions

import (
	"context"
	"errors"
	"go/token"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
)

// Set are the definitions of one state of the types.
type Set struct {
	CRDs     []*apiextensionsv1.CustomResourceDefinition
	Warnings diag.List
	// Strict is true if warnings are errors.
	Strict bool

	kinds []kind
}

// kind is a version of a kind with a definition.
type kind struct {
	*model.Kind
	api *run.API
}

// Read makes the definitions of all outputs of a configuration, also for kinds without clients.
func Read(ctx context.Context, front run.Front, config run.Configuration) (*Set, error) {
	all, err := config.Options()
	if err != nil {
		return nil, err
	}
	s := &Set{}
	for _, opts := range all {
		opts.Resolve.Roots = true
		s.Strict = s.Strict || opts.Values.Strict
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
func (s *Set) add(ctx context.Context, api *run.API) error {
	for _, k := range api.Resolved.API.Kinds() {
		s.kinds = append(s.kinds, kind{k, api})
	}
	making, odd := Begin(ctx, api)
	s.Warnings = append(s.Warnings, odd...)
	made, _, err := making.Wait()
	if err != nil {
		return err
	}
	for _, definition := range made {
		parsed := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(definition.Content, parsed); err != nil {
			return err
		}
		same := func(other *apiextensionsv1.CustomResourceDefinition) bool { return other.Name == parsed.Name }
		if !slices.ContainsFunc(s.CRDs, same) { // of an output with the same packages
			s.CRDs = append(s.CRDs, parsed)
		}
	}
	return nil
}

// Position returns the position of a field of a definition, or of the nearest one around it in the packages of the run.
func (s *Set) Position(place change.Place) token.Position {
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
		field, ok := find(fields, name)
		if !ok {
			break
		}
		pos, fields = field.Pos, field.Fields
	}
	return pos
}

// find returns the field with a name in JSON.
func find(fields []resolve.Field, name string) (resolve.Field, bool) {
	for _, f := range fields {
		if f.JSON == name {
			return f, true
		}
	}
	for _, f := range fields {
		if found, ok := find(f.Fields, name); ok && f.Inline {
			return found, true
		}
	}
	return resolve.Field{}, false
}
