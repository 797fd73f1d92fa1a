package outputs

import (
	"cmp"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
)

// Choose returns the outputs of one module: the module of the working directory if it has any, otherwise the module of the first output.
func (m *Merger) Choose(start string, outputs []*Piece) []*Piece {
	owner := func(p *Piece) string {
		if dirs := p.dirs(); len(dirs) > 0 {
			if owner, err := module.Owner(dirs[0]); err == nil {
				return owner.Dir
			}
		}
		return start
	}
	m.Module = owner(outputs[0])
	if slices.ContainsFunc(outputs, func(p *Piece) bool { return owner(p) == start }) {
		m.Module = start
	}
	if m.Module != start {
		m.Diags.Add(outputs[0].Pos, "write this configuration to %s, the module of the output", repository.Relative(start, m.Module))
	}
	var chosen []*Piece
	for _, p := range outputs {
		if dir := owner(p); dir != m.Module {
			run := "run informer-gen-lite migrate in "
			if !module.Within(dir, p.Pos.Filename) {
				run = "run informer-gen-lite migrate " + repository.Relative(dir, p.Pos.Filename) + " in "
			}
			m.Diags.AddHint(p.Pos, run+repository.Relative(start, dir),
				"this output is not translated: it belongs to another module")
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// question returns a value of a key that generate asks for.
func (m *Merger) question(key string, pos token.Position, what string) string {
	m.Questions.AddHint(pos, "write the value in place of "+option.Question, "unknown %s: %s", key, what)
	return option.Question + " " + line(m.Module, pos) + ": " + strings.ReplaceAll(what, "\n", " ")
}

// packages returns the packages in the form of the configuration: by directory if they belong to its module.
func (m *Merger) packages(p *Piece) []string {
	names := m.patterns(option.PackagesKey, p.Packages())
	if len(names) == 0 {
		names = []string{m.question(option.PackagesKey, p.Pos, "no packages were found")}
	}
	return names
}

// patterns returns packages in the form of the configuration.
func (m *Merger) patterns(key string, inputs []Input) (names []string) {
	for _, i := range inputs {
		owner, err := module.Owner(i.PackageDir())
		switch {
		case i.Open != "":
			names = append(names, m.question(key, i.Pos, i.Open))
		case i.Dir != "" && err == nil && owner.Dir == m.Module && !strings.Contains(repository.Relative(m.Module, i.Dir), "vendor/"):
			names = append(names, strings.TrimSuffix("./"+repository.Relative(m.Module, i.Dir), "/."))
		default:
			names = append(names, i.ImportPath)
		}
	}
	return names
}

// skipped returns the generators that an output with all clients does not run.
func (p *Piece) skipped() (all []string) {
	if !p.Makes(Applied) && p.Settings[ApplyKey] == nil {
		all = append(all, Applied)
	}
	for _, name := range p.Skip {
		if name != option.Fake && !slices.Contains(all, name) && !p.Makes(name) {
			all = append(all, name)
		}
	}
	return all
}

// configuration returns the keys of an output in a directory. Defaults are left out.
func (m *Merger) configuration(p *Piece, root string) keys {
	k := keys{option.PackagesKey: m.packages(p)}
	for key, value := range p.Settings {
		if value = relativeTo(m.Module, value); value != nil {
			k[key] = value
		}
	}
	if p.Makes(Roles) {
		k[rolesPathsKey] = m.patterns(rolesPathsKey, p.Parts[Roles].Inputs)
	}
	if header, ok := k[HeaderKey].(string); ok {
		k[HeaderKey] = repository.Relative(m.Module, filepath.Join(m.Repo.Root, header))
	}
	for _, name := range inOwnDir {
		m.place(k, root, name, p.Parts[name].Where)
	}
	if !p.Makes(Clientset) || !p.Makes(Listers) || !p.Makes(Informers) {
		k["only"] = slices.DeleteFunc(slices.Concat(inOwnDir, m.inAPIPackages(), inManifests), func(name string) bool { return !p.Makes(name) })
	} else if skip := p.skipped(); skip != nil {
		k["skip"] = skip
	}
	if slices.Contains(p.Skip, option.Fake) && p.Makes(Clientset) {
		skip, _ := k["skip"].([]string)
		k["skip"] = append(skip, option.Fake)
	}
	if p.Makes(Applied) {
		delete(k, ApplyKey)
		if k[option.SchemaKey] == nil {
			k[option.SchemaKey] = false // code-generator writes one only with an OpenAPI document
		} else {
			delete(k, option.SchemaKey)
		}
	}
	for name, key := range map[string]string{Listers: option.ListersKey, Informers: option.InformersKey} {
		if p.narrower(name, p.Packages(inClients...)) {
			k[key] = m.patterns(key, p.Parts[name].Inputs)
		}
	}
	switch {
	case root == "" && p.onlyAPIFiles():
		k[option.OutputDirKey] = m.question(option.OutputDirKey, p.Pos, "unknown packages")
	case root == "" || len(p.dirs()) < len(p.places()):
		k[option.OutputDirKey] = m.question(option.OutputDirKey, p.Pos, p.Problem)
	case p.onlyAPIFiles() && !module.Within(m.Module, root):
		k[option.OutputDirKey] = "." // only the list of files goes there
	default:
		k[option.OutputDirKey] = repository.Relative(m.Module, root)
	}
	return k
}

// place adds the keys for the location of a part.
func (m *Merger) place(k keys, root, name string, where module.Place) {
	rel, err := filepath.Rel(root, where.Dir)
	if err != nil || where.Dir == "" {
		return
	}
	if rel = filepath.ToSlash(rel); rel != option.DefaultOf(name+dirKey) {
		k[name+dirKey] = rel
	}
	if byModule, err := module.ImportPath(root); where.ImportPath != "" && (err != nil || path.Join(byModule, rel) != where.ImportPath) {
		k["output-pkg"] = strings.TrimSuffix(where.ImportPath, "/"+rel)
	}
}

// YAML returns a configuration file for the outputs. Common settings are at the top.
func (m *Merger) YAML(outputs []*Piece) (string, error) {
	m.Questions = nil
	all, taken, shared := make([]keys, len(outputs)), map[string]bool{}, ""
	for i, output := range outputs {
		root := output.root()
		isFree := func(dir string) bool { return !taken[dir] }
		switch j := slices.IndexFunc(output.dirs(), isFree); { // only the list of files goes to the root of output without clients
		case !output.onlyAPIFiles():
			shared = cmp.Or(shared, root)
		case shared != "" && !output.Makes(inManifests...):
			root = shared
		case taken[root] && j >= 0:
			root = output.dirs()[j]
		}
		taken[root] = true
		all[i] = m.configuration(output, root)
		if i < len(m.Kept) {
			maps.Copy(all[i], m.Kept[i])
		}
	}
	document := all[0]
	if len(all) > 1 {
		document = keys{option.OutputsKey: all}
		for key, value := range all[0] {
			differs := func(o keys) bool { return !reflect.DeepEqual(o[key], value) }
			if key == option.PackagesKey || key == option.OutputDirKey || slices.ContainsFunc(all, differs) {
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
	for _, key := range append(option.Keys(), option.OutputsKey) {
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
