package script

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// versionFolder matches the folders that gen_client takes.
var versionFolder = lazy.Regexp(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// genClient translates a call of kube::codegen::gen_client, with current flags and those before v0.30.
func (c *toolCall) genClient(p *outputs.Piece) {
	out := c.output()
	inputs := slices.DeleteFunc(c.marked(repository.Genclient()), func(i outputs.Input) bool {
		return i.Open == "" && !versionFolder().MatchString(filepath.Base(i.Dir))
	})
	if len(inputs) == 0 {
		roots := c.roots()
		for i, root := range roots {
			roots[i] = repository.Relative(c.repo.Root, root)
		}
		inputs = []outputs.Input{c.open(c.name, "no version folder such as v1 or v1beta1 with +genclient below "+strings.Join(roots, ", "))}
	}
	p.Set(outputs.Clientset, below(out, c.value("clientset", "clientset-name"), c.value("versioned", "versioned-name")), inputs)
	if c.has("with-watch") {
		p.Set(outputs.Listers, below(out, c.value("listers", "listers-name")), inputs)
		p.Set(outputs.Informers, below(out, c.value("informers", "informers-name"), "externalversions"), inputs)
	}
	if c.has("with-applyconfig") {
		p.Set(outputs.Applied, below(out, c.value("applyconfiguration", "applyconfig-name")), inputs)
	}
}

// roots returns the directories passed to a function of kube_codegen.sh.
func (c *toolCall) roots() []string {
	roots := c.list(positional)
	if root := c.value("", "input-pkg-root"); root != "" {
		roots = append(roots, cmp.Or(c.repo.Source(c.Dir, root), root))
	}
	for i, root := range roots {
		dir := c.absolute(root)
		if _, err := os.Stat(dir); err != nil {
			dir = cmp.Or(c.repo.Dir(root), dir) // through a link from the import path
		}
		roots[i] = filepath.Join(dir, filepath.FromSlash(c.value("", "one-input-api")))
	}
	return roots
}

// marked returns the packages below these directories that have a marker, and inputs for unknown directories.
func (c *toolCall) marked(marker *regexp.Regexp) []outputs.Input {
	inputs := lists.Map(c.roots(), func(root string) outputs.Input { return c.directory(root + "/...") })
	return c.listed(append(c.unknown(inputArgs...), inputs...), marker)
}

// directory returns the package in a directory.
func (c *toolCall) directory(dir string) outputs.Input {
	return outputs.Input{Place: module.Place{Dir: dir, ImportPath: c.repo.ImportPath(strings.TrimSuffix(dir, "/..."))}, Pos: c.Pos}
}

// generateGroups translates a call of generate-groups.sh: generators, output package, package of the APIs, and groups with their
// versions. generate-internal-groups.sh takes one package more.
func (c *toolCall) generateGroups(p *outputs.Piece) {
	words, n := c.flags[positional], 4
	if c.name == "generate-internal-groups.sh" {
		n = 5
	}
	if len(words) < n {
		c.diags.Add(c.Pos, "%s is not translated: it needs %d arguments", c.name, n)
		return
	}
	if n == 5 {
		c.diags.Add(c.Pos, "clients for internal versions are not translated: informer-gen-lite does not generate them")
		words = slices.Delete(words, 2, 3)
	}
	programs := elements(words[0].Text)
	if words[0].Unknown != "" {
		c.diags.Add(c.Pos, "%s: using all generators, because %s", c.name, words[0].Unknown)
		programs = []string{"all"}
	}
	if slices.Contains(programs, "all") {
		programs = append(programs, "deepcopy", "client", "lister", "informer")
	}
	c.flags["output-pkg"] = words[1:2]
	out, inputs := c.output(), c.groupVersions(words)
	for _, program := range programs {
		if made := c.replacing(program); made != nil {
			p.Add(made.Name, inputs)
		}
		switch program {
		case "client":
			p.Set(outputs.Clientset, below(out, "clientset", "versioned"), inputs)
		case "lister":
			p.Set(outputs.Listers, below(out, "listers"), inputs)
		case "informer":
			p.Set(outputs.Informers, below(out, "informers", "externalversions"), inputs)
		}
		if what, ok := tools.Others[program+"-gen"]; ok {
			c.diags.AddHint(c.Pos, tools.Keep+" for "+program,
				"%s of %s is not translated: informer-gen-lite does not generate %s", program, c.name, what)
		}
	}
}

// groupVersions returns the packages of "group:v1,v2 group:v1" below the package of the APIs.
func (c *toolCall) groupVersions(words []shell.Argument) []outputs.Input {
	for _, word := range words[2:4] {
		if word.Unknown != "" {
			return []outputs.Input{c.open(word.Text, word.Unknown)}
		}
	}
	var inputs []outputs.Input
	for group := range strings.FieldsSeq(words[3].Text) {
		name, versions, _ := strings.Cut(group, ":")
		for version := range strings.SplitSeq(versions, ",") {
			inputs = append(inputs, c.packageOf(path.Join(words[2].Text, name, version)))
		}
	}
	return inputs
}

// replacing returns the product that replaces a program of code-generator and writes to API packages, or nil.
func (c *toolCall) replacing(program string) *product.Product {
	i := slices.IndexFunc(c.products, func(p product.Product) bool { return p.Program == program && p.PackageFile != "" })
	if i < 0 {
		return nil
	}
	return &c.products[i]
}

// markerOf returns the pattern of the marker by which scripts find the packages for a product.
func markerOf(p *product.Product) *regexp.Regexp {
	return regexp.MustCompile(repository.Marker(p.Marker))
}

// listed replaces patterns by the packages with a marker that they match.
func (c *toolCall) listed(inputs []outputs.Input, marker *regexp.Regexp) []outputs.Input {
	return lists.FlatMap(inputs, func(i outputs.Input) []outputs.Input {
		root, pattern := strings.CutSuffix(i.Dir, "/...")
		if !pattern {
			return []outputs.Input{i}
		}
		return lists.Map(c.repo.Marked(root, marker), c.directory)
	})
}

// generator translates a call of one of code-generator's programs.
func (c *toolCall) generator(p *outputs.Piece) {
	p.Partial = true
	inputs := append(c.unknown(inputArgs...), lists.Map(c.list("input-dirs", positional), c.packageOf)...)
	generator := strings.TrimSuffix(c.name, "-gen")
	if made := c.replacing(generator); made != nil {
		p.Add(made.Name, c.listed(inputs, markerOf(made)))
		file := made.PackageFile
		name := c.value("", "output-file", "output-file-base")
		exists := func(i outputs.Input) bool { // with or without .go at the end of its name, which is kept
			_, ok := c.repo.Read(filepath.Join(i.Dir, strings.TrimSuffix(name, ".go")+".go"))
			return ok
		}
		isKept := strings.HasPrefix(name, "_") || made.AnyName && slices.ContainsFunc(p.Parts[made.Name].Inputs, exists)
		if !strings.HasPrefix(file, name) && !isKept {
			c.diags.AddHint(c.Pos, "remove that file", "output file %s of %s is not translated: it must be named %s", name, c.name, file)
		}
		return
	}
	if c.name == "client-gen" {
		inputs = append(inputs, c.clientInputs()...)
	}
	if listed := c.listed(inputs, repository.Genclient()); len(listed) > 0 && c.name != "applyconfiguration-gen" {
		inputs = listed // as the other generators name them
	}
	if len(inputs) == 0 {
		inputs = []outputs.Input{c.open(c.name, "it has no packages")}
	}
	out := c.output()
	switch c.name {
	case "client-gen":
		p.Set(outputs.Clientset, below(out, c.value("internalclientset", "clientset-name")), inputs)
	case "applyconfiguration-gen":
		p.Set(outputs.Applied, out, inputs)
	case "lister-gen":
		p.Set(outputs.Listers, out, inputs)
	case "informer-gen":
		if !c.has("single-directory") {
			out = below(out, "externalversions")
		}
		p.Set(outputs.Informers, out, inputs)
		p.ClientsetLink, p.ListersLink = c.value("", "versioned-clientset-package"), c.value("", "listers-package")
	}
}

// clientInputs returns the packages that client-gen finds below its base.
func (c *toolCall) clientInputs() []outputs.Input {
	var inputs []outputs.Input
	if len(c.unknown("input-base")) > 0 {
		return nil
	}
	base := c.value("k8s.io/kubernetes/pkg/apis", "input-base")
	for _, name := range c.list("input") {
		from := base
		if strings.HasPrefix(name, ".") {
			from = ""
		}
		inputs = append(inputs, c.packageOf(cleanPackage(from, name)))
	}
	return inputs
}

// cleanPackage joins packages as client-gen does, and keeps a leading dot.
func cleanPackage(base, name string) string {
	joined := path.Join(base, name)
	if strings.HasPrefix(base, "../") || base == ".." {
		return joined
	}
	if strings.HasPrefix(base, ".") || base == "" && strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "..") {
		return "./" + joined
	}
	return joined
}

// packageOf returns the package that an argument names, by its path or import path.
func (c *toolCall) packageOf(name string) outputs.Input {
	if strings.HasPrefix(name, ".") || filepath.IsAbs(name) {
		dir := c.absolute(name)
		if !c.repo.Readable(dir) {
			return c.open(name, "this directory is not in the repository")
		}
		return c.directory(dir)
	}
	name = strings.TrimSuffix(name, "/")
	return outputs.Input{Place: module.Place{Dir: c.repo.Dir(name), ImportPath: name}, Pos: c.Pos}
}
