package migrate

import (
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
)

// toolFlags are the flags of a tool: those with a value, those without, and the short forms.
type toolFlags struct {
	values, bools []string
	short         map[string]string
}

var genClientFlags = toolFlags{
	values: strings.Fields(`one-input-api output-dir output-pkg boilerplate clientset-name versioned-name applyconfig-name
		applyconfig-externals applyconfig-openapi-schema listers-name informers-name plural-exceptions lint-rules
		input-pkg-root output-pkg-root output-base extra-peer-dir`),
	bools: strings.Fields(`with-applyconfig with-watch prefers-protobuf`),
}

// generatorFlags are those of the single generators, and of generate-groups.sh, which passes them on.
var generatorFlags = toolFlags{
	values: strings.Fields(`input input-base input-dirs clientset-name clientset-api-path clientset-path output-dir output-pkg
		output-package output-base output-file output-file-base go-header-file plural-exceptions apply-configuration-package
		included-types-overrides versioned-clientset-package internal-clientset-package listers-package lint-rules
		external-applyconfigurations openapi-schema build-tag trim-path-prefix v vmodule`),
	bools: strings.Fields(`clientset-only fake-clientset prefers-protobuf single-directory verify-only logtostderr`),
	short: map[string]string{
		"n": "clientset-name", "i": "input-dirs", "p": "output-package", "o": "output-base", "h": "go-header-file",
		"O": "output-file-base",
	},
}

// untranslated are the flags without a counterpart, with the reason.
var untranslated = map[string]string{
	"lint-rules":                 "informer-gen-lite makes its own checks, always",
	"applyconfig-openapi-schema": "the schema of apply configurations is made from the types",
	"openapi-schema":             "the schema of apply configurations is made from the types",
	"clientset-api-path":         "clients use /api for the core group and /apis for all others",
	"fake-clientset":             "the fake clientset is always made",
	"included-types-overrides":   "+genclient decides which types have a client",
	"internal-clientset-package": "there are no clients for internal versions",
	"verify-only":                "run informer-gen-lite verify instead",
	"build-tag":                  "use build-tags if the API files need it",
}

// otherTools are the tools whose output informer-gen-lite does not make, with what they make.
var otherTools = map[string]string{
	"kube::codegen::gen_openapi": "OpenAPI definitions",
	"defaulter-gen":              "defaults", "conversion-gen": "conversions",
	"openapi-gen": "OpenAPI definitions", "validation-gen": "validation",
	"controller-gen": "CRDs, roles and webhooks", "go-to-protobuf": "protobuf", "injection-gen": "injection",
	"prerelease-lifecycle-gen": "lifecycle methods",
}

// translator turns the commands of one script into pieces of configuration.
type translator struct {
	module config.Place
	diags  diag.List
	pieces []*piece
}

// command translates the call of a known generator, whichever way it is started. Other commands are ignored.
func (t *translator) command(c shell.Command) {
	args := unwrap(c.Args)
	if len(args) == 0 {
		return
	}
	call := &toolCall{
		module: t.module, diags: &t.diags, pos: c.Pos, dir: c.Dir,
		name: toolName(args[0]), args: args[1:], flags: map[string][]shell.Argument{},
	}
	if what, ok := otherTools[call.name]; ok {
		hint := "keep this call"
		if call.name == "controller-gen" {
			hint += ", without its generator object: deep copies are made here too"
		}
		t.diags.AddHint(c.Pos, hint, "%s is not translated: informer-gen-lite does not make %s", call.name, what)
		return
	}
	if p := call.translate(); p != nil {
		t.pieces = append(t.pieces, p)
	}
}

// translate returns the piece of configuration for the call; nil if there is none.
func (c *toolCall) translate() *piece {
	switch c.name {
	case "kube::codegen::gen_client":
		return c.genClient()
	case "kube::codegen::gen_helpers":
		return c.genHelpers()
	case "kube::codegen::gen_register":
		return c.genRegister()
	case "generate-groups.sh", "generate-internal-groups.sh":
		return c.generateGroups()
	case "client-gen", "lister-gen", "informer-gen", "register-gen", "deepcopy-gen", "applyconfiguration-gen":
		return c.generator()
	}
	return nil
}

// unwrap drops what a tool is started with: go run, go tool, bash and the like.
func unwrap(args []shell.Argument) []shell.Argument {
	for len(args) > 1 {
		switch path.Base(args[0].Text) {
		case "go":
			if args[1].Text != "run" && args[1].Text != "tool" {
				return args
			}
			args = skipFlags(args[2:])
		case "bash", "sh", "exec", "command", "time", "env":
			args = skipFlags(args[1:])
		default:
			return args
		}
	}
	return args
}

// skipFlags drops the flags and the environment of a wrapper.
func skipFlags(args []shell.Argument) []shell.Argument {
	for len(args) > 0 && (strings.HasPrefix(args[0].Text, "-") || assignment.MatchString(args[0].Text)) {
		args = args[1:]
	}
	return args
}

var assignment = regexp.MustCompile(`^\w+=`)

// toolName returns the name of a program without its directory and version. The directory need not be known, nor the
// whole of it if a variable is named after the program, as in "$CLIENT_GEN".
func toolName(arg shell.Argument) string {
	name := strings.Trim(arg.Text, `"'`)
	name, _, _ = strings.Cut(name[strings.LastIndex(name, "/")+1:], "@")
	name = strings.TrimRight(name, `"'`)
	if variable, ok := strings.CutPrefix(name, "$"); ok {
		letters := strings.NewReplacer("{", "", "}", "", "_", "", "-", "")
		for _, tool := range append(slices.Sorted(maps.Keys(otherTools)), "client-gen", "lister-gen", "informer-gen", "register-gen", "deepcopy-gen", "applyconfiguration-gen") {
			if strings.EqualFold(letters.Replace(variable), letters.Replace(tool)) {
				return tool
			}
		}
	}
	return name
}

// toolCall is a call of a generator.
type toolCall struct {
	// module is the module that the script belongs to, and dir the working directory of the call.
	module config.Place
	dir    string
	diags  *diag.List

	pos        token.Position
	name       string
	args       []shell.Argument
	flags      map[string][]shell.Argument
	positional []shell.Argument
}

// parse separates flags from other arguments, and reports flags without effect.
func (c *toolCall) parse(known toolFlags, args []shell.Argument) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg.Text, "-") {
			c.positional = append(c.positional, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg.Text, "-"), "=")
		if long, ok := known.short[name]; ok {
			name = long
		}
		given := shell.Argument{Pos: arg.Pos, Text: value, Unknown: arg.Unknown}
		takesValue := !slices.Contains(known.bools, name)
		if takesValue && !hasValue && len(args) > 0 && (slices.Contains(known.values, name) || !strings.HasPrefix(args[0].Text, "-")) {
			given, args = args[0], args[1:]
			given.Pos = arg.Pos
		}
		c.flag(known, name, given)
	}
}

// flag takes note of one flag, or says why not.
func (c *toolCall) flag(known toolFlags, name string, given shell.Argument) {
	why := untranslated[name]
	switch {
	case name == "clientset-api-path" && given.Text == "/apis", name == "fake-clientset" && given.Text != "false":
		return
	case why == "" && !slices.Contains(known.values, name) && !slices.Contains(known.bools, name):
		why = "this flag is not known"
	case why == "" && given.Unknown != "":
		why = given.Unknown
	}
	if why != "" {
		c.diags.Add(given.Pos, "--%s of %s is not translated: %s", name, c.name, why)
		return
	}
	c.flags[name] = append(c.flags[name], given)
}

// has reports whether a boolean flag is on.
func (c *toolCall) has(name string) bool {
	given := c.flags[name]
	return len(given) > 0 && given[len(given)-1].Text != "false"
}

// value returns the value of the first of the flags that is given.
func (c *toolCall) value(byDefault string, names ...string) string {
	for _, name := range names {
		if given := c.flags[name]; len(given) > 0 {
			return given[len(given)-1].Text
		}
	}
	return byDefault
}

// list returns the elements of flags that are lists.
func (c *toolCall) list(names ...string) []string {
	var all []string
	for _, name := range names {
		for _, given := range c.flags[name] {
			all = append(all, elements(given.Text)...)
		}
	}
	return all
}

// elements splits a list, which has commas, blanks or both.
func elements(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// words returns the other arguments. Unknown ones are reported and left out.
func (c *toolCall) words() []string {
	var words []string
	for _, arg := range c.positional {
		if arg.Unknown != "" {
			c.diags.Add(arg.Pos, "%s of %s is not translated: %s", arg.Text, c.name, arg.Unknown)
			continue
		}
		words = append(words, arg.Text)
	}
	return words
}

// piece returns a piece of configuration with the flags that the tools have in common.
func (c *toolCall) piece() *piece {
	p := &piece{pos: c.pos, module: c.module, settings: map[string]any{}}
	if header := c.value("", "boilerplate", "go-header-file"); header != "" {
		p.settings["go-header-file"] = c.relative(c.absolute(header))
	}
	if plurals := c.list("plural-exceptions"); len(plurals) > 0 {
		p.settings["plural-exceptions"] = plurals
	}
	if c.has("prefers-protobuf") {
		p.settings["prefers-protobuf"] = true
	}
	p.applyLink = c.value("", "apply-configuration-package")
	if externals := c.list("applyconfig-externals", "external-applyconfigurations"); len(externals) > 0 {
		p.settings["external-applyconfigurations"] = externals
	}
	return p
}

func (c *toolCall) absolute(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.dir, name)
}

// relative returns a path as the configuration file has it.
func (c *toolCall) relative(name string) string {
	rel, err := filepath.Rel(c.module.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// dirOf returns the directory of an import path; "" if it is of another module.
func (c *toolCall) dirOf(importPath string) string {
	if importPath == c.module.ImportPath {
		return c.module.Dir
	}
	rest, ok := strings.CutPrefix(importPath, c.module.ImportPath+"/")
	if !ok {
		return ""
	}
	return filepath.Join(c.module.Dir, filepath.FromSlash(rest))
}

// output returns where the tool writes to, by its flags for directory and import path.
func (c *toolCall) output() config.Place {
	out := config.Place{ImportPath: strings.TrimSuffix(c.value("", "output-pkg", "output-package", "clientset-path", "output-pkg-root"), "/")}
	switch dir := c.value("", "output-dir"); {
	case dir != "":
		out.Dir = c.absolute(dir)
	case strings.HasPrefix(out.ImportPath, "."):
		out = config.Place{Dir: c.absolute(out.ImportPath)}
	default:
		out.Dir = c.dirOf(out.ImportPath)
	}
	if out.Dir == "" {
		c.diags.AddHint(c.pos, "set output-dir to its directory", "the output of %s is not translated: %q is not in module %s",
			c.name, out.ImportPath, c.module.ImportPath)
	}
	return out
}

// below returns a place in a directory of another.
func below(p config.Place, elements ...string) config.Place {
	out := config.Place{}
	if p.Dir != "" {
		out.Dir = filepath.Join(append([]string{p.Dir}, elements...)...)
	}
	if p.ImportPath != "" {
		out.ImportPath = path.Join(append([]string{p.ImportPath}, elements...)...)
	}
	return out
}
