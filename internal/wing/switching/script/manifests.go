package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
)

// merge merges the pieces, of those for manifests only the ones of some calls, and returns the outputs and the configuration.
func (t *translator) merge(all []*outputs.Piece, calls []*outputs.Call) (m *outputs.Merger, made []*outputs.Piece, text string, err error) {
	var chosen []*outputs.Piece
	for _, p := range all {
		if p.Call == nil || slices.Contains(calls, p.Call) {
			chosen = append(chosen, p.Clone())
		}
	}
	m = &outputs.Merger{Repo: t.repo, Products: t.products}
	if made = m.Outputs(chosen); len(made) > 0 {
		made = m.Choose(t.start, made)
		text, err = m.YAML(made)
	}
	return m, made, text, cmp.Or(err, m.Refused)
}

// proven returns the calls for manifests that the configuration may replace, and reports the others.
func (t *translator) proven(pieces []*outputs.Piece, prove func(dir, configuration string) error) (proven []*outputs.Call) {
	var calls []*outputs.Call
	for _, p := range pieces {
		if p.Call != nil && !slices.Contains(calls, p.Call) {
			calls = append(calls, p.Call)
		}
	}
	if prove == nil {
		t.stay(calls)
		return nil
	}
	try := func(more ...*outputs.Call) error {
		m, all, text, err := t.merge(pieces, slices.Concat(proven, more))
		if err == nil && len(all) > 0 {
			err = prove(m.Module, text)
		}
		if err == nil {
			proven = append(proven, more...)
		}
		return err
	}
	possible := slices.DeleteFunc(slices.Clone(calls), func(c *outputs.Call) bool { return c.Problem != "" })
	if len(possible) > 1 {
		_ = try(possible...) // several may be for one directory
	}
	for _, c := range calls {
		if c.Problem == "" && !slices.Contains(proven, c) {
			if err := try(c); err != nil {
				c.Problem = err.Error()
			}
		}
		if c.Problem != "" {
			c.Diags = nil
			t.diags.AddHint(c.Pos, "keep "+c.Text, "this call of controller-gen stays: %s", c.Problem)
		}
		t.diags = append(t.diags, c.Diags...)
	}
	return proven
}

// stay reports calls that nobody asked to translate.
func (t *translator) stay(calls []*outputs.Call) {
	var keep []string
	for _, c := range calls {
		keep = append(keep, fmt.Sprintf("%s:%d: keep %s", repository.Relative(t.start, c.Pos.Filename), c.Pos.Line, c.Text))
	}
	switch hint := strings.Join(slices.Compact(keep), "\n\t"); len(calls) {
	case 0:
	case 1:
		t.diags.AddHint(calls[0].Pos, hint, "1 call of controller-gen stays; migrate --manifests translates it")
	default:
		t.diags.AddHint(calls[0].Pos, hint, "%d calls of controller-gen stay; migrate --manifests translates them", len(calls))
	}
}
