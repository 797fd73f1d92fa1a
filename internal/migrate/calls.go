package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
)

// genClient translates a call of kube::codegen::gen_client, by its flags of today and those before v0.30.
func (c *toolCall) genClient() *piece {
	c.parse(genClientFlags, c.args)
	p, out := c.piece(), c.output()
	p.packages = c.inputs()
	p.clientset = below(out, c.value("clientset", "clientset-name"), c.value("versioned", "versioned-name"))
	if c.has("with-watch") {
		p.listers = below(out, c.value("listers", "listers-name"))
		p.informers = below(out, c.value("informers", "informers-name"), "externalversions")
	}
	if c.has("with-applyconfig") {
		p.applied = below(out, c.value("applyconfiguration", "applyconfig-name"))
	}
	return p
}

// genRegister translates a call of kube::codegen::gen_register.
func (c *toolCall) genRegister() *piece {
	c.parse(genClientFlags, c.args)
	p := c.piece()
	p.partial = true
	p.addBeside("register")
	p.packages = c.inputs()
	return p
}

// genHelpers translates a call of kube::codegen::gen_helpers, as far as it makes deep copies.
func (c *toolCall) genHelpers() *piece {
	c.parse(genClientFlags, c.args)
	p := c.piece()
	p.partial = true
	p.addBeside("deepcopy")
	p.packages = c.inputs()
	c.diags.AddHint(c.pos, "call defaulter-gen, conversion-gen and validation-gen by themselves, as far as there is work for them; the deep copies are translated",
		"the defaults, conversions and validation of %s are not translated: informer-gen-lite does not make these", c.name)
	return p
}

// inputs returns the packages below the directories that a function of kube_codegen.sh is given.
func (c *toolCall) inputs() []string {
	roots := c.words()
	if root := c.value("", "input-pkg-root"); root != "" {
		roots = append(roots, c.directory(root))
	}
	var packages []string
	for _, root := range roots {
		api := c.value("...", "one-input-api")
		packages = append(packages, c.pattern(filepath.Join(c.absolute(root), filepath.FromSlash(api))))
	}
	return packages
}

// generateGroups translates a call of generate-groups.sh: generators, output package, package of the APIs, and groups with
// their versions. Its sibling for internal types has one package more.
func (c *toolCall) generateGroups() *piece {
	internal := c.name == "generate-internal-groups.sh"
	n := 4
	if internal {
		n = 5
	}
	if len(c.args) < n {
		c.diags.Add(c.pos, "%s is not translated: it needs %d arguments", c.name, n)
		return nil
	}
	c.positional = c.args[:n]
	words := c.words()
	if len(words) < n {
		return nil
	}
	if internal {
		c.diags.Add(c.pos, "clients for internal versions are not translated: there are none")
		words = append(words[:2], words[3:]...)
	}
	c.positional = nil
	c.parse(generatorFlags, c.args[n:])
	tools := elements(words[0])
	wants := func(name string) bool { return slices.Contains(tools, name) || slices.Contains(tools, "all") }
	for _, tool := range tools {
		if what, ok := otherTools[tool+"-gen"]; ok {
			c.diags.AddHint(c.pos, "run "+tool+"-gen alongside informer-gen-lite", "%s of %s is not translated: informer-gen-lite does not make %s", tool, c.name, what)
		}
	}
	if !wants("client") && !wants("lister") && !wants("informer") && !wants("register") && !wants("deepcopy") {
		return nil
	}
	return c.groups(words, wants)
}

// groups makes the piece of generate-groups.sh, whose layout is fixed.
func (c *toolCall) groups(words []string, wants func(string) bool) *piece {
	c.flags["output-pkg"] = []shell.Argument{{Pos: c.pos, Text: words[1]}}
	p, out := c.piece(), c.output()
	if slices.Contains(elements(words[0]), "register") {
		p.addBeside("register")
	}
	if wants("deepcopy") {
		p.addBeside("deepcopy")
	}
	for _, group := range strings.Fields(words[3]) {
		name, versions, _ := strings.Cut(group, ":")
		for _, version := range strings.Split(versions, ",") {
			p.packages = append(p.packages, c.packageOf(path.Join(words[2], name, version)))
		}
	}
	if wants("client") {
		p.clientset = below(out, "clientset", "versioned")
	}
	if wants("lister") {
		p.listers = below(out, "listers")
	}
	if wants("informer") {
		p.informers = below(out, "informers", "externalversions")
	}
	return p
}

// filesBeside are the files of the programs that write into API packages, with the generator that makes them here.
var filesBeside = map[string]struct{ generator, file string }{
	"deepcopy-gen": {"deepcopy", "zz_generated.deepcopy.go"},
	"register-gen": {"register", "zz_generated.register.go"},
}

// generator translates a call of one of code-generator's programs.
func (c *toolCall) generator() *piece {
	c.parse(generatorFlags, c.args)
	p := c.piece()
	p.partial = true
	for _, importPath := range append(c.list("input-dirs"), c.words()...) {
		p.packages = append(p.packages, c.packageOf(importPath))
	}
	if beside, ok := filesBeside[c.name]; ok {
		p.addBeside(beside.generator)
		if name := c.value("", "output-file", "output-file-base"); name != "" && !strings.HasPrefix(beside.file, name) {
			c.diags.AddHint(c.pos, "remove that file", "%s of %s is not translated: the file is called %s", name, c.name, beside.file)
		}
		return p
	}
	out := c.output()
	switch c.name {
	case "client-gen":
		for _, input := range c.list("input") {
			base := c.value("k8s.io/kubernetes/pkg/apis", "input-base")
			if strings.HasPrefix(input, ".") {
				base = ""
			}
			p.packages = append(p.packages, c.packageOf(cleanPackage(base, input)))
		}
		p.clientset = below(out, c.value("internalclientset", "clientset-name"))
	case "applyconfiguration-gen":
		p.applied = out
	case "lister-gen":
		p.listers = out
	case "informer-gen":
		p.informers = out
		if !c.has("single-directory") {
			p.informers = below(out, "externalversions")
		}
		p.clientsetLink, p.listersLink = c.value("", "versioned-clientset-package"), c.value("", "listers-package")
	}
	return p
}

// cleanPackage joins what client-gen joins, and keeps the dot that makes a path of it.
func cleanPackage(base, input string) string {
	joined := path.Join(base, input)
	if strings.HasPrefix(base, ".") || base == "" && strings.HasPrefix(input, ".") {
		return "./" + joined
	}
	return joined
}

// packageOf returns how the configuration names a package: by its directory, if it is of this module.
func (c *toolCall) packageOf(name string) string {
	if strings.HasPrefix(name, ".") || filepath.IsAbs(name) {
		return c.pattern(c.absolute(name))
	}
	name = strings.TrimSuffix(name, "/")
	if dir := c.dirOf(name); dir != "" {
		return c.pattern(dir)
	}
	return name
}

// directory returns the directory of an import path or path.
func (c *toolCall) directory(name string) string {
	if dir := c.dirOf(name); dir != "" {
		return dir
	}
	return name
}

// pattern returns a package pattern for a directory, which may end with three dots.
func (c *toolCall) pattern(dir string) string {
	rel := c.relative(dir)
	if !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	return rel
}
