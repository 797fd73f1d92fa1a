package migrate

import (
	"cmp"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// unique returns the pieces of all entries. A script that others call is read twice: as they call it counts, unless
// less is known that way.
func (t *translator) unique() (all []*piece) {
	type reading struct {
		file   string
		called bool
	}
	pieces, unknown := map[reading]int{}, map[reading]int{}
	for _, e := range t.entries {
		for _, p := range e.pieces {
			r := reading{p.pos.Filename, e.file != p.pos.Filename}
			pieces[r]++
			unknown[r] += p.unknown()
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
			if !drop(e, p.pos.Filename) && !slices.ContainsFunc(all, func(q *piece) bool { return reflect.DeepEqual(p, q) }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// merger merges the pieces of scripts into a configuration file.
type merger struct {
	repo  *repository.Repository
	diags diag.List
	// module is the directory of the module that the file belongs to.
	module string
	// kept are further keys of the outputs, which their checked-in files determine.
	kept []keys
}

// outputs returns one piece for each output. It joins pieces that write to the same directories, and pieces of single generators
// that refer to each other.
func (m *merger) outputs(pieces []*piece) []*piece {
	var merged, apiFiles []*piece
	for _, p := range pieces {
		if p.onlyAPIFiles() {
			apiFiles = append(apiFiles, p)
			continue
		}
		i := slices.IndexFunc(merged, func(o *piece) bool { return p.unknown() == 0 && maps.Equal(p.places(), o.places()) })
		if i < 0 {
			merged = append(merged, p)
		} else {
			m.join(merged[i], p)
		}
	}
	merged = m.attach(merged, func(p, o *piece) (fits bool, link string, to part) {
		return p.makes(informers) && o.makes(clientset) && !o.makes(informers), p.clientsetLink, o.parts[clientset]
	})
	merged = m.attach(merged, func(p, o *piece) (fits bool, link string, to part) {
		return p.makesOnly(listers) && !o.makes(listers) && o.makes(clientset, informers), o.listersLink, p.parts[listers]
	})
	merged = m.attach(merged, func(p, o *piece) (fits bool, link string, to part) {
		link, fits = o.settings[applyKey].(string)
		return fits && p.makesOnly(applied), link, p.parts[applied]
	})
	merged = m.separate(merged)
	for _, p := range merged {
		if p.clientsetLink != "" && !p.makes(clientset) {
			m.diags.Add(p.pos,
				"--versioned-clientset-package %s is not translated: informers use the clientset of their own output", p.clientsetLink)
		}
		m.level(p)
	}
	return m.placeAPIFiles(merged, apiFiles)
}

// attach joins each partial piece to the one that fits: the piece that it is linked to or, without a link, the nearest one.
func (m *merger) attach(pieces []*piece, match func(p, o *piece) (fits bool, link string, to part)) []*piece {
	left := slices.Clone(pieces)
	for _, p := range pieces {
		var best *piece
		nearest := -1
		for _, o := range left {
			if !p.partial || !o.partial || o == p {
				continue
			}
			fits, link, to := match(p, o)
			linked := link == to.where.ImportPath
			distance := len(commonDir(append(p.dirs(), o.dirs()...)))
			if linked {
				distance += 1 << 20
			}
			if fits && (linked || link == "") && distance > nearest {
				best, nearest = o, distance
			}
		}
		if best != nil {
			m.join(best, p)
			left = slices.DeleteFunc(left, func(o *piece) bool { return o == p })
		}
	}
	return left
}

// join adds a piece to another.
func (m *merger) join(p, q *piece) {
	for name, part := range q.parts {
		if p.makes(name) {
			p.add(name, part.inputs)
		} else {
			p.parts[name] = part
		}
	}
	p.listersLink = cmp.Or(p.listersLink, q.listersLink)
	m.joinSettings(p, q)
}

// joinSettings adds the settings of a piece to another.
func (m *merger) joinSettings(p, q *piece) {
	for _, key := range slices.Sorted(maps.Keys(q.settings)) {
		value := q.settings[key]
		old, known := p.settings[key]
		list, isList := old.([]string)
		switch {
		case !known:
			p.settings[key] = value
		case isList:
			isOld := func(s string) bool { return slices.Contains(list, s) }
			p.settings[key] = slices.Concat(list, slices.DeleteFunc(slices.Clone(value.([]string)), isOld))
		case old != value:
			m.diags.Add(q.pos, "%s: %s is not translated: another call for the same output has %s",
				key, config.FlowYAML(value), config.FlowYAML(old))
		}
	}
}

// separate joins outputs whose directories overlap, which generate rejects, unless both have the same part.
func (m *merger) separate(pieces []*piece) []*piece {
	var apart []*piece
	for _, p := range pieces {
		i := slices.IndexFunc(apart, p.overlaps)
		switch {
		case i < 0:
			apart = append(apart, p)
		case !slices.ContainsFunc(inOwnDir, func(name string) bool {
			return p.makes(name) && apart[i].makes(name) && p.parts[name].where != apart[i].parts[name].where
		}):
			m.join(apart[i], p)
		default:
			p.problem = "this output overlaps with the output of " + line(m.repo.Root, apart[i].pos) + ": each output needs its own directories"
			for name, part := range p.parts {
				p.set(name, module.Place{}, part.inputs)
			}
			apart = append(apart, p)
		}
	}
	return apart
}

// overlaps reports whether generate would reject two outputs.
func (p *piece) overlaps(q *piece) bool {
	a, b := p.dirs(), q.dirs()
	return len(a) > 0 && p.root() == q.root() || module.AnyWithin(a, b) || module.AnyWithin(b, a)
}

// level gives all parts of an output the same packages. For packages without kinds, only apply configurations for types used by
// kinds are generated.
func (m *merger) level(p *piece) {
	clients := p.packages(inClients...)
	if applying, ok := p.parts[applied]; ok && len(clients) > 0 {
		var kept []input
		for _, i := range applying.inputs {
			if i.open != "" || slices.ContainsFunc(clients, i.same) {
				kept = append(kept, i)
			} else if below, ok := m.withoutKinds(i); ok {
				kept = append(kept, below)
			} else {
				m.diags.Add(i.pos,
					"apply configurations of %s are not translated, except those that kinds use: the package has no clients", i.name(m.repo.Root))
			}
		}
		p.set(applied, applying.where, kept)
	}
	for _, name := range inClients {
		var more []string
		for _, i := range clients {
			if i.open == "" && !slices.ContainsFunc(p.parts[name].inputs, i.same) {
				more = append(more, i.name(m.repo.Root))
			}
		}
		if p.makes(name) && len(more) > 0 && !p.narrower(name, clients) {
			m.diags.Add(p.pos, "%s of %s are generated too: all parts of an output have the same packages", name, strings.Join(more, ", "))
		}
	}
}

// narrower reports whether the configuration can name the packages of a part, because it is about listers or informers and only some
// packages with clients have them.
func (p *piece) narrower(name string, clients []input) bool {
	inputs := p.parts[name].inputs
	isOpen := func(i input) bool { return i.open != "" }
	return (name == listers || name == informers) && len(inputs) > 0 && !slices.ContainsFunc(inputs, isOpen) &&
		slices.ContainsFunc(clients, func(i input) bool { return i.open == "" && !slices.ContainsFunc(inputs, i.same) })
}

// withoutKinds returns a pattern for a package that only provides types for other kinds: generate writes an empty client for an
// API package that is named explicitly. It returns false if the package is outside this repository or has kinds.
func (m *merger) withoutKinds(i input) (input, bool) {
	dir := strings.TrimSuffix(i.Dir, "/...")
	if dir == "" || len(m.repo.Marked(dir, genclientMarker())) > 0 {
		return i, false
	}
	i.Dir, i.ImportPath = dir+"/...", strings.TrimSuffix(i.ImportPath, "/...")+"/..."
	return i, true
}

// name returns a package in the form for messages.
func (i input) name(root string) string {
	if i.Dir != "" && module.Within(root, i.Dir) {
		return "./" + relative(root, i.Dir)
	}
	return i.ImportPath
}

// placeAPIFiles adds generators of files in API packages to the outputs with clients for these packages. Without such an output,
// they get their own.
func (m *merger) placeAPIFiles(outputs, apiFiles []*piece) []*piece {
	if len(outputs) == 0 && len(apiFiles) > 0 {
		for _, p := range apiFiles[1:] {
			m.join(apiFiles[0], p)
		}
		return apiFiles[:1]
	}
	from := slices.Concat(outputs, apiFiles)
	given := make([]map[string]part, len(from))
	for n, p := range from {
		given[n] = maps.Clone(p.parts)
		maps.DeleteFunc(p.parts, func(name string, _ part) bool { return slices.Contains(inAPIPackages, name) })
	}
	for n, p := range from {
		for _, name := range inAPIPackages {
			var left []string
			for _, i := range given[n][name].inputs {
				if !m.hand(outputs, p, name, i) {
					left = append(left, i.name(m.repo.Root)+i.open)
				}
			}
			if len(left) > 0 {
				what := map[string]string{"deepcopy": "deep copies", "register": "registrations"}[name]
				m.diags.AddHint(p.pos, "keep this call for them",
					"%s of %s are not translated: no output of this module has clients for them", what, strings.Join(left, ", "))
			}
		}
	}
	return outputs
}

// hand adds a generator of files in a package to the output with clients for that package.
func (m *merger) hand(outputs []*piece, from *piece, name string, i input) bool {
	to := slices.IndexFunc(outputs, func(o *piece) bool {
		return !m.elsewhere(o, i) && slices.ContainsFunc(o.packages(inOwnDir...), func(j input) bool { return j.covers(i) })
	})
	if to < 0 {
		return false
	}
	outputs[to].add(name, nil)
	if outputs[to] != from {
		m.joinSettings(outputs[to], from)
	}
	return true
}

// elsewhere reports whether a package belongs to a module other than that of the output, so that nothing is written to it.
func (m *merger) elsewhere(o *piece, i input) bool {
	if len(o.dirs()) == 0 || i.Dir == "" {
		return false
	}
	a, err := module.Owner(o.dirs()[0])
	b, err2 := module.Owner(i.Dir)
	return err == nil && err2 == nil && a != b
}

// commonDir returns the deepest common parent of the directories.
func commonDir(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	common := filepath.Dir(dirs[0])
	for _, dir := range dirs[1:] {
		for !module.Within(common, filepath.Dir(dir)) {
			common = filepath.Dir(common)
		}
	}
	return common
}
