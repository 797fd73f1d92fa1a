package script

import (
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// helpers are the programs that kube::codegen::gen_helpers runs and that products replace.
var helpers = []string{"deepcopy", "defaulter", "conversion"}

// genHelpers translates a call of kube::codegen::gen_helpers, unless it also writes what no product does. Then it stays, with all of them.
func (c *toolCall) genHelpers(p *outputs.Piece) {
	for _, program := range helpers {
		if made := c.replacing(program); made != nil {
			p.Add(made.Name, c.marked(markerOf(made)))
		}
	}
	if open := c.unknown(inputArgs...); len(open) > 0 {
		p.Stays = true
		c.diags.AddHint(c.Pos, tools.Keep, "%s is not translated: unknown packages: %s", c.name, open[0].Open)
		return
	}
	const left = "validation-gen"
	var packages []string
	for _, i := range c.marked(regexp.MustCompile(repository.Marker("k8s:" + left + "="))) {
		packages = append(packages, i.Name(c.repo.Root))
	}
	if len(packages) > 0 {
		p.Stays = true
		c.diags.AddHint(c.Pos, tools.Keep, "%s of %s for %s are not translated: informer-gen-lite does not generate them",
			tools.Others[left], c.name, strings.Join(packages, ", "))
	}
}

// peers sets what defaults and conversions depend on.
func (c *toolCall) peers(p *outputs.Piece) {
	for key, flags := range map[string][]string{
		option.ExtraPeersKey: {"extra-peer-dirs", "extra-peer-dir"}, option.BasePeersKey: {"base-peer-dirs"},
	} {
		var importPaths []string
		for _, name := range c.list(flags...) {
			importPaths = append(importPaths, c.packageOf(name).ImportPath)
		}
		if len(importPaths) > 0 {
			p.Settings[key] = slices.Compact(importPaths)
		}
	}
	if c.has("skip-unsafe") {
		p.Settings[option.SkipUnsafeKey] = true
	}
	isHelper := slices.Contains(helpers, strings.TrimSuffix(c.name, "-gen"))
	switch tag := c.value("", "build-tag"); {
	case tag == "" || tag == option.DefaultOf(option.GeneratedBuildTagKey):
	case isHelper:
		p.Settings[option.GeneratedBuildTagKey] = tag
	default:
		c.diags.Add(c.Pos, "--build-tag of %s is not translated: use build-tags if the API files need it", c.name)
	}
}
