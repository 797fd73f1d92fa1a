package outputs

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// placeAPIFiles adds generators of files in API packages, and of manifests, to the outputs with clients for these packages. Without
// such an output, they get their own.
func (m *Merger) placeAPIFiles(outputs, apiFiles []*Piece) []*Piece {
	if len(outputs) == 0 {
		return m.apiOutputs(apiFiles)
	}
	var inPackages, others []*Piece
	for _, p := range apiFiles {
		switch {
		case p.Makes(Definitions):
			outputs = m.placeDefinitions(outputs, p)
		case p.Makes(Roles):
			others = append(others, p)
		default:
			inPackages = append(inPackages, p)
		}
	}
	for _, p := range others {
		outputs = m.placeRoles(outputs, p)
	}
	from := slices.Concat(outputs, inPackages)
	given := make([]map[string]Part, len(from))
	for n, p := range from {
		given[n] = maps.Clone(p.Parts)
		maps.DeleteFunc(p.Parts, func(name string, _ Part) bool { return slices.Contains(inAPIPackages, name) })
	}
	for n, p := range from {
		for _, name := range inAPIPackages {
			var left, handed []Input
			for _, i := range given[n][name].Inputs {
				if m.receiver(outputs, i) < 0 {
					left = append(left, i)
				} else {
					handed = append(handed, i)
				}
			}
			stays := containAny(left, handed) // the call that stays writes these, too
			for _, i := range handed {
				m.hand(outputs, p, name, i, stays)
			}
			what := map[string]string{"deepcopy": "deep copies", "register": "registrations"}[name]
			if list, hint := strings.Join(m.names(left), ", "), "keep this call for them"; len(left) > 0 {
				if p.Keep != "" {
					hint = "keep its generator " + p.Keep + " for " + list
				}
				m.Diags.AddHint(p.Pos, hint, "%s of %s are not translated: no output of this module has clients for them", what, list)
			}
			if stays {
				m.Diags.AddHint(p.Pos, "keep this call for them, too", "%s of %s are not translated: this call writes them with the others",
					what, strings.Join(m.names(handed), ", "))
			}
		}
	}
	return outputs
}

// names returns the names of packages for people.
func (m *Merger) names(inputs []Input) (names []string) {
	for _, i := range inputs {
		names = append(names, i.Name(m.Repo.Root))
	}
	return names
}

// containAny reports whether the directory of one of some packages contains that of one of the others.
func containAny(some, others []Input) bool {
	return slices.ContainsFunc(some, func(above Input) bool {
		return above.Dir != "" && slices.ContainsFunc(others, func(i Input) bool { return module.Within(above.PackageDir(), i.PackageDir()) })
	})
}

// receiver returns the index of the output with clients or CustomResourceDefinitions for a package, or -1.
func (m *Merger) receiver(outputs []*Piece, i Input) int {
	return slices.IndexFunc(outputs, func(o *Piece) bool {
		has := o.Packages(slices.Concat(inOwnDir, []string{Definitions})...)
		return !m.elsewhere(o, i) && slices.ContainsFunc(has, func(j Input) bool { return j.covers(i) })
	})
}

// hand adds a generator of files in a package to the output that receives it or, if the call for it stays, excludes it there.
func (m *Merger) hand(outputs []*Piece, from *Piece, name string, i Input, stays bool) {
	to := outputs[m.receiver(outputs, i)]
	if stays {
		to.Skip = append(to.Skip, name)
		return
	}
	to.Add(name, nil)
	if to != from {
		m.joinSettings(to, from)
	}
}

// elsewhere reports whether a package belongs to a module other than that of the output, so that nothing is written to it.
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
		m.refuse("each output has one role, and all have those of other calls")
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
		for _, name := range inAPIPackages {
			outputs = m.distribute(outputs, p, name, func(o *Piece, i Input) bool { return covers(o, i) && !m.elsewhere(o, i) })
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
// wrong with them: it would have their CustomResourceDefinitions.
func (m *Merger) distribute(outputs []*Piece, p *Piece, name string, fits func(o *Piece, i Input) bool) []*Piece {
	var joined []int
	for _, i := range p.Parts[name].Inputs {
		to := slices.IndexFunc(outputs, func(o *Piece) bool { return fits(o, i) })
		if to < 0 && name != Definitions {
			to = slices.IndexFunc(outputs, func(o *Piece) bool {
				return !m.elsewhere(o, i) && (!o.Makes(Definitions) || len(m.Repo.WithKinds(i.PackageDir())) == 0)
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
