package migrate

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/controllergen"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
)

// What controller-gen looks for in packages.
var (
	objectMarker  = lazy(repository.Marker(`(kubebuilder:object:(generate|root)=true|k8s:deepcopy-gen)`))
	webhookMarker = lazy(repository.Marker(`kubebuilder:webhook`))
	roleMarker    = lazy(repository.Marker(`kubebuilder:rbac`))
)

// untranslated are the generators without a counterpart, with a description of their output.
var untranslated = map[string]string{
	"webhook":            "webhook configurations",
	"applyconfiguration": "apply configurations in folders of API packages, but in the output directory",
	"schemapatch":        "schemas into existing manifests",
}

// controllerGen translates a call of controller-gen: each generator is a piece. What has no counterpart is reported to others if
// whole generators are lost, which matters only next to pieces.
func (c *toolCall) controllerGen(others *diag.List) (pieces []*outputs.Piece) {
	call, generates := controllergen.Parse(c.Args, c.untranslated)
	if !generates {
		return nil
	}
	if len(call.Generators) == 0 {
		c.diags.Add(c.Pos, "controller-gen is not translated: it generates nothing without a generator")
	}
	inputs := c.controllerInputs(call)
	for _, g := range call.Generators {
		rule := call.Rule(g.Name)
		if what, isOther := untranslated[g.Name]; isOther {
			c.other(g.Name, what, inputs, others)
			continue
		} else if rule.Form == "none" {
			c.untranslated("output:none", g.Name+" writes nothing")
			continue
		}
		p := c.piece()
		p.Keep = g.Name
		if len(call.BuildTags) > 0 {
			p.Settings[outputs.BuildTagsKey] = call.BuildTags
		}
		switch g.Name {
		case controllergen.Object:
			c.object(p, g, rule, inputs)
		case outputs.Definitions:
			c.manifests(p, g, rule, outputs.DefinitionsDirKey, outputs.DefinitionsOptionsKey)
			p.Add(outputs.Definitions, c.served(inputs))
		case outputs.Roles:
			c.manifests(p, g, rule, outputs.RolesDirKey, outputs.RolesOptionsKey)
			p.Add(outputs.Roles, c.rolesFrom(inputs))
		}
		if len(p.Packages())+len(p.Parts[outputs.Roles].Inputs) > 0 {
			pieces = append(pieces, p)
		} else {
			others.Add(c.Pos, "%s of controller-gen is not translated: it finds nothing in its packages", g.Name)
		}
	}
	return pieces
}

// other reports a generator without a counterpart.
func (c *toolCall) other(name, what string, inputs []outputs.Input, others *diag.List) {
	hint := "keep a call of controller-gen with " + name
	if name == "webhook" && len(c.matched(inputs, webhookMarker())) == 0 {
		hint = "remove it: no package has +kubebuilder:webhook"
	}
	others.AddHint(c.Pos, hint, "%s of controller-gen is not translated: informer-gen-lite does not generate %s", name, what)
}

// untranslated reports a part of a call.
func (c *toolCall) untranslated(what, why string) {
	c.diags.Add(c.Pos, "%s of controller-gen is not translated: %s", what, why)
}

// controllerInputs returns the packages that a call names, by default that of the working directory.
func (c *toolCall) controllerInputs(call *controllergen.Call) (inputs []outputs.Input) {
	for _, p := range call.Paths {
		switch {
		case p.Unknown != "":
			inputs = append(inputs, c.open("paths of controller-gen", p.Unknown))
		case strings.HasSuffix(p.Text, ".go"):
			file := c.absolute(p.Text)
			c.untranslated("paths="+p.Text, "using its whole package")
			inputs = append(inputs, c.directory(filepath.Dir(file)))
		default:
			inputs = append(inputs, c.packageOf(p.Text))
		}
	}
	if len(call.Paths) == 0 {
		inputs = []outputs.Input{c.directory(c.Dir)}
	}
	return inputs
}

// object translates the generator of deep copies.
func (c *toolCall) object(p *outputs.Piece, g controllergen.Generator, rule controllergen.Rule, inputs []outputs.Input) {
	p.Add("deepcopy", c.matched(inputs, objectMarker()))
	inPlace := func(i outputs.Input) bool { return i.Dir == c.absolute(rule.Code) }
	if rule.Form == "stdout" || rule.Code != "" && !slices.ContainsFunc(p.Packages(), inPlace) {
		c.untranslated("output:"+rule.Form, "deep copies are written next to their types")
	}
	for _, o := range g.Options {
		if o.Name == controllergen.HeaderFile {
			c.header(p, o.Value)
		} else {
			c.untranslated(g.Name+":"+o.Name, "write the year into the header file")
		}
	}
}

// manifests translates the directory and the options of a generator of manifests.
func (c *toolCall) manifests(p *outputs.Piece, g controllergen.Generator, rule controllergen.Rule, dirKey, optionsKey string) {
	p.Settings[dirKey] = c.location(g.Name, rule)
	given := outputs.Options{}
	for _, o := range g.Options {
		switch o.Name {
		case controllergen.RoleName:
			p.Settings[outputs.RoleNameKey] = o.Value
			if o.Unknown != "" {
				p.Settings[outputs.RoleNameKey] = outputs.Unknown{Why: o.Unknown, Pos: c.Pos}
			}
			continue
		case controllergen.HeaderFile:
			o.Value = c.absolute(o.Value)
			if _, ok := c.repo.Read(o.Value); !ok {
				c.untranslated(g.Name+":"+o.Name, "the file "+repository.Relative(c.repo.Root, o.Value)+" is not in the repository")
				continue
			}
		}
		given = append(given, o.String())
	}
	p.Settings[optionsKey] = given
}

// location returns where a generator writes manifests, as a setting.
func (c *toolCall) location(generator string, rule controllergen.Rule) any {
	dir, why := "", rule.Unknown
	switch {
	case why != "":
	case rule.Form == "stdout":
		why = generator + " of controller-gen writes to standard output"
	default:
		if dir = c.absolute(rule.Config); !c.repo.Within(dir) {
			why = generator + " of controller-gen writes to " + dir + ", which is not in this repository"
		}
	}
	if why != "" {
		return outputs.Unknown{Why: why, Pos: c.Pos}
	}
	return outputs.Location(dir)
}

// served returns the packages with kinds that get CustomResourceDefinitions.
func (c *toolCall) served(inputs []outputs.Input) []outputs.Input {
	return c.among(inputs, c.repo.WithKinds)
}

// rolesFrom reports packages with markers for roles that belong to another module than the first one: their roles are lost.
func (c *toolCall) rolesFrom(inputs []outputs.Input) []outputs.Input {
	owner, _ := module.Owner(cmp.Or(inputs[0].PackageDir(), c.Dir))
	var others []string
	for _, i := range c.matched(inputs, roleMarker()) {
		if of, err := module.Owner(i.Dir); i.Dir != "" && err == nil && of != owner {
			others = append(others, i.Name(c.repo.Root))
		}
	}
	if len(others) > 0 {
		c.diags.AddHint(c.Pos, "keep a call of controller-gen with "+outputs.Roles+" for them",
			"roles of %s are not translated: these packages belong to another module", strings.Join(others, ", "))
	}
	return inputs
}

// matched returns the packages with a marker.
func (c *toolCall) matched(inputs []outputs.Input, marker *regexp.Regexp) []outputs.Input {
	return c.among(inputs, func(root string) []string { return c.repo.Marked(root, marker) })
}

// among returns the packages that are in one of the directories found below them, as the go command matches patterns. Unknown packages,
// and those of other repositories, stay.
func (c *toolCall) among(inputs []outputs.Input, find func(root string) []string) (all []outputs.Input) {
	for _, i := range inputs {
		root, isPattern := strings.CutSuffix(i.Dir, "/...")
		if root == "" || !c.repo.Within(root) {
			all = append(all, i)
			continue
		}
		for _, dir := range find(root) {
			if dir == root || isPattern && !c.repo.Ignored(dir) {
				all = append(all, c.directory(dir))
			}
		}
	}
	return all
}
