package script

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/controllergen"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
)

// What controller-gen looks for in packages.
var (
	objectMarker  = lazy.Regexp(repository.Marker(`(kubebuilder:object:(generate|root)=true|k8s:deepcopy-gen)`))
	webhookMarker = lazy.Regexp(repository.Marker(`kubebuilder:webhook`))
	roleMarker    = lazy.Regexp(repository.Marker(`kubebuilder:rbac`))
)

// untranslated are the generators without a counterpart, with a description of their output.
var untranslated = map[string]string{
	"webhook":            "webhook configurations",
	"applyconfiguration": "apply configurations in folders of API packages, but in the output directory",
	"schemapatch":        "schemas into existing manifests",
}

// controllerGen translates a call of controller-gen: each generator is a piece. Generators without a counterpart are reported to others,
// because they matter only next to pieces.
func (c *toolCall) controllerGen(others *diag.List) (pieces []*outputs.Piece) {
	reports := map[bool]*diag.List{true: c.diags, false: {}} // of object, which is translated even if the others stay
	c.diags = reports[false]
	call, generates := controllergen.Parse(c.Args, c.untranslated)
	if !generates {
		return nil
	}
	manifests, stays := &outputs.Call{Pos: c.Pos}, []string{}
	if len(call.Generators) == 0 {
		c.diags.Add(c.Pos, "controller-gen is not translated: it generates nothing without a generator")
	}
	c.diags = reports[slices.ContainsFunc(call.Generators, func(g controllergen.Generator) bool { return g.Name == controllergen.Object })]
	inputs := c.controllerInputs(call)
	for _, g := range call.Generators {
		c.diags = reports[g.Name == controllergen.Object]
		rule := call.Rule(g.Name)
		if _, isOther := untranslated[g.Name]; isOther {
			if c.other(call, g.Name, inputs, others) {
				stays = append(stays, g.Name)
			}
			continue
		} else if rule.Form == "none" {
			c.untranslated("output:none", g.Name+" writes nothing")
			continue
		}
		p := c.piece()
		p.Call = map[bool]*outputs.Call{false: manifests}[g.Name == controllergen.Object]
		if len(call.BuildTags) > 0 {
			p.Settings[outputs.BuildTagsKey] = call.BuildTags
		}
		switch g.Name {
		case controllergen.Object:
			c.object(p, g, rule, inputs)
		case outputs.Definitions:
			c.manifests(p, g, rule, outputs.DefinitionsDirKey, outputs.DefinitionsOptionsKey)
			p.Add(outputs.Definitions, c.among(inputs, c.repo.WithKinds))
		case outputs.Roles:
			c.manifests(p, g, rule, outputs.RolesDirKey, outputs.RolesOptionsKey)
			p.Add(outputs.Roles, c.rolesFrom(manifests, inputs))
		}
		given := slices.Concat(p.Packages(), p.Parts[outputs.Roles].Inputs)
		if len(given) == 0 {
			others.Add(c.Pos, "%s of controller-gen is not translated: it finds nothing in its packages", g.Name)
			continue
		}
		pieces = append(pieces, p)
		if p.Call != nil {
			stays = append(stays, g.Name)
			for _, i := range given {
				manifests.Problem = cmp.Or(manifests.Problem, i.Open)
			}
		}
	}
	if manifests.Text = c.only(call, stays...); slices.ContainsFunc(pieces, func(p *outputs.Piece) bool { return p.Call != nil }) {
		manifests.Diags = *reports[false]
	} else {
		*reports[true] = append(*reports[true], *reports[false]...)
	}
	return pieces
}

// other reports a generator without a counterpart, and returns whether it finds anything in the packages.
func (c *toolCall) other(call *controllergen.Call, name string, inputs []outputs.Input, others *diag.List) (stays bool) {
	hint := "remove it: no package has +kubebuilder:webhook"
	if stays = name != "webhook" || len(c.matched(inputs, webhookMarker())) > 0; stays {
		hint = "keep " + c.only(call, name)
	}
	others.AddHint(c.Pos, hint, "%s of controller-gen is not translated: informer-gen-lite does not generate %s", name, untranslated[name])
	return stays
}

// only returns the call with some of its generators.
func (c *toolCall) only(call *controllergen.Call, generators ...string) string {
	words := []string{controllergen.Name}
	for _, arg := range c.Args {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg.Text, "+"), "output:"), ":")
		isNamed := func(g controllergen.Generator) bool { return g.Name == name }
		switch {
		case slices.ContainsFunc(call.Generators, isNamed) && !slices.Contains(generators, name):
		case plain().MatchString(arg.Text):
			words = append(words, arg.Text)
		default:
			words = append(words, quoted([]shell.Argument{arg}))
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), c.Dir+"/", "./")
}

// plain matches arguments that shells read without quotes.
var plain = lazy.Regexp(`^[\w./:=,@+-]+$`)

// untranslated reports a part of a call.
func (c *toolCall) untranslated(what, why string) {
	c.diags.Add(c.Pos, "%s of controller-gen is not translated: %s", what, why)
}

// controllerInputs returns the packages that a call names, by default the package of the working directory.
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
	dir, why := c.absolute(rule.Config), rule.Unknown
	switch {
	case why != "":
	case rule.Form == "stdout":
		why = g.Name + " writes to standard output"
	case strings.HasPrefix(dir, repository.TemporaryDir):
		why = g.Name + " writes to a temporary directory"
	case !c.repo.Within(dir):
		why = g.Name + " writes to " + dir + ", which is not in this repository"
	}
	p.Call.Problem = cmp.Or(p.Call.Problem, why)
	p.Settings[dirKey] = outputs.Location(dir)
	given := outputs.Options{}
	for _, o := range g.Options {
		switch o.Name {
		case controllergen.RoleName:
			p.Settings[outputs.RoleNameKey] = o.Value
			p.Call.Problem = cmp.Or(p.Call.Problem, o.Unknown)
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

// rolesFrom refuses markers for roles in packages that belong to another module than the first one: they would be lost.
func (c *toolCall) rolesFrom(call *outputs.Call, inputs []outputs.Input) []outputs.Input {
	owner, _ := module.Owner(cmp.Or(inputs[0].PackageDir(), c.Dir))
	for _, i := range c.matched(inputs, roleMarker()) {
		if of, err := module.Owner(i.Dir); i.Dir != "" && err == nil && of != owner {
			call.Problem = cmp.Or(call.Problem, i.Name(c.repo.Root)+" has markers for roles, but belongs to another module")
		}
	}
	return inputs
}

// matched returns the packages with a marker.
func (c *toolCall) matched(inputs []outputs.Input, marker *regexp.Regexp) []outputs.Input {
	return c.among(inputs, func(root string) []string { return c.repo.Marked(root, marker) })
}

// among returns the packages that are in one of the directories found below them, as the go command matches patterns. Unknown packages,
// and packages of other repositories, stay.
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
