// Package against compares the CustomResourceDefinitions of the types with those at a git revision.
package against

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/definitions"
)

// Changes returns an error for each change since a git revision that breaks stored objects or clients, at the field that caused it, and a
// warning for each change that must be reviewed. Changes that the configuration allows are omitted.
func Changes(ctx context.Context, name string, call *run.Call) (diag.List, error) {
	old, err := checkOut(ctx, call.Dir, name)
	if err != nil {
		return nil, err
	}
	defer old.remove()
	after, err := definitions.Read(ctx, call, call.Config)
	if err != nil {
		return nil, err
	}
	before := &definitions.Set{}
	if copied, existed := old.configuration(call.Config); existed {
		if before, err = definitions.Read(ctx, call, copied); err != nil {
			return nil, old.restore(err)
		}
	}
	allowed, err := allowedChanges(call.Config)
	if err != nil {
		return nil, err
	}
	diags := after.Warnings
	for _, c := range change.Compare(before.CRDs, after.CRDs) {
		key := c.Key()
		if allowed.used[key] = slices.ContainsFunc(allowed.reasons, func(r map[string]string) bool { return r[key] != "" }); allowed.used[key] {
			continue
		}
		pos := after.Position(c.Place)
		if c.Before {
			pos = old.position(before.Position(c.Place))
		}
		entry := "add \"" + c.Key() + ": reason\" to " + option.AllowedChangesKey
		if c.Review != "" {
			diags.Warn(pos, c.Review+", and "+entry, "since %s, %s", name, c)
		} else {
			diags.AddHint(pos, "if this is intended, "+entry, "since %s, %s", name, c)
		}
	}
	diags = append(diags, allowed.unused(name)...)
	if after.Strict {
		diags = diags.AsErrors()
	}
	return diags, nil
}

// allowances are the changes that the outputs allow.
type allowances struct {
	outputs []run.Options
	reasons []map[string]string
	used    map[string]bool
}

func allowedChanges(config run.Configuration) (*allowances, error) {
	outputs, err := config.Options()
	a := &allowances{outputs: outputs, used: map[string]bool{}}
	for _, o := range outputs {
		reasons, _ := o.Values.Allowed() // valid since the options were read
		a.reasons = append(a.reasons, reasons)
	}
	return a, err
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
			if given := o.Locate(option.FlagErrors{{Flags: []string{option.AllowedChangesKey}, Err: err}}, &found); given != nil {
				found.Add(token.Position{}, "%v", given) // on the command line
			}
			warnings = append(warnings, found.AsWarnings()...)
		}
	}
	return warnings
}
