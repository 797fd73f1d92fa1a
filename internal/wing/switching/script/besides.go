package script

import (
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// renamed warns about each file that calls generators and gives the generated files other names, such as x.gen.go.
func (t *translator) renamed(pieces []*outputs.Piece) (diags diag.List) {
	var names []string
	for _, p := range pieces {
		names = append(names, p.Pos.Filename)
	}
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
var rename = shell.Lazy(`\b(mv|rename|prename)\b.*[._]gen(erated)?\\?\.go\b`)

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
