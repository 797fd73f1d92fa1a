// Package script translates scripts that call code-generator or controller-gen into a configuration file. It runs nothing and writes
// nothing.
//
// Packages shell and makefile evaluate scripts, Makefiles and go:generate directives symbolically, and this package translates
// each call of a known tool. Values that are only known at run time become open questions in the file instead of guesses.
package script

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// Source is the input of the translation.
type Source struct {
	// Products are all products.
	Products product.Table
	// Dir is the working directory.
	Dir string
	// Files are the absolute names of scripts, Makefiles and Go files; - is the standard input. Without any, the files of the
	// module are searched.
	Files []string
	Stdin io.Reader
	// Kept returns further keys of the outputs that a configuration for the module in a directory defines: what must be written down,
	// because only the checked-in output determines it. It may be nil.
	Kept func(dir, configuration string) []map[string]any
	// Prove returns the reason why a configuration for the module in a directory may not replace the calls for manifests that it has. If it
	// is nil, all of them stay.
	Prove func(dir, configuration string) error
}

// Configuration returns a configuration equivalent to the sources, and diagnostics about the parts that it cannot express. The error is a
// diag.List if a named script has a syntax error or exceeds a limit, there is nothing to translate, or a value is unknown.
func Configuration(source Source) (text string, diags diag.List, err error) {
	t := &translator{
		products: source.Products, tools: tools.Of(source.Products), mention: mention(source.Products),
		repo: repository.At(source.Dir), dir: source.Dir, start: module.Place{Dir: source.Dir}.Root(), occurrences: map[string]string{},
	}
	if err := t.read(source); err != nil {
		return "", nil, err
	}
	pieces := t.unique()
	m, all, text, err := t.merge(pieces, t.proven(pieces, source.Prove))
	if len(all) == 0 {
		diags = slices.Concat(t.diags, t.exceeded, m.Diags)
		for _, e := range t.entries {
			if len(source.Files) > 0 {
				diags = append(diags, e.others...)
			}
		}
		if len(source.Files) == 0 {
			outside := t.outside()
			if diags = slices.Concat(diags, t.unread(), outside); len(outside) > 0 {
				return "", nil, diags
			}
		}
		if !slices.ContainsFunc(pieces, func(p *outputs.Piece) bool { return p.Call != nil || p.Stays }) {
			diags.AddHint(token.Position{}, t.hint(), "%w", ErrNothing)
		}
		return "", nil, diags
	}
	if err == nil && source.Kept != nil {
		m.Kept = source.Kept(m.Module, text)
		text, err = m.YAML(all)
	}
	return text, slices.Concat(t.diags, t.stopped(), t.renamed(pieces), m.Diags), cmp.Or(err, m.Questions.Err())
}

// ErrNothing is the cause of the diagnostic that there is nothing to translate.
var ErrNothing = errors.New("found no call that generates clients, listers, informers or registrations")

// hint returns how to name the calls. Recipes may depend on variables that only a run of make sets.
func (t *translator) hint() string {
	hint := "name the script or Makefile that calls gen_client, generate-groups.sh, client-gen, lister-gen, informer-gen, " +
		"deepcopy-gen, register-gen or controller-gen"
	if t.hasRecipes {
		hint += ", or run make -n TARGET | informer-gen-lite migrate -"
	}
	return hint
}

// merge merges the pieces, of those for manifests only the ones of some calls, and returns the outputs and the configuration.
func (t *translator) merge(all []*outputs.Piece, calls []*outputs.Call) (m *outputs.Merger, made []*outputs.Piece, text string, err error) {
	chosen := lists.Filter(all, func(p *outputs.Piece) bool { return p.Call == nil || slices.Contains(calls, p.Call) })
	m = &outputs.Merger{Repo: t.repo, Products: t.products}
	if made = m.Outputs(lists.Map(chosen, (*outputs.Piece).Clone)); len(made) > 0 {
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
	keep := lists.Map(calls, func(c *outputs.Call) string {
		return fmt.Sprintf("%s:%d: keep %s", repository.Relative(t.start, c.Pos.Filename), c.Pos.Line, c.Text)
	})
	switch hint := strings.Join(slices.Compact(keep), "\n\t"); len(calls) {
	case 0:
	case 1:
		t.diags.AddHint(calls[0].Pos, hint, "1 call of controller-gen stays; migrate --manifests translates it")
	default:
		t.diags.AddHint(calls[0].Pos, hint, "%d calls of controller-gen stay; migrate --manifests translates them", len(calls))
	}
}

// renamed warns about each file that calls generators and gives the generated files other names, such as x.gen.go.
func (t *translator) renamed(pieces []*outputs.Piece) (diags diag.List) {
	names := lists.Map(pieces, func(p *outputs.Piece) string { return p.Pos.Filename })
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		text, _ := t.repo.Read(name)
		lines := strings.Split(string(text), "\n")
		if i := slices.IndexFunc(lines, rename().MatchString); i >= 0 {
			diags.AddHint(token.Position{Filename: name, Line: i + 1},
				"remove what renames them; informer-gen-lite generate --adopt removes the clients with other names",
				"other names of clients are not translated: informer-gen-lite names them as code-generator does; existing deep copies keep theirs")
		}
	}
	return diags
}

// rename matches a command that renames files to x.gen.go or x_gen.go.
var rename = lazy.Regexp(`\b(mv|rename|prename)\b.*[._]gen(erated)?\\?\.go\b`)

// unique returns the pieces of all entries. A script that others call is read twice: as they call it counts, unless less is known that way.
func (t *translator) unique() (all []*outputs.Piece) {
	type reading struct {
		file   string
		called bool
	}
	pieces, unknown := map[reading]int{}, map[reading]int{}
	for _, e := range t.entries {
		for _, p := range e.pieces {
			r := reading{p.Pos.Filename, e.file != p.Pos.Filename}
			pieces[r]++
			unknown[r] += p.Unknown()
		}
	}
	drop := func(e *entry, file string) bool {
		alone, called := reading{file, false}, reading{file, true}
		return pieces[alone] > 0 && pieces[called] > 0 && (e.file == file) == (unknown[called] <= unknown[alone])
	}
	headers := map[string]bool{}
	for _, e := range t.entries {
		if len(e.pieces) > 0 {
			e.diags = append(e.diags, e.others...)
		}
		for _, d := range e.diags {
			if drop(e, d.Pos.Filename) || d.Hint == headerHint && headers[d.Message] {
				continue
			}
			headers[d.Message] = true // each header is named once
			t.diags = append(t.diags, d)
		}
		for _, p := range e.pieces {
			if !drop(e, p.Pos.Filename) && !slices.ContainsFunc(all, func(q *outputs.Piece) bool { return reflect.DeepEqual(p, q) }) {
				all = append(all, p)
			}
		}
	}
	return all
}
