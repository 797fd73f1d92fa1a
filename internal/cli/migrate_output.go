package cli

import (
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// piece is what one call of a tool contributes to an output: all of it, or for a single generator its part.
type piece struct {
	pos      token.Position
	module   place
	partial  bool
	packages []string
	// clientset, listers and informers are where these go; empty where there are none.
	clientset, listers, informers place
	// applied is where the apply configurations go; empty where there are none.
	applied place
	// beside are the generators whose files lie beside the types.
	beside []string
	// clientsetLink and listersLink are the import paths of what the informers use, applyLink that of what the clients use.
	clientsetLink, listersLink, applyLink string
	// settings are the other keys.
	settings map[string]any
}

// outputs puts the pieces together, those of single generators by what they say of each other.
func (m *migration) outputs() []*piece {
	var merged []*piece
	for _, p := range m.pieces {
		i := slices.IndexFunc(merged, func(o *piece) bool { return p.partial && o.partial && o.samePlaces(p) })
		if i < 0 {
			merged = append(merged, p)
		} else {
			m.join(merged[i], p)
		}
	}
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = p.clientsetLink == o.clientset.path(o.module)
		fits = p.informers != (place{}) && o.clientset != (place{}) && o.informers == (place{})
		return fits && (linked || p.clientsetLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.listersLink == p.listers.path(p.module)
		fits = p.onlyListers() && o.listers == (place{}) &&
			(o.clientset != (place{}) || o.informers != (place{}))
		return fits && (linked || o.listersLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.applyLink != "" && o.applyLink == p.applied.path(p.module)
		return linked && p.applied != (place{}) && p.clientset == (place{}), linked
	})
	merged = m.attachBeside(merged)
	for _, p := range merged {
		if p.clientsetLink != "" && p.clientset == (place{}) {
			m.diags.Add(p.pos, "--versioned-clientset-package %s is not translated: informers use the clientset of their own output", p.clientsetLink)
		}
	}
	return merged
}

// attach joins each partial piece to the one that it is linked to, or else to that which lies nearest.
func (m *migration) attach(pieces []*piece, match func(p, o *piece) (fits, linked bool)) []*piece {
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
func (m *migration) join(p, q *piece) {
	for _, name := range q.packages {
		if !slices.Contains(p.packages, name) {
			p.packages = append(p.packages, name)
		}
	}
	for _, where := range []struct{ to, from *place }{
		{&p.clientset, &q.clientset}, {&p.listers, &q.listers}, {&p.informers, &q.informers}, {&p.applied, &q.applied},
	} {
		if *where.to == (place{}) {
			*where.to = *where.from
		}
	}
	if p.listersLink == "" {
		p.listersLink = q.listersLink
	}
	if p.applyLink == "" {
		p.applyLink = q.applyLink
	}
	p.addBeside(q.beside...)
	m.joinSettings(p, q)
}

// joinSettings adds the settings of a piece to another.
func (m *migration) joinSettings(p, q *piece) {
	for key, value := range q.settings {
		if old, ok := p.settings[key]; ok && !reflect.DeepEqual(old, value) {
			m.diags.Add(q.pos, "%s: %s is not translated: another call for the same output has %s", key, flowYAML(value), flowYAML(old))
		} else {
			p.settings[key] = value
		}
	}
}

// addBeside adds generators whose files lie beside the types.
func (p *piece) addBeside(names ...string) {
	p.beside = append(p.beside, names...)
	slices.Sort(p.beside)
	p.beside = slices.Compact(p.beside)
}

// attachBeside makes what lies beside the types part of the outputs that have clients for them.
func (m *migration) attachBeside(pieces []*piece) []*piece {
	left := slices.Clone(pieces)
	for _, p := range pieces {
		if !p.onlyBeside() {
			continue
		}
		for _, o := range pieces {
			if o.onlyBeside() || !slices.ContainsFunc(p.packages, o.covers) {
				continue
			}
			o.addBeside(p.beside...)
			m.joinSettings(o, p)
			p.packages = slices.DeleteFunc(p.packages, o.covers)
			if len(p.packages) == 0 {
				left = slices.DeleteFunc(left, func(o *piece) bool { return o == p })
				break
			}
		}
	}
	return left
}

// covers tells whether a package, or a pattern, is among those of the piece.
func (p *piece) covers(name string) bool {
	return slices.ContainsFunc(p.packages, func(pattern string) bool {
		root, all := strings.CutSuffix(pattern, "/...")
		return pattern == name || all && (name == root || strings.HasPrefix(name, root+"/"))
	})
}

func (p *piece) onlyBeside() bool {
	return len(p.beside) > 0 && len(p.dirs()) == 0
}

// firstDir returns the directory of the first package, or of all that its pattern stands for.
func (p *piece) firstDir() string {
	if len(p.packages) == 0 {
		return ""
	}
	return strings.TrimSuffix(p.packages[0], "/...")
}

func (p *piece) onlyListers() bool {
	return p.listers != (place{}) && p.clientset == (place{}) && p.informers == (place{}) && p.applied == (place{})
}

func (p *piece) samePlaces(q *piece) bool {
	return p.clientset == q.clientset && p.listers == q.listers && p.informers == q.informers && p.applied == q.applied
}

// path returns the import path of a place.
func (p place) path(module place) string {
	if p.importPath != "" || p.dir == "" {
		return p.importPath
	}
	rel, err := filepath.Rel(module.dir, p.dir)
	if err != nil {
		return ""
	}
	return path.Join(module.importPath, filepath.ToSlash(rel))
}

// dirs are the directories that are written to, as far as they are known.
func (p *piece) dirs() []string {
	var dirs []string
	for _, where := range []place{p.clientset, p.listers, p.informers, p.applied} {
		if where.dir != "" {
			dirs = append(dirs, where.dir)
		}
	}
	return dirs
}

// commonDir returns the directory that all directories lie in, and that none of them is.
func commonDir(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	common := filepath.Dir(dirs[0])
	for _, dir := range dirs[1:] {
		for !within(common, filepath.Dir(dir)) {
			common = filepath.Dir(common)
		}
	}
	return common
}

// configuration returns the keys of an output. What equals the default is left out.
func (p *piece) configuration() map[string]any {
	keys := map[string]any{}
	for key, value := range p.settings {
		keys[key] = value
	}
	if len(p.packages) > 0 {
		keys[packagesKey] = p.packages
	}
	root := p.root()
	var only []string
	for _, part := range []struct {
		generator, key string
		where          place
	}{
		{"clientset", "clientset-dir", p.clientset}, {"listers", "listers-dir", p.listers}, {"informers", "informers-dir", p.informers},
		{applyGenerator, "applyconfiguration-dir", p.applied},
	} {
		if part.where == (place{}) {
			continue
		}
		only = append(only, part.generator)
		if rel, err := filepath.Rel(root, part.where.dir); err == nil && part.where.dir != "" {
			if rel = filepath.ToSlash(rel); rel != configFlag(part.key).DefValue {
				keys[part.key] = rel
			}
			if byModule, err := importPathOf(root); part.where.importPath != "" && (err != nil || path.Join(byModule, rel) != part.where.importPath) {
				keys["output-pkg"] = strings.TrimSuffix(part.where.importPath, "/"+rel)
			}
		}
	}
	switch complete := slices.Contains(only, "clientset") && slices.Contains(only, "listers") && slices.Contains(only, "informers"); {
	case !complete:
		keys["only"] = append(only, p.beside...)
	case p.applied == (place{}) && p.applyLink == "":
		keys["skip"] = []string{applyGenerator}
	}
	if p.applied == (place{}) && p.applyLink != "" {
		keys["applyconfiguration-package"] = p.applyLink
	}
	if dir, ours := strings.CutPrefix(p.firstDir(), "./"); ours && p.onlyBeside() {
		keys["output-dir"] = dir // nothing but the list of files goes there
	}
	if root != "" {
		rel, err := filepath.Rel(p.module.dir, root)
		if keys["output-dir"] = filepath.ToSlash(rel); err != nil {
			keys["output-dir"] = root
		}
	}
	return keys
}

// root returns the output directory: that which gives the parts their usual names, if there is one.
func (p *piece) root() string {
	for _, part := range []struct {
		where place
		key   string
	}{{p.clientset, "clientset-dir"}, {p.informers, "informers-dir"}, {p.listers, "listers-dir"}} {
		usual := filepath.FromSlash(configFlag(part.key).DefValue)
		root, ok := strings.CutSuffix(part.where.dir, string(filepath.Separator)+usual)
		if ok && !slices.ContainsFunc(p.dirs(), func(dir string) bool { return !within(root, dir) }) {
			return root
		}
	}
	return commonDir(p.dirs())
}

// outputsYAML returns a configuration file for the outputs. What is the same in all of them stands at the top.
func outputsYAML(outputs []*piece) (string, error) {
	all := make([]map[string]any, len(outputs))
	for i, output := range outputs {
		all[i] = output.configuration()
	}
	top := all[0]
	if len(all) > 1 {
		top = map[string]any{}
		for key, value := range all[0] {
			if key != packagesKey && !slices.ContainsFunc(all, func(o map[string]any) bool { return !reflect.DeepEqual(o[key], value) }) {
				top[key] = value
			}
		}
	}
	document, err := mapping(top, nil)
	if err != nil {
		return "", err
	}
	if len(all) > 1 {
		blocks := &yaml.Node{Kind: yaml.SequenceNode}
		for _, keys := range all {
			block, err := mapping(keys, top)
			if err != nil {
				return "", err
			}
			blocks.Content = append(blocks.Content, block)
		}
		document.Content = append(document.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: outputsKey}, blocks)
	}
	var b strings.Builder
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	err = encoder.Encode(document)
	return b.String(), err
}

// mapping returns the keys that the top does not have, in the order of the flags.
func mapping(keys, top map[string]any) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string) error {
		value, ok := keys[key]
		if _, hoisted := top[key]; !ok || hoisted {
			return nil
		}
		var content yaml.Node
		if err := content.Encode(value); err != nil {
			return err
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &content)
		return nil
	}
	err := add(packagesKey)
	configFlags().VisitAll(func(flag *pflag.Flag) {
		if err == nil {
			err = add(flag.Name)
		}
	})
	return node, err
}
