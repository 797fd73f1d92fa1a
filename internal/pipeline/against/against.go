// Package against compares the CustomResourceDefinitions of the types with those at a git revision.
package against

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/informer-gen-lite/informer-gen-lite/internal/cluster"
	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/resolve"
)

// Changes returns an error for each change since a git revision that breaks stored objects or clients, at the field that caused it, and a
// warning for each change that must be reviewed. Changes that the configuration allows are omitted.
func Changes(ctx context.Context, name string, given config.CommandLine) (diag.List, error) {
	old, err := checkOut(ctx, given.Dir, name)
	if err != nil {
		return nil, err
	}
	defer old.remove()
	after, err := read(ctx, given)
	if err != nil {
		return nil, err
	}
	before := &definitions{}
	if copied, existed := old.commandLine(given); existed {
		if before, err = read(ctx, copied); err != nil {
			return nil, old.restore(err)
		}
	}
	allowed, err := allowedChanges(given)
	if err != nil {
		return nil, err
	}
	diags := after.warnings
	for _, c := range change.Compare(before.crds, after.crds) {
		if allowed.takes(c) {
			continue
		}
		pos := after.position(c)
		if c.Before {
			pos = old.position(before.position(c))
		}
		entry := "add \"" + c.Key() + ": reason\" to " + config.AllowedChangesKey
		if c.Review != "" {
			diags.Warn(pos, c.Review+", and "+entry, "since %s, %s", name, c)
		} else {
			diags.AddHint(pos, "if this is intended, "+entry, "since %s, %s", name, c)
		}
	}
	diags = append(diags, allowed.unused(name)...)
	if after.strict {
		diags = diags.AsErrors()
	}
	return diags, nil
}

// definitions are the definitions of one state of the types.
type definitions struct {
	crds     []*apiextensionsv1.CustomResourceDefinition
	kinds    []kind
	warnings diag.List
	// strict is true if warnings are errors.
	strict bool
}

// kind is a version of a kind with a definition.
type kind struct {
	*model.Kind
	api *pipeline.API
}

// read computes the definitions of all outputs in memory.
func read(ctx context.Context, given config.CommandLine) (*definitions, error) {
	all, err := pipeline.CommandLineOptions(given)
	if err != nil {
		return nil, err
	}
	d := &definitions{}
	for _, opts := range all {
		opts.Resolve.Roots = true // also kinds without clients
		d.strict = d.strict || opts.Values.Strict
		api, diags, err := pipeline.Read(ctx, opts)
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
		if err := d.add(ctx, api); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// add adds the definitions of an API.
func (d *definitions) add(ctx context.Context, api *pipeline.API) error {
	for _, k := range api.Resolved.API.Kinds() {
		d.kinds = append(d.kinds, kind{k, api})
	}
	making := cluster.Begin(ctx, api.Loaded, api.Options.Load, api.Options.CRDs)
	d.warnings = append(d.warnings, making.Generate(ctx, api.Resolved)...)
	made, err := making.Wait(ctx)
	if err != nil {
		return err
	}
	for _, definition := range made {
		parsed := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(definition.Content, parsed); err != nil {
			return err
		}
		same := func(other *apiextensionsv1.CustomResourceDefinition) bool { return other.Name == parsed.Name }
		if !slices.ContainsFunc(d.crds, same) { // of an output with the same packages
			d.crds = append(d.crds, parsed)
		}
	}
	return nil
}

// position returns the position of what a change is about: a field, or the nearest one around it in the packages of the run.
func (d *definitions) position(c change.Change) token.Position {
	of := func(k kind) bool {
		return c.CRD == k.Resource+"."+k.Version.Group.Name && (c.Version == "" || c.Version == k.Version.Name)
	}
	i := slices.IndexFunc(d.kinds, of)
	if i < 0 {
		return token.Position{}
	}
	k := d.kinds[i]
	pos, fields := k.api.Resolved.Kinds[k.Kind].Pos, k.api.Resolved.Fields(k.Kind)
	for _, name := range c.Path {
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

// allowances are the changes that the outputs allow.
type allowances struct {
	outputs []config.Output
	reasons []map[string]string
	used    map[string]bool
}

func allowedChanges(given config.CommandLine) (*allowances, error) {
	outputs, err := given.Outputs()
	a := &allowances{outputs: outputs, used: map[string]bool{}}
	for _, o := range outputs {
		reasons, _ := o.Values.Allowed() // valid since the options were read
		a.reasons = append(a.reasons, reasons)
	}
	return a, err
}

// takes reports whether a change is allowed.
func (a *allowances) takes(c change.Change) bool {
	key := c.Key()
	allowed := slices.ContainsFunc(a.reasons, func(reasons map[string]string) bool { return reasons[key] != "" })
	a.used[key] = allowed
	return allowed
}

// unused returns a warning for each entry that is not needed.
func (a *allowances) unused(name string) (warnings diag.List) {
	var seen []string
	for i, o := range a.outputs {
		for _, entry := range o.Values.AllowedChanges {
			key, _, _ := strings.Cut(entry, ":")
			if a.reasons[i][key] == "" || a.used[key] || slices.Contains(seen, key) {
				continue
			}
			seen = append(seen, key)
			var found diag.List
			err := fmt.Errorf("%q has not changed since %s: remove it", key, name)
			if given := o.Locate(config.FlagErrors{{Flags: []string{config.AllowedChangesKey}, Err: err}}, &found); given != nil {
				found.Add(token.Position{}, "%v", given) // on the command line
			}
			warnings = append(warnings, found.AsWarnings()...)
		}
	}
	return warnings
}
