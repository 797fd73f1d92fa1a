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
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// choose returns the outputs of one module: the module of the working directory if it has any, otherwise that of the first
// output.
func (m *merger) choose(start string, outputs []*piece) []*piece {
	owner := func(p *piece) string {
		if dirs := p.dirs(); len(dirs) > 0 {
			if owner, err := module.Owner(dirs[0]); err == nil {
				return owner.Dir
			}
		}
		return start
	}
	m.module = owner(outputs[0])
	if slices.ContainsFunc(outputs, func(p *piece) bool { return owner(p) == start }) {
		m.module = start
	}
	if m.module != start {
		m.diags.Add(outputs[0].pos, "write this configuration to %s, the module of the output", relative(start, m.module))
	}
	var chosen []*piece
	for _, p := range outputs {
		if dir := owner(p); dir != m.module {
			m.diags.AddHint(p.pos, "run informer-gen-lite migrate in "+relative(start, dir),
				"this output is not translated: it belongs to another module")
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// question returns the value of a key that generate asks for.
func (m *merger) question(pos token.Position, what string) string {
	return config.Question + " " + line(m.module, pos) + ": " + strings.ReplaceAll(what, "\n", " ")
}

// packages returns the packages in the form of the configuration: by directory if they belong to its module.
func (m *merger) packages(p *piece) []string {
	names := m.patterns(p.packages())
	if len(names) == 0 {
		names = []string{m.question(p.pos, "no packages were found")}
	}
	return names
}

// patterns returns packages in the form of the configuration.
func (m *merger) patterns(inputs []input) (names []string) {
	for _, i := range inputs {
		owner, err := module.Owner(strings.TrimSuffix(i.Dir, "/..."))
		switch {
		case i.open != "":
			names = append(names, m.question(i.pos, i.open))
		case i.Dir != "" && err == nil && owner.Dir == m.module && !strings.Contains(relative(m.module, i.Dir), "vendor/"):
			names = append(names, "./"+relative(m.module, i.Dir))
		default:
			names = append(names, i.ImportPath)
		}
	}
	return names
}

// configuration returns the keys of an output. Defaults are left out.
func (m *merger) configuration(p *piece) keys {
	k := keys{config.PackagesKey: m.packages(p)}
	maps.Copy(k, p.settings)
	if header, ok := k[headerKey].(string); ok {
		k[headerKey] = relative(m.module, filepath.Join(m.repo.Root, header))
	}
	root := p.root()
	for _, name := range inOwnDir {
		m.place(k, root, name, p.parts[name].where)
	}
	if !p.makes(clientset) || !p.makes(listers) || !p.makes(informers) {
		k["only"] = slices.DeleteFunc(slices.Concat(inOwnDir, inAPIPackages), func(name string) bool { return !p.makes(name) })
	} else if !p.makes(applied) && p.settings[applyKey] == nil {
		k["skip"] = []string{applied}
	}
	if p.makes(applied) {
		delete(k, applyKey)
		if k[config.SchemaKey] == nil {
			k[config.SchemaKey] = false // code-generator writes one only with an OpenAPI document
		} else {
			delete(k, config.SchemaKey)
		}
	}
	for name, key := range map[string]string{listers: config.ListersKey, informers: config.InformersKey} {
		if p.narrower(name, p.packages(inClients...)) {
			k[key] = m.patterns(p.parts[name].inputs)
		}
	}
	switch {
	case root == "" && p.onlyAPIFiles():
		k[config.OutputDirKey] = m.question(p.pos, "unknown packages")
	case root == "" || len(p.dirs()) < len(p.places()):
		k[config.OutputDirKey] = m.question(p.pos, p.problem)
	case p.onlyAPIFiles() && !module.Within(m.module, root):
		k[config.OutputDirKey] = "." // only the list of files goes there
	default:
		k[config.OutputDirKey] = relative(m.module, root)
	}
	return k
}

// place adds the keys for the location of a part.
func (m *merger) place(k keys, root, name string, where module.Place) {
	rel, err := filepath.Rel(root, where.Dir)
	if err != nil || where.Dir == "" {
		return
	}
	if rel = filepath.ToSlash(rel); rel != config.DefaultOf(name+dirKey) {
		k[name+dirKey] = rel
	}
	if byModule, err := module.ImportPath(root); where.ImportPath != "" && (err != nil || path.Join(byModule, rel) != where.ImportPath) {
		k["output-pkg"] = strings.TrimSuffix(where.ImportPath, "/"+rel)
	}
}

// yaml returns a configuration file for the outputs. Common settings are at the top.
func (m *merger) yaml(outputs []*piece) (string, error) {
	all := make([]keys, len(outputs))
	for i, output := range outputs {
		all[i] = m.configuration(output)
		if i < len(m.kept) {
			maps.Copy(all[i], m.kept[i])
		}
	}
	document := all[0]
	if len(all) > 1 {
		document = keys{config.OutputsKey: all}
		for key, value := range all[0] {
			differs := func(o keys) bool { return !reflect.DeepEqual(o[key], value) }
			if key == config.PackagesKey || key == config.OutputDirKey || slices.ContainsFunc(all, differs) {
				continue
			}
			document[key] = value
			for _, o := range all {
				delete(o, key)
			}
		}
	}
	text, err := yaml.Dump(document, yaml.WithV3Defaults(), yaml.WithIndent(2))
	return string(text), err
}

// keys are the keys of a configuration or of one of its outputs.
type keys map[string]any

// MarshalYAML puts the keys in the order of the options.
func (k keys) MarshalYAML() (any, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range append(config.Keys(), config.OutputsKey) {
		if value, ok := k[key]; ok {
			var content yaml.Node
			if err := content.Encode(value); err != nil {
				return nil, err
			}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &content)
		}
	}
	return node, nil
}
