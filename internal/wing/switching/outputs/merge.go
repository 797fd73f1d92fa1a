// Package outputs merges the contributions of tool calls into the outputs of a configuration.
package outputs

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Merger merges the pieces of scripts into a configuration file.
type Merger struct {
	Repo *repository.Repository
	// Products are all products.
	Products product.Table
	Diags    diag.List
	// kept are the packages that remaining calls write files to, by the generators of these files.
	kept map[string][]Input
	// Refused is the reason why an output cannot have all that a call for manifests makes.
	Refused error
	// Questions are the values of the configuration that are unknown.
	Questions diag.List
	// Module is the directory of the module that the file belongs to.
	Module string
	// Kept are further keys of the outputs, which their checked-in files determine.
	Kept []map[string]any
}

// inAPIPackages returns the names of the products whose files are in API packages.
func (m *Merger) inAPIPackages() []string {
	inPackages := lists.Filter(m.Products, func(p product.Product) bool { return p.PackageFile != "" })
	return lists.Map(inPackages, func(p product.Product) string { return p.Name })
}

// Outputs returns one piece for each output. It joins pieces that write to the same directories, and pieces of single generators
// that refer to each other.
func (m *Merger) Outputs(pieces []*Piece) []*Piece {
	m.kept = map[string][]Input{}
	var merged, apiFiles []*Piece
	for _, p := range pieces {
		if p.onlyAPIFiles() {
			apiFiles = append(apiFiles, p)
			continue
		}
		i := slices.IndexFunc(merged, func(o *Piece) bool { return p.Unknown() == 0 && maps.Equal(p.places(), o.places()) })
		if i < 0 {
			merged = append(merged, p)
		} else {
			m.join(merged[i], p)
		}
	}
	merged = m.attach(merged, func(p, o *Piece) (fits bool, link string, to Part) {
		return p.Makes(Informers) && o.Makes(Clientset) && !o.Makes(Informers), p.ClientsetLink, o.Parts[Clientset]
	})
	merged = m.attach(merged, func(p, o *Piece) (fits bool, link string, to Part) {
		return p.makesOnly(Listers) && !o.Makes(Listers) && o.Makes(Clientset, Informers), o.ListersLink, p.Parts[Listers]
	})
	merged = m.attach(merged, func(p, o *Piece) (fits bool, link string, to Part) {
		link, fits = o.Settings[ApplyKey].(string)
		return fits && p.makesOnly(Applied), link, p.Parts[Applied]
	})
	merged = m.separate(merged)
	for _, p := range merged {
		if p.ClientsetLink != "" && !p.Makes(Clientset) {
			m.Diags.Add(p.Pos,
				"--versioned-clientset-package %s is not translated: informers use the clientset of their own output", p.ClientsetLink)
		}
		m.level(p)
	}
	return m.placeAPIFiles(merged, apiFiles)
}

// attach joins each partial piece to the fitting piece: the piece that it is linked to or, without a link, the nearest one.
func (m *Merger) attach(pieces []*Piece, match func(p, o *Piece) (fits bool, link string, to Part)) []*Piece {
	left := slices.Clone(pieces)
	for _, p := range pieces {
		var best *Piece
		nearest := -1
		for _, o := range left {
			if !p.Partial || !o.Partial || o == p {
				continue
			}
			fits, link, to := match(p, o)
			linked := link == to.Where.ImportPath
			distance := len(module.CommonDir(append(p.dirs(), o.dirs()...)))
			if linked {
				distance += 1 << 20
			}
			if fits && (linked || link == "") && distance > nearest {
				best, nearest = o, distance
			}
		}
		if best != nil {
			m.join(best, p)
			left = slices.DeleteFunc(left, func(o *Piece) bool { return o == p })
		}
	}
	return left
}

// join adds a piece to another.
func (m *Merger) join(p, q *Piece) {
	for name, part := range q.Parts {
		if p.Makes(name) {
			p.Add(name, part.Inputs)
		} else {
			p.Parts[name] = part
		}
	}
	p.ListersLink = cmp.Or(p.ListersLink, q.ListersLink)
	p.Skip = append(p.Skip, q.Skip...)
	m.joinSettings(p, q)
}

// joinSettings adds the settings of a piece to another.
func (m *Merger) joinSettings(p, q *Piece) {
	for _, key := range slices.Sorted(maps.Keys(q.Settings)) {
		value := q.Settings[key]
		old, known := p.Settings[key]
		list, isList := old.([]string)
		switch {
		case !known:
			p.Settings[key] = value
		case isList:
			isOld := func(s string) bool { return slices.Contains(list, s) }
			p.Settings[key] = slices.Concat(list, slices.DeleteFunc(slices.Clone(value.([]string)), isOld))
		case !reflect.DeepEqual(old, value) && q.Call != nil:
			m.refuse("%s: %s: another call for the same output has %s", key, m.show(value), m.show(old))
		case !reflect.DeepEqual(old, value):
			m.Diags.Add(q.Pos, "%s: %s is not translated: another call for the same output has %s",
				key, m.show(value), m.show(old))
		}
	}
}

// refuse records why an output cannot have the files that a call for manifests makes.
func (m *Merger) refuse(format string, args ...any) {
	if m.Refused == nil {
		m.Refused = fmt.Errorf(format, args...)
	}
}

// separate joins outputs whose directories overlap, which generate rejects, unless both have the same part.
func (m *Merger) separate(pieces []*Piece) []*Piece {
	var apart []*Piece
	for _, p := range pieces {
		i := slices.IndexFunc(apart, p.overlaps)
		switch {
		case i < 0:
			apart = append(apart, p)
		case !slices.ContainsFunc(inOwnDir, func(name string) bool {
			return p.Makes(name) && apart[i].Makes(name) && p.Parts[name].Where != apart[i].Parts[name].Where
		}):
			m.join(apart[i], p)
		default:
			p.Problem = "this output overlaps with the output of " + line(m.Repo.Root, apart[i].Pos) + ": each output needs its own directories"
			for name, part := range p.Parts {
				p.Set(name, module.Place{}, part.Inputs)
			}
			apart = append(apart, p)
		}
	}
	return apart
}

// overlaps reports whether generate would reject two outputs.
func (p *Piece) overlaps(q *Piece) bool {
	a, b := p.dirs(), q.dirs()
	return len(a) > 0 && p.root() == q.root() || module.AnyWithin(a, b) || module.AnyWithin(b, a)
}

// level gives all parts of an output the same packages. For packages without kinds, only apply configurations for types used by
// kinds are generated.
func (m *Merger) level(p *Piece) {
	clients := p.Packages(inClients...)
	if applying, ok := p.Parts[Applied]; ok && len(clients) > 0 {
		var kept []Input
		for _, i := range applying.Inputs {
			if i.Open != "" || slices.ContainsFunc(clients, i.same) {
				kept = append(kept, i)
			} else if below, ok := m.withoutKinds(i); ok {
				kept = append(kept, below)
			} else {
				m.Diags.Add(i.Pos,
					"apply configurations of %s are not translated unless kinds use them: the package has no clients", i.Name(m.Repo.Root))
			}
		}
		p.Set(Applied, applying.Where, kept)
	}
	for _, name := range inClients {
		isMore := func(i Input) bool { return i.Open == "" && !slices.ContainsFunc(p.Parts[name].Inputs, i.same) }
		more := lists.Map(lists.Filter(clients, isMore), func(i Input) string { return i.Name(m.Repo.Root) })
		if p.Makes(name) && len(more) > 0 && !p.narrower(name, clients) {
			m.Diags.Add(p.Pos, "%s of %s are generated too: all parts of an output have the same packages", name, strings.Join(more, ", "))
		}
	}
}

// narrower reports whether the configuration can name the packages of a part, because it is about listers or informers and only some
// packages with clients have them.
func (p *Piece) narrower(name string, clients []Input) bool {
	inputs := p.Parts[name].Inputs
	return (name == Listers || name == Informers) && len(inputs) > 0 && !slices.ContainsFunc(inputs, isOpen) &&
		slices.ContainsFunc(clients, func(i Input) bool { return i.Open == "" && !slices.ContainsFunc(inputs, i.same) })
}

// withoutKinds returns a pattern for a package that only provides types for other kinds: generate writes an empty client for an
// API package that is named explicitly. It returns false if the package is outside this repository or has kinds.
func (m *Merger) withoutKinds(i Input) (Input, bool) {
	dir := strings.TrimSuffix(i.Dir, "/...")
	if dir == "" || len(m.Repo.Marked(dir, repository.Genclient())) > 0 {
		return i, false
	}
	i.Dir, i.ImportPath = dir+"/...", strings.TrimSuffix(i.ImportPath, "/...")+"/..."
	return i, true
}

// Name returns a package in the form for messages.
func (i Input) Name(root string) string {
	if i.Open != "" {
		return "unknown packages (" + i.Open + ")"
	}
	if i.Dir != "" && module.Within(root, i.Dir) {
		return "./" + repository.Relative(root, i.Dir)
	}
	return i.ImportPath
}

// line formats a position as file:line, relative to a directory.
func line(dir string, pos token.Position) string {
	return repository.Relative(dir, pos.Filename) + ":" + strconv.Itoa(pos.Line)
}
