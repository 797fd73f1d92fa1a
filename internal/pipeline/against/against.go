// Package against compares the CustomResourceDefinitions of the types with those at a git revision.
package against

import (
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/crd/change"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline/definitions"
)

// Changes returns an error for each change since a git revision that breaks stored objects or clients, at the field that caused it, and a
// warning for each change that must be reviewed. Changes that the configuration allows are omitted.
func Changes(ctx context.Context, name string, given config.CommandLine) (diag.List, error) {
	old, err := checkOut(ctx, given.Dir, name)
	if err != nil {
		return nil, err
	}
	defer old.remove()
	after, err := definitions.Read(ctx, given)
	if err != nil {
		return nil, err
	}
	before := &definitions.Set{}
	if copied, existed := old.commandLine(given); existed {
		if before, err = definitions.Read(ctx, copied); err != nil {
			return nil, old.restore(err)
		}
	}
	allowed, err := allowedChanges(given)
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
		entry := "add \"" + c.Key() + ": reason\" to " + config.AllowedChangesKey
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
