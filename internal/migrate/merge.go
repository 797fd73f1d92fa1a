package migrate

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/tree"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// unique returns the pieces of all entries. A script that others call is read twice: as they call it counts, unless
// less is known that way.
func (t *translator) unique() []*piece {
	open := map[string]map[bool]int{} // by file, called or not
	for _, e := range t.entries {
		for _, p := range e.pieces {
			file := p.pos.Filename
			if open[file] == nil {
				open[file] = map[bool]int{}
			}
			open[file][e.file != file] += 1 + p.unknown()<<16
		}
	}
	drop := func(e *entry, file string) bool {
		alone, called := open[file][false]>>16, open[file][true]
		if called == 0 || open[file][false] == 0 {
			return false
		}
		return (e.file == file) == (called>>16 <= alone)
	}
	var all []*piece
	for _, e := range t.entries {
		for _, d := range e.diags {
			if !drop(e, d.Pos.Filename) {
				t.diags = append(t.diags, d)
			}
		}
		for _, p := range e.pieces {
			if !drop(e, p.pos.Filename) && !slices.ContainsFunc(all, func(q *piece) bool { return reflect.DeepEqual(p, q) }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// merger merges the pieces of scripts.
type merger struct {
	tree  *tree.Tree
	diags diag.List
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
		i := slices.IndexFunc(merged, func(o *piece) bool { return p.made == o.made && p.where == o.where && p.unknown() == 0 })
		if i < 0 {
			merged = append(merged, p)
		} else {
			m.join(merged[i], p)
		}
	}
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = p.clientsetLink == m.importPath(o.where[clientset])
		return p.made[informers] && o.made[clientset] && !o.made[informers] && (linked || p.clientsetLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.listersLink == m.importPath(p.where[listers])
		return p.onlyPart(listers) && !o.made[listers] && (o.made[clientset] || o.made[informers]) && (linked || o.listersLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.applyLink != "" && o.applyLink == m.importPath(p.where[applied])
		return linked && p.onlyPart(applied), linked
	})
	merged = m.separate(merged)
	for _, p := range merged {
		if p.clientsetLink != "" && !p.made[clientset] {
			m.diags.Add(p.pos,
				"--versioned-clientset-package %s is not translated: informers use the clientset of their own output", p.clientsetLink)
		}
		m.level(p)
	}
	return m.placeAPIFiles(merged, apiFiles)
}

// attach joins each partial piece to the piece that it is linked to, or to the nearest one.
func (m *merger) attach(pieces []*piece, match func(p, o *piece) (fits, linked bool)) []*piece {
	left := slices.Clone(pieces)
	for _, p := range pieces {
		var best *piece
		nearest := -1
		for _, o := range left {
			if !p.partial || !o.partial || o == p {
				continue
			}
			fits, linked := match(p, o)
			distance := len(commonDir(append(p.dirs(), o.dirs()...)))
			if linked {
				distance += 1 << 20
			}
			if fits && distance > nearest {
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
	for part := range parts {
		if q.made[part] && !p.made[part] {
			p.set(part, q.where[part], q.inputs[part])
		} else {
			p.inputs[part] = union(p.inputs[part], q.inputs[part])
		}
	}
	if p.listersLink == "" {
		p.listersLink = q.listersLink
	}
	if p.applyLink == "" {
		p.applyLink = q.applyLink
	}
	for name, inputs := range q.apiFiles {
		p.addAPIFiles(name, inputs)
	}
	m.joinSettings(p, q)
}

// joinSettings adds the settings of a piece to another.
func (m *merger) joinSettings(p, q *piece) {
	if p.header == "" {
		p.header = q.header
	} else if q.header != "" && q.header != p.header {
		m.diags.Add(q.pos, "go-header-file: %s is not translated: another call for the same output has %s",
			relative(m.tree.Root, q.header), relative(m.tree.Root, p.header))
	}
	for _, key := range config.Keys() {
		value, ok := q.settings[key]
		if !ok {
			continue
		}
		old, ok := p.settings[key]
		oldList, isList := old.([]string)
		switch list, _ := value.([]string); {
		case !ok:
			p.settings[key] = value
		case isList:
			isOld := func(s string) bool { return slices.Contains(oldList, s) }
			p.settings[key] = slices.Concat(oldList, slices.DeleteFunc(slices.Clone(list), isOld))
		case !reflect.DeepEqual(old, value):
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
		case !slices.ContainsFunc([]part{clientset, listers, informers, applied}, func(part part) bool {
			return p.made[part] && apart[i].made[part] && p.where[part] != apart[i].where[part]
		}):
			m.join(apart[i], p)
		default:
			p.problem = "this output overlaps with the output of " + line(m.tree.Root, apart[i].pos) + ": each output needs its own directories"
			p.where = [parts]module.Place{}
			apart = append(apart, p)
		}
	}
	return apart
}

// overlaps reports whether generate would reject two outputs.
func (p *piece) overlaps(q *piece) bool {
	if len(p.dirs()) == 0 || len(q.dirs()) == 0 {
		return false
	}
	return p.root() == q.root() || module.AnyWithin(p.dirs(), q.dirs()) || module.AnyWithin(q.dirs(), p.dirs())
}

// level gives all parts of an output the same packages. For packages without kinds, only apply configurations for types used by
// kinds are generated.
func (m *merger) level(p *piece) {
	var clients []input
	for _, part := range []part{clientset, listers, informers} {
		clients = union(clients, p.inputs[part])
	}
	if len(clients) > 0 {
		var kept []input
		for _, i := range p.inputs[applied] {
			if i.open != "" || slices.ContainsFunc(clients, i.same) {
				kept = append(kept, i)
			} else if below, ok := m.withoutKinds(i); ok {
				kept = append(kept, below)
			} else {
				m.diags.Add(i.pos,
					"apply configurations of %s are not translated, except those that kinds use: the package has no clients", i.name(m.tree.Root))
			}
		}
		p.inputs[applied] = kept
	}
	for _, part := range []part{clientset, listers, informers} {
		if !p.made[part] {
			continue
		}
		var more []string
		for _, i := range clients {
			if i.open == "" && !slices.ContainsFunc(p.inputs[part], i.same) {
				more = append(more, i.name(m.tree.Root))
			}
		}
		if _, generator := part.key(); len(more) > 0 {
			m.diags.Add(p.pos, "%s of %s are generated too: all parts of an output have the same packages", generator, strings.Join(more, ", "))
		}
	}
}

// withoutKinds returns a pattern for a package that only provides types for other kinds: generate writes an empty client for an
// API package that is named explicitly. It returns false if the package is outside this repository or has kinds.
func (m *merger) withoutKinds(i input) (input, bool) {
	dir := strings.TrimSuffix(i.Dir, "/...")
	if dir == "" || len(m.tree.Marked(dir, genclientMarker())) > 0 {
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
	if len(outputs) == 0 {
		if len(apiFiles) == 0 {
			return nil
		}
		for _, p := range apiFiles[1:] {
			m.join(apiFiles[0], p)
		}
		return apiFiles[:1]
	}
	for _, p := range append(slices.Clone(outputs), apiFiles...) {
		for _, name := range []string{"deepcopy", "register"} {
			inputs, ok := p.apiFiles[name]
			if !ok {
				continue
			}
			delete(p.apiFiles, name)
			var left []string
			for _, i := range inputs {
				if !m.hand(outputs, p, name, i) {
					left = append(left, i.name(m.tree.Root)+i.open)
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
	for _, o := range outputs {
		if m.elsewhere(o, i) || !slices.ContainsFunc(o.packages(), func(j input) bool { return j.covers(i) }) {
			continue
		}
		o.addAPIFiles(name, nil)
		if o != from {
			m.joinSettings(o, from)
		}
		return true
	}
	return false
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

// importPath returns the import path of a place.
func (m *merger) importPath(p module.Place) string {
	if p.ImportPath != "" || p.Dir == "" {
		return p.ImportPath
	}
	return m.tree.ImportPath(p.Dir)
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
