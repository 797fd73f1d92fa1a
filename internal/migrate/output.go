package migrate

import (
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/tree"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// writer writes outputs as a configuration file.
type writer struct {
	tree  *tree.Tree
	diags diag.List
	// module is the directory of the module that the file belongs to.
	module string
}

// choose returns the outputs of one module: the module of the working directory if it has any, otherwise that of the first
// output.
func (w *writer) choose(start string, outputs []*piece) []*piece {
	owner := func(p *piece) string {
		dirs := p.dirs()
		for _, inputs := range p.apiFiles {
			for _, i := range inputs {
				dirs = append(dirs, i.Dir)
			}
		}
		if len(dirs) == 0 || dirs[0] == "" {
			return start
		}
		owner, err := module.Owner(dirs[0])
		if err != nil {
			return start
		}
		return owner.Dir
	}
	w.module = owner(outputs[0])
	if slices.ContainsFunc(outputs, func(p *piece) bool { return owner(p) == start }) {
		w.module = start
	}
	if w.module != start {
		w.diags.Add(outputs[0].pos, "write this configuration to %s, the module of the output", relative(start, w.module))
	}
	var chosen []*piece
	for _, p := range outputs {
		if dir := owner(p); dir != w.module {
			w.diags.AddHint(p.pos, "run informer-gen-lite migrate in "+relative(start, dir),
				"this output is not translated: it belongs to another module")
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// question returns the value of a key that generate asks for.
func (w *writer) question(pos token.Position, what string) string {
	return config.Question + " " + line(w.module, pos) + ": " + strings.ReplaceAll(what, "\n", " ")
}

// packages returns the packages in the form of the configuration: by directory if they belong to its module.
func (w *writer) packages(p *piece) []string {
	inputs := p.packages()
	if p.onlyAPIFiles() {
		for _, name := range []string{"deepcopy", "register"} {
			inputs = union(inputs, p.apiFiles[name])
		}
	}
	var names []string
	for _, i := range inputs {
		owner, err := module.Owner(strings.TrimSuffix(i.Dir, "/..."))
		switch {
		case i.open != "":
			names = append(names, w.question(i.pos, i.open))
		case i.Dir != "" && err == nil && owner.Dir == w.module && !strings.Contains(relative(w.module, i.Dir), "vendor/"):
			names = append(names, "./"+relative(w.module, i.Dir))
		default:
			names = append(names, i.ImportPath)
		}
	}
	if len(names) == 0 {
		names = []string{w.question(p.pos, "no packages were found")}
	}
	return names
}

// configuration returns the keys of an output. Defaults are left out.
func (w *writer) configuration(p *piece) map[string]any {
	keys := map[string]any{config.PackagesKey: w.packages(p)}
	maps.Copy(keys, p.settings)
	if p.header != "" {
		keys["go-header-file"] = relative(w.module, p.header)
	}
	root := p.root()
	var only []string
	for part := range parts {
		if !p.made[part] {
			continue
		}
		_, generator := part.key()
		only = append(only, generator)
		w.place(keys, root, part, p.where[part])
	}
	switch complete := p.made[clientset] && p.made[listers] && p.made[informers]; {
	case !complete:
		for _, name := range []string{"deepcopy", "register"} {
			if _, ok := p.apiFiles[name]; ok {
				only = append(only, name)
			}
		}
		keys["only"] = only
	case !p.made[applied] && p.applyLink == "":
		keys["skip"] = []string{"applyconfiguration"}
	}
	if !p.made[applied] && p.applyLink != "" {
		keys["applyconfiguration-package"] = p.applyLink
	}
	switch {
	case p.onlyAPIFiles():
		keys["output-dir"] = w.apiFilesRoot(p) // only the list of files goes there
	case root == "" || len(p.dirs()) < len(only)-len(p.apiFiles):
		keys["output-dir"] = w.question(p.pos, p.problem)
	default:
		keys["output-dir"] = relative(w.module, root)
	}
	return keys
}

// place adds the keys for the location of a part.
func (w *writer) place(keys map[string]any, root string, part part, where module.Place) {
	rel, err := filepath.Rel(root, where.Dir)
	if err != nil || where.Dir == "" {
		return
	}
	key, _ := part.key()
	if rel = filepath.ToSlash(rel); rel != config.DefaultOf(key) {
		keys[key] = rel
	}
	if byModule, err := module.ImportPath(root); where.ImportPath != "" && (err != nil || path.Join(byModule, rel) != where.ImportPath) {
		keys["output-pkg"] = strings.TrimSuffix(where.ImportPath, "/"+rel)
	}
}

// apiFilesRoot returns the common directory of all packages, for an output without a directory.
func (w *writer) apiFilesRoot(p *piece) string {
	var dirs []string
	for _, inputs := range p.apiFiles {
		for _, i := range inputs {
			if dir := strings.TrimSuffix(i.Dir, "/..."); dir != "" {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) == 0 {
		return w.question(p.pos, "unknown packages")
	}
	if rel := relative(w.module, commonDir(dirs)); !strings.HasPrefix(rel, "..") {
		return rel
	}
	return "."
}

// yaml returns a configuration file for the outputs. Common settings are at the top.
func (w *writer) yaml(outputs []*piece) (string, error) {
	all := make([]map[string]any, len(outputs))
	for i, output := range outputs {
		all[i] = w.configuration(output)
	}
	top := all[0]
	if len(all) > 1 {
		top = map[string]any{}
		for key, value := range all[0] {
			differs := func(o map[string]any) bool { return !reflect.DeepEqual(o[key], value) }
			if key != config.PackagesKey && key != "output-dir" && !slices.ContainsFunc(all, differs) {
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

// mapping returns the keys that top does not have, in the order of the flags.
func mapping(keys, top map[string]any) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range config.Keys() {
		value, ok := keys[key]
		if _, hoisted := top[key]; !ok || hoisted {
			continue
		}
		var content yaml.Node
		if err := content.Encode(value); err != nil {
			return nil, err
		}
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &content)
	}
	return node, nil
}
