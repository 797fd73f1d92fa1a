package migrate

import (
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// piece is what one call of a tool contributes to an output: all of it, or for a single generator its part.
type piece struct {
	pos      token.Position
	module   config.Place
	partial  bool
	packages []string
	// clientset, listers and informers are where these go; empty where there are none.
	clientset, listers, informers config.Place
	// applied is where the apply configurations go; empty where there are none.
	applied config.Place
	// beside are the generators whose files lie in the API packages.
	beside []string
	// clientsetLink and listersLink are the import paths of what the informers use, applyLink that of what the clients use.
	clientsetLink, listersLink, applyLink string
	// settings are the other keys.
	settings map[string]any
}

// merger puts the pieces of scripts together.
type merger struct {
	diags diag.List
}

// outputs returns one piece for each output. Pieces of single generators are joined by what they say of each other.
func (m *merger) outputs(pieces []*piece) []*piece {
	var merged []*piece
	for _, p := range pieces {
		i := slices.IndexFunc(merged, func(o *piece) bool { return p.partial && o.partial && o.samePlaces(p) })
		if i < 0 {
			merged = append(merged, p)
		} else {
			m.join(merged[i], p)
		}
	}
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = p.clientsetLink == importPath(o.clientset, o.module)
		fits = p.informers != (config.Place{}) && o.clientset != (config.Place{}) && o.informers == (config.Place{})
		return fits && (linked || p.clientsetLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.listersLink == importPath(p.listers, p.module)
		fits = p.onlyListers() && o.listers == (config.Place{}) &&
			(o.clientset != (config.Place{}) || o.informers != (config.Place{}))
		return fits && (linked || o.listersLink == ""), linked
	})
	merged = m.attach(merged, func(p, o *piece) (fits, linked bool) {
		linked = o.applyLink != "" && o.applyLink == importPath(p.applied, p.module)
		return linked && p.applied != (config.Place{}) && p.clientset == (config.Place{}), linked
	})
	merged = m.attachBeside(merged)
	for _, p := range merged {
		if p.clientsetLink != "" && p.clientset == (config.Place{}) {
			m.diags.Add(p.pos, "--versioned-clientset-package %s is not translated: informers use the clientset of their own output", p.clientsetLink)
		}
	}
	return merged
}

// attach joins each partial piece to the piece that it is linked to, or else to the nearest one.
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
	for _, name := range q.packages {
		if !slices.Contains(p.packages, name) {
			p.packages = append(p.packages, name)
		}
	}
	for _, where := range []struct{ to, from *config.Place }{
		{&p.clientset, &q.clientset}, {&p.listers, &q.listers}, {&p.informers, &q.informers}, {&p.applied, &q.applied},
	} {
		if *where.to == (config.Place{}) {
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
func (m *merger) joinSettings(p, q *piece) {
	for key, value := range q.settings {
		if old, ok := p.settings[key]; ok && !reflect.DeepEqual(old, value) {
			m.diags.Add(q.pos, "%s: %s is not translated: another call for the same output has %s", key, config.FlowYAML(value), config.FlowYAML(old))
		} else {
			p.settings[key] = value
		}
	}
}

// addBeside adds generators whose files lie in the API packages.
func (p *piece) addBeside(names ...string) {
	p.beside = append(p.beside, names...)
	slices.Sort(p.beside)
	p.beside = slices.Compact(p.beside)
}

// attachBeside makes generators of files in API packages part of the outputs that have clients for them.
func (m *merger) attachBeside(pieces []*piece) []*piece {
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

// covers reports whether a package, or a pattern, is among those of the piece.
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
	return p.listers != (config.Place{}) && p.clientset == (config.Place{}) && p.informers == (config.Place{}) && p.applied == (config.Place{})
}

func (p *piece) samePlaces(q *piece) bool {
	return p.clientset == q.clientset && p.listers == q.listers && p.informers == q.informers && p.applied == q.applied
}

// importPath returns the import path of a place in a module.
func importPath(p, module config.Place) string {
	if p.ImportPath != "" || p.Dir == "" {
		return p.ImportPath
	}
	rel, err := filepath.Rel(module.Dir, p.Dir)
	if err != nil {
		return ""
	}
	return path.Join(module.ImportPath, filepath.ToSlash(rel))
}

// dirs are the directories that are written to, as far as they are known.
func (p *piece) dirs() []string {
	var dirs []string
	for _, where := range []config.Place{p.clientset, p.listers, p.informers, p.applied} {
		if where.Dir != "" {
			dirs = append(dirs, where.Dir)
		}
	}
	return dirs
}

// commonDir returns the deepest directory that all directories lie below.
func commonDir(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	common := filepath.Dir(dirs[0])
	for _, dir := range dirs[1:] {
		for !config.Within(common, filepath.Dir(dir)) {
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
		keys[config.PackagesKey] = p.packages
	}
	root := p.root()
	var only []string
	for _, part := range []struct {
		generator, key string
		where          config.Place
	}{
		{"clientset", "clientset-dir", p.clientset}, {"listers", "listers-dir", p.listers}, {"informers", "informers-dir", p.informers},
		{config.ApplyGenerator(), "applyconfiguration-dir", p.applied},
	} {
		if part.where == (config.Place{}) {
			continue
		}
		only = append(only, part.generator)
		if rel, err := filepath.Rel(root, part.where.Dir); err == nil && part.where.Dir != "" {
			if rel = filepath.ToSlash(rel); rel != config.DefaultOf(part.key) {
				keys[part.key] = rel
			}
			if byModule, err := config.ImportPathOf(root); part.where.ImportPath != "" && (err != nil || path.Join(byModule, rel) != part.where.ImportPath) {
				keys["output-pkg"] = strings.TrimSuffix(part.where.ImportPath, "/"+rel)
			}
		}
	}
	switch complete := slices.Contains(only, "clientset") && slices.Contains(only, "listers") && slices.Contains(only, "informers"); {
	case !complete:
		keys["only"] = append(only, p.beside...)
	case p.applied == (config.Place{}) && p.applyLink == "":
		keys["skip"] = []string{config.ApplyGenerator()}
	}
	if p.applied == (config.Place{}) && p.applyLink != "" {
		keys["applyconfiguration-package"] = p.applyLink
	}
	if dir, ours := strings.CutPrefix(p.firstDir(), "./"); ours && p.onlyBeside() {
		keys["output-dir"] = dir // nothing but the list of files goes there
	}
	if root != "" {
		rel, err := filepath.Rel(p.module.Dir, root)
		if keys["output-dir"] = filepath.ToSlash(rel); err != nil {
			keys["output-dir"] = root
		}
	}
	return keys
}

// root returns the output directory: that which gives the parts their usual names, if there is one.
func (p *piece) root() string {
	for _, part := range []struct {
		where config.Place
		key   string
	}{{p.clientset, "clientset-dir"}, {p.informers, "informers-dir"}, {p.listers, "listers-dir"}} {
		usual := filepath.FromSlash(config.DefaultOf(part.key))
		root, ok := strings.CutSuffix(part.where.Dir, string(filepath.Separator)+usual)
		if ok && !slices.ContainsFunc(p.dirs(), func(dir string) bool { return !config.Within(root, dir) }) {
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
			if key != config.PackagesKey && !slices.ContainsFunc(all, func(o map[string]any) bool { return !reflect.DeepEqual(o[key], value) }) {
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
		document.Content = append(document.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: config.OutputsKey}, blocks)
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
	for _, key := range config.Keys() {
		if err := add(key); err != nil {
			return nil, err
		}
	}
	return node, nil
}
