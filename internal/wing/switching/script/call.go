package script

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// toolCall is a generator call.
type toolCall struct {
	// Command has the arguments after the name.
	shell.Command
	name  string
	flags map[string][]shell.Argument
	// schema is set if the call gets an OpenAPI document, without which it writes no schema of apply configurations.
	schema bool
	repo   *repository.Repository
	diags  *diag.List

	products product.Table
}

// positional is the name under which flags has the other arguments.
const positional = ""

// parse separates flags from other arguments and reports flags without effect.
func (c *toolCall) parse(known tools.Flags) {
	args := c.Args
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg.Text, "-") {
			if arg.Text != "" {
				c.flags[positional] = append(c.flags[positional], arg)
			}
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg.Text, "-"), "=")
		if long, ok := known.Short[name]; ok {
			name = long
		}
		given := shell.Argument{Text: value, Unknown: arg.Unknown}
		takesValue := !slices.Contains(known.Bools, name)
		if takesValue && !hasValue && len(args) > 0 && (slices.Contains(known.Values, name) || !strings.HasPrefix(args[0].Text, "-")) {
			given, args = args[0], args[1:]
		}
		c.flag(known, name, given)
	}
}

// The arguments with a location. If one is unknown, generate must not continue without it.
var (
	inputArgs  = []string{"input", "input-base", "input-dirs", "one-input-api", "input-pkg-root", positional}
	outputPkg  = []string{"output-pkg", "output-package", "clientset-path", "output-pkg-root"}
	outputArgs = append([]string{"output-dir", "output-base"}, outputPkg...)
)

// flag records a flag, or the reason why it is not translated.
func (c *toolCall) flag(known tools.Flags, name string, given shell.Argument) {
	why := tools.Untranslated[name]
	c.schema = c.schema || name == "applyconfig-openapi-schema" || name == "openapi-schema"
	switch {
	case name == "clientset-api-path" && given.Text == "/apis", why == tools.NoEffect:
		return
	case why == "" && !slices.Contains(known.Values, name) && !slices.Contains(known.Bools, name):
		why = "unknown flag"
	case why == "" && given.Unknown != "" && !slices.Contains(inputArgs, name) && !slices.Contains(outputArgs, name):
		why = given.Unknown
	}
	if why != "" {
		c.diags.Add(c.Pos, "--%s of %s is not translated: %s", name, c.name, why)
		return
	}
	c.flags[name] = append(c.flags[name], given)
}

// has reports whether a boolean flag is set.
func (c *toolCall) has(name string) bool { return c.value("false", name) != "false" }

// value returns the value of the first of the flags that is set and known.
func (c *toolCall) value(byDefault string, names ...string) string {
	for _, name := range names {
		if given := c.flags[name]; len(given) > 0 && given[len(given)-1].Unknown == "" {
			return given[len(given)-1].Text
		}
	}
	return byDefault
}

// list returns the known elements of list flags.
func (c *toolCall) list(names ...string) []string {
	var all []string
	for _, name := range names {
		for _, given := range c.flags[name] {
			if given.Unknown == "" {
				all = append(all, elements(given.Text)...)
			}
		}
	}
	return all
}

// elements splits a list at commas and spaces.
func elements(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
}

// open returns an unknown input, for which generate asks.
func (c *toolCall) open(source, why string) outputs.Input {
	return outputs.Input{Open: fmt.Sprintf("%s: %s", source, why), Pos: c.Pos}
}

// unknown returns an open input for each unknown argument with one of these names.
func (c *toolCall) unknown(names ...string) (open []outputs.Input) {
	for _, name := range names {
		for _, given := range c.flags[name] {
			switch {
			case given.Unknown == "":
			case name == positional:
				open = append(open, outputs.Input{Open: given.Unknown, Pos: c.Pos})
			default:
				open = append(open, c.open("--"+name+" of "+c.name, given.Unknown))
			}
		}
	}
	return open
}

// piece returns a piece of configuration with the flags that all tools share.
func (c *toolCall) piece() *outputs.Piece {
	p := &outputs.Piece{Pos: c.Pos, Parts: map[string]outputs.Part{}, Settings: map[string]any{}}
	if header := c.value("", "boilerplate", "go-header-file"); header != "" {
		c.header(p, header)
	}
	if plurals := c.list("plural-exceptions"); len(plurals) > 0 {
		p.Settings["plural-exceptions"] = slices.Compact(plurals)
	}
	if c.has("prefers-protobuf") {
		p.Settings["prefers-protobuf"] = true
	}
	if c.value("", "fake-clientset") == "false" {
		p.Skip = []string{option.Fake}
	}
	if c.schema {
		p.Settings[option.SchemaKey] = true
	}
	if link := strings.TrimSuffix(c.value("", "apply-configuration-package"), "/"); link != "" {
		p.Settings[outputs.ApplyKey] = link
	}
	if externals := c.list("applyconfig-externals", "external-applyconfigurations"); len(externals) > 0 {
		p.Settings["external-applyconfigurations"] = externals
	}
	c.peers(p)
	return p
}

// header sets the header file, or the file of the repository that the script makes it from.
func (c *toolCall) header(p *outputs.Piece, header string) {
	name := c.absolute(header)
	for _, file := range []string{name, c.repo.Made(name)} {
		text, ok := c.repo.Read(file)
		if isMade := file != name; ok && (!isMade || strings.HasPrefix(strings.TrimSpace(string(text)), "/")) {
			header = repository.Relative(c.repo.Root, file)
			if p.Settings[outputs.HeaderKey] = header; isMade && placeholder().Match(text) {
				c.diags.AddHint(c.Pos, "write the text, or the word YEAR, in its place",
					"the placeholder %s in %s is not translated", placeholder().Find(text), header)
			}
			return
		}
	}
	if header == os.DevNull {
		return
	}
	below, isTemporary := strings.CutPrefix(name, repository.TemporaryDir)
	switch variable := c.Variable(name); {
	case c.repo.Within(name):
		header = repository.Relative(c.repo.Root, name)
	case variable != "":
		header = variable
	case isTemporary:
		header = "$(mktemp)" + strings.TrimLeft(below, "x")
	}
	c.diags.AddHint(c.Pos, headerHint, "the header file %s is not translated: it is not in the repository", header)
}

// placeholder matches what scripts replace in header files, except for the word YEAR, which generate removes.
var placeholder = lazy.Regexp(`\{\{.*?\}\}|\$\{\w+\}|\$\w+|%\w+%|@\w+@`)

const headerHint = "commit a file with the header, and set " + outputs.HeaderKey + " to its name"

// absolute returns an absolute path, the original if the path is in a copy of the repository.
func (c *toolCall) absolute(name string) string { return c.repo.Home(c.path(name)) }

// output returns the output location of the tool. Generated files import each other, so the import path decides if it belongs to
// the repository; scripts often generate elsewhere and move the files.
func (c *toolCall) output() module.Place {
	out := module.Place{ImportPath: strings.TrimSuffix(c.value("", outputPkg...), "/")}
	dir := c.value("", "output-dir")
	if strings.HasPrefix(out.ImportPath, ".") {
		out, dir = module.Place{}, out.ImportPath
	}
	if out.Dir = c.repo.Dir(out.ImportPath); out.Dir == "" && dir != "" {
		if dir = c.absolute(dir); c.repo.Within(dir) {
			out.Dir = dir
		}
	}
	if out.ImportPath == "" && out.Dir != "" {
		out.ImportPath = c.repo.ImportPath(out.Dir)
	}
	return out
}

// outputProblem returns the reason why the output is unknown.
func (c *toolCall) outputProblem() string {
	if unknown := c.unknown(outputArgs...); len(unknown) > 0 {
		return unknown[0].Open
	}
	if pkg := c.value("", outputPkg...); pkg != "" {
		return fmt.Sprintf("%s writes to %s, which is not in a module of this repository", c.name, pkg)
	}
	return fmt.Sprintf("%s has no --output-dir", c.name)
}

// below returns a place in a directory of another.
func below(p module.Place, elements ...string) module.Place {
	if p.Dir != "" {
		p.Dir = filepath.Join(slices.Concat([]string{p.Dir}, elements)...)
	}
	if p.ImportPath != "" {
		p.ImportPath = path.Join(slices.Concat([]string{p.ImportPath}, elements)...)
	}
	return p
}

// translate returns the piece of configuration for the call of a tool, or nil.
func (c *toolCall) translate() *outputs.Piece {
	flags := tools.Generators
	if strings.HasPrefix(c.name, "kube::codegen::") {
		flags = tools.GenClient
	}
	c.parse(flags)
	p := c.piece()
	switch c.name {
	case "kube::codegen::gen_client":
		c.genClient(p)
	case "kube::codegen::gen_helpers":
		c.genHelpers(p)
	case "generate-groups.sh", "generate-internal-groups.sh":
		c.generateGroups(p)
	default:
		if i := slices.IndexFunc(c.products, func(p product.Product) bool { return p.Function == c.name }); i >= 0 {
			p.Add(c.products[i].Name, c.marked(markerOf(&c.products[i])))
		} else {
			c.generator(p)
		}
	}
	if len(p.Parts) == 0 {
		return nil
	}
	p.Problem = c.outputProblem()
	return p
}
