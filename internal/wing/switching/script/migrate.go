// Package script translates scripts that call code-generator or controller-gen into a configuration file. It runs nothing and writes
// nothing.
//
// Packages shell and makefile evaluate scripts, Makefiles and go:generate directives symbolically, and this package translates
// each call of a known tool. Values that are only known at run time become open questions in the file instead of guesses.
package script

import (
	"cmp"
	"errors"
	"go/token"
	"io"
	"slices"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
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

// Configuration returns a configuration equivalent to the sources, and diagnostics about what it cannot express. The error is a
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
