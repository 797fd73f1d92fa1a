package outputs

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// placeAPIFiles adds generators of files in API packages, and of manifests, to the outputs with clients for these packages. Other
// packages get outputs of their own.
func (m *Merger) placeAPIFiles(outputs, apiFiles []*Piece) []*Piece {
	all := slices.Concat(outputs, apiFiles)
	for _, p := range all {
		m.keep(p)
	}
	for _, p := range all {
		for name, kept := range m.kept {
			if p.Makes(name) {
				isKept := func(i Input) bool { return slices.ContainsFunc(kept, i.same) }
				p.Set(name, module.Place{}, slices.DeleteFunc(slices.Clone(p.Parts[name].Inputs), isKept))
			}
		}
	}
	if len(outputs) == 0 {
		return m.apiOutputs(apiFiles)
	}
	var inPackages, roles []*Piece
	for _, p := range apiFiles {
		switch {
		case p.Makes(Definitions):
			outputs = m.placeDefinitions(outputs, p)
		case p.Makes(Roles):
			roles = append(roles, p)
		default:
			inPackages = append(inPackages, p)
		}
	}
	for _, p := range roles {
		outputs = m.placeRoles(outputs, p)
	}
	own := m.hand(outputs, slices.Concat(outputs, inPackages))
	for _, o := range outputs {
		for _, name := range m.inAPIPackages() {
			if m.hasKept(o, name) || slices.ContainsFunc(m.kept[name], isOpen) {
				o.Skip = append(o.Skip, name)
			}
		}
	}
	return append(outputs, m.apiOutputs(own)...)
}

// hand adds generators of files in packages to the outputs that receive them. It returns what no output receives.
func (m *Merger) hand(outputs, from []*Piece) (own []*Piece) {
	given := make([]map[string]Part, len(from))
	for n, p := range from {
		given[n] = maps.Clone(p.Parts)
		maps.DeleteFunc(p.Parts, func(name string, _ Part) bool { return slices.Contains(m.inAPIPackages(), name) })
	}
	for n, p := range from {
		rest := &Piece{Pos: p.Pos, Parts: map[string]Part{}, Settings: maps.Clone(p.Settings)}
		maps.DeleteFunc(rest.Settings, func(key string, _ any) bool { return !slices.Contains(inPackagesKeys, key) })
		for _, name := range m.inAPIPackages() {
			for _, i := range given[n][name].Inputs {
				to := m.receiver(outputs, name, i)
				if to == nil {
					rest.Add(name, []Input{i})
				} else if to.Add(name, nil); to != p {
					m.joinSettings(to, p)
				}
			}
		}
		own = append(own, rest)
	}
	return own
}

// keep removes the files that a call still has to write: files in packages of other repositories and, if it stays, all files.
func (m *Merger) keep(p *Piece) {
	report := func(inputs []Input, name, why, hint string) {
		names := lists.Map(inputs, func(i Input) string { return i.Name(m.Repo.Root) })
		if what := m.Products[slices.IndexFunc(m.Products, func(p product.Product) bool { return p.Name == name })].Plural; len(inputs) > 0 {
			m.Diags.AddHint(p.Pos, hint, "%s of %s are not translated: %s", what, strings.Join(names, ", "), why)
		}
	}
	for _, name := range m.inAPIPackages() {
		part, ok := p.Parts[name]
		if !ok {
			continue
		}
		isForeign := func(i Input) bool { return i.Open == "" && !m.Repo.Within(i.PackageDir()) }
		here := slices.DeleteFunc(slices.Clone(part.Inputs), isForeign)
		report(lists.Filter(part.Inputs, isForeign), name, "this repository does not have these packages", tools.Keep+" for them")
		if p.Stays {
			report(slices.DeleteFunc(slices.Clone(here), isOpen), name, "this call stays and writes them", tools.Keep+" for them, too")
			m.kept[name], here = append(m.kept[name], here...), nil
		}
		if p.Set(name, part.Where, here); len(here) == 0 {
			delete(p.Parts, name)
		}
	}
}

// hasKept reports whether a remaining call writes a file of a generator in a package of an output.
func (m *Merger) hasKept(o *Piece, name string) bool {
	return slices.ContainsFunc(m.kept[name], func(i Input) bool { return covers(o, i) })
}

func isOpen(i Input) bool { return i.Open != "" }

// receiver returns the output with clients or CustomResourceDefinitions that can have a generator of files in a package, or nil.
func (m *Merger) receiver(outputs []*Piece, name string, i Input) *Piece {
	for _, o := range outputs {
		has := o.Packages(slices.Concat(inOwnDir, []string{Definitions})...)
		if slices.ContainsFunc(has, func(j Input) bool { return j.covers(i) }) && m.mayHave(o, name, i) {
			return o
		}
	}
	return nil
}

// mayHave reports whether an output can have a generator of files in a package: both are in one module, and no remaining call writes a
// file that would become part of the output.
func (m *Merger) mayHave(o *Piece, name string, i Input) bool {
	return !m.elsewhere(o, i) && !m.hasKept(o, name) && !slices.ContainsFunc(m.inAPIPackages(), func(other string) bool {
		return o.Makes(other) && slices.ContainsFunc(m.kept[other], i.same)
	})
}

// elsewhere reports whether a package belongs to another module than the output, so that nothing is written to it.
func (m *Merger) elsewhere(o *Piece, i Input) bool {
	if len(o.dirs()) == 0 || i.Dir == "" {
		return false
	}
	a, err := module.Owner(o.dirs()[0])
	b, err2 := module.Owner(i.PackageDir())
	return err == nil && err2 == nil && a != b
}

// placeDefinitions adds the CustomResourceDefinitions of packages to the output with clients for some of them. The other packages
// become part of it if no type in them would get a client.
func (m *Merger) placeDefinitions(outputs []*Piece, p *Piece) []*Piece {
	inputs := p.Parts[Definitions].Inputs
	to := slices.IndexFunc(outputs, func(o *Piece) bool {
		return slices.ContainsFunc(inputs, func(i Input) bool { return covers(o, i) && !m.elsewhere(o, i) })
	})
	if to < 0 {
		return append(outputs, m.apiOutputs([]*Piece{p})...)
	}
	output, kept := outputs[to], []Input{}
	for _, i := range inputs {
		below, ok := m.withoutKinds(i)
		switch {
		case covers(output, i):
			kept = append(kept, i)
		case ok && i.Open == "" && !m.elsewhere(output, i):
			kept = append(kept, below)
		default:
			m.refuse("the output with clients for its other packages does not have %s", i.Name(m.Repo.Root))
		}
	}
	for _, i := range output.Packages(inClients...) {
		isCovered := func(j Input) bool { return j.covers(i) }
		if !slices.ContainsFunc(inputs, isCovered) && i.Dir != "" && len(m.Repo.WithKinds(i.PackageDir())) > 0 {
			m.refuse("the output with clients for its packages would have CustomResourceDefinitions of %s, too", i.Name(m.Repo.Root))
		}
	}
	output.Add(Definitions, kept)
	m.joinSettings(output, p)
	return outputs
}

func covers(o *Piece, i Input) bool {
	return slices.ContainsFunc(o.Packages(), func(j Input) bool { return j.covers(i) })
}

// placeRoles adds a role to an output of its module that has no other one: if possible with the packages of the role, or at least with
// CustomResourceDefinitions.
func (m *Merger) placeRoles(outputs []*Piece, p *Piece) []*Piece {
	inputs := p.Parts[Roles].Inputs
	var best *Piece
	most := -1
	for _, o := range outputs {
		differs := func(key string) bool { return !reflect.DeepEqual(o.Settings[key], p.Settings[key]) }
		if m.elsewhere(o, inputs[0]) || o.Makes(Roles) && slices.ContainsFunc([]string{RolesDirKey, RoleNameKey, RolesOptionsKey}, differs) {
			continue
		}
		fits := 0
		if o.Makes(Definitions) {
			fits++
		}
		for _, i := range inputs {
			if slices.ContainsFunc(o.Packages(), i.covers) {
				fits += 2
			}
		}
		if fits > most {
			best, most = o, fits
		}
	}
	switch {
	case best != nil:
		best.Add(Roles, inputs)
		m.joinSettings(best, p)
	case len(outputs) == 0:
		return []*Piece{p}
	default:
		m.refuse("each output has one role, and all outputs have roles of other calls")
	}
	return outputs
}

// apiOutputs returns the outputs for pieces without clients: one for each module and directory of CustomResourceDefinitions.
func (m *Merger) apiOutputs(pieces []*Piece) (outputs []*Piece) {
	for _, p := range pieces {
		if p.Makes(Definitions) {
			outputs = m.distribute(outputs, p, Definitions, func(o *Piece, i Input) bool {
				return o.Settings[DefinitionsDirKey] == p.Settings[DefinitionsDirKey] && !m.elsewhere(o, i)
			})
		}
	}
	for _, p := range pieces {
		for _, name := range m.inAPIPackages() {
			outputs = m.distribute(outputs, p, name, func(o *Piece, i Input) bool { return covers(o, i) && m.mayHave(o, name, i) })
		}
	}
	for _, p := range pieces {
		if p.Makes(Roles) {
			outputs = m.placeRoles(outputs, p)
		}
	}
	return outputs
}

// distribute adds the packages of a part to the first outputs that fit or, if none does, to one of their module that does not become
// wrong with them: it would have another header, or their CustomResourceDefinitions.
func (m *Merger) distribute(outputs []*Piece, p *Piece, name string, fits func(o *Piece, i Input) bool) []*Piece {
	var joined []int
	for _, i := range p.Parts[name].Inputs {
		to := slices.IndexFunc(outputs, func(o *Piece) bool { return fits(o, i) })
		if to < 0 && name != Definitions {
			to = slices.IndexFunc(outputs, func(o *Piece) bool {
				differs := func(key string) bool { return !reflect.DeepEqual(o.Settings[key], p.Settings[key]) }
				if !o.Makes(Definitions) {
					return m.mayHave(o, name, i) && !slices.ContainsFunc([]string{HeaderKey, BuildTagsKey}, differs)
				}
				return m.mayHave(o, name, i) && len(m.Repo.WithKinds(i.PackageDir())) == 0
			})
		}
		if to < 0 {
			to = len(outputs)
			outputs = append(outputs, &Piece{Pos: p.Pos, Problem: p.Problem, Parts: map[string]Part{}, Settings: map[string]any{}})
		}
		outputs[to].Add(name, []Input{i})
		if !slices.Contains(joined, to) {
			joined = append(joined, to)
			m.joinSettings(outputs[to], p)
		}
	}
	return outputs
}
