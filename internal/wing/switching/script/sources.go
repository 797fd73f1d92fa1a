package script

import (
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/makefile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/programs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/shell"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// Stdin is the name for standard input.
const Stdin = "-"

// translator turns the commands of scripts into pieces of configuration.
type translator struct {
	repo *repository.Repository
	// products are all products, and tools the programs that they replace. mention matches every call of one, however it is spelled.
	products product.Table
	tools    tools.Translated
	mention  *regexp.Regexp
	// limits bounds the work for the current file.
	limits *shell.Limits
	// dir is the working directory, and start is where scripts are assumed to run: the root of its module.
	dir, start string
	diags      diag.List
	// hasRecipes is true if a Makefile was read.
	hasRecipes bool
	// entries are the files read so far.
	entries []*entry
	// exceeded are the limits that files exceed which nobody named, and unfinished the generators that occur in these files.
	exceeded   diag.List
	unfinished []string
	// found are the scripts of the repository, and occurrences the mentions of generators in files and in the scripts that these call.
	found       []string
	occurrences map[string]string
}

// entry is the translation of a file and the scripts that it calls. The calls of other tools matter only next to pieces.
type entry struct {
	file          string
	pieces        []*outputs.Piece
	diags, others diag.List
}

// read reads all sources.
func (t *translator) read(source Source) error {
	files, found := source.Files, len(source.Files) == 0
	if found {
		files = t.discover(t.start)
	}
	for _, name := range files {
		var bad diag.List
		switch err := t.file(name, source); {
		case found && errors.As(err, &bad):
			t.unreadable(name, bad)
		case err != nil:
			return err
		}
	}
	return nil
}

// file reads one file, or standard input, which has the commands of make -n.
func (t *translator) file(name string, source Source) error {
	t.limits = shell.NewLimits()
	defer t.limits.Close()
	in := source.Stdin
	if name != Stdin {
		file, err := regular.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	isGo := strings.HasSuffix(name, ".go")
	if !isGo {
		in = io.LimitReader(in, shell.MaxFile+1) // longer scripts are refused, but not longer Go files
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if name == Stdin {
		name = filepath.Join(t.start, Stdin)
		return t.script(t.entry(name), makeMessage().ReplaceAll(text, []byte(":")), shell.Config{Name: name, Dir: source.Dir, Lines: true})
	}
	_, err = module.Owner(filepath.Dir(name))
	if _, err2 := module.Owner(t.start); err != nil && err2 != nil {
		return fmt.Errorf("no go.mod in %s or its parents: run migrate in the repository of the script", filepath.Dir(name))
	}
	switch {
	case isGo:
		return t.goFile(name, text)
	case isMakefile(filepath.Base(name)):
		return t.makefile(name)
	}
	return t.script(t.entry(name), text, shell.Config{Name: name, Dir: t.runsIn(name)})
}

// runsIn returns the working directory of a script: the root of the module of the working directory or, if the script belongs to
// another module or to none, the root of that or of the repository.
func (t *translator) runsIn(name string) string {
	owner, err := module.Owner(filepath.Dir(name))
	switch {
	case module.Within(t.start, name) || err != nil && !t.repo.Within(name):
		return t.start
	case err != nil:
		return t.repo.Root
	}
	return owner.Dir
}

// entry begins an entry.
func (t *translator) entry(file string) *entry {
	e := &entry{file: file}
	t.entries = append(t.entries, e)
	return e
}

// script follows a script and adds what its commands translate to.
func (t *translator) script(e *entry, text []byte, c shell.Config) error {
	c.Limits = t.limits
	if c.Surroundings == nil {
		c.Surroundings = surroundings{t, nil}
	}
	c.Handle, c.Written = func(c shell.Command) { t.command(e, c) }, t.written
	diags, err := shell.Follow(text, c)
	for _, d := range diags {
		// Other effects of scripts do not matter here.
		if slices.ContainsFunc(e.pieces, func(p *outputs.Piece) bool { return p.Pos.Filename == d.Pos.Filename }) {
			e.diags = append(e.diags, d)
		}
	}
	return err
}

// part follows a part of a file. An error in it is reported if it mentions a generator; only an exceeded limit is returned.
func (t *translator) part(what, text string, at token.Position, c shell.Config) error {
	e := t.entry(at.Filename)
	c.Name, c.FirstLine = at.Filename, at.Line-1
	if err := t.script(e, []byte(text), c); err != nil && t.limits.Err() == nil && t.mention.MatchString(text) {
		e.diags.Add(at, "%s is not translated: %v", what, err)
	}
	return t.limits.Err()
}

// surroundings are what scripts find when they run in the repository.
type surroundings struct {
	t *translator
	// exported are the variables that make exports.
	exported map[string]string
}

// Variables returns the environment. REPO_ROOT_DIR comes from a library of scripts that may be missing.
func (s surroundings) Variables() map[string]string {
	vars := map[string]string{"GOPATH": programs.GOPATH, "OSTYPE": programs.OSType, "REPO_ROOT_DIR": s.t.repo.Root}
	maps.Copy(vars, s.exported)
	return vars
}

// Script returns a script of the repository. Scripts of code-generator are known by name, and scripts that verify repeat the calls of
// others. Called scripts are not followed if no generator occurs in them, in their arguments, or in what they source or call.
func (s surroundings) Script(name string, call []string) ([]byte, bool) {
	name = s.t.repo.Home(name)
	text, ok := s.t.repo.Read(name)
	if !ok || isDefinition(name, text) || strings.HasPrefix(filepath.Base(name), "verify") {
		return nil, false
	}
	return text, call == nil || s.t.mention.MatchString(strings.Join(call, " ")) || s.t.occurrence(name) != ""
}

// Opaque reports whether a name is a function of kube_codegen.sh, or of a library modeled on it.
func (s surroundings) Opaque(name string) bool {
	return strings.HasPrefix(name, "kube::codegen::") || isForeign(name)
}

// Output returns the output of a program that only reads.
func (s surroundings) Output(dir string, words []string, stdin func() string) (string, bool) {
	return programs.Output(s.t.repo, dir, words, stdin)
}

// ReadDir returns the entries of a directory of the repository. Others are empty: they may be parents of it or of a copy.
func (s surroundings) ReadDir(dir string) ([]fs.DirEntry, error) {
	if dir = s.t.repo.Home(dir); !s.t.repo.Readable(dir) {
		return nil, nil
	}
	return os.ReadDir(dir)
}

// makefile follows the recipes of a Makefile. It reports recipes that mention a generator and cannot be read.
func (t *translator) makefile(name string) error {
	dir := filepath.Dir(name)
	if strings.HasSuffix(name, ".mk") {
		dir = t.runsIn(name)
	}
	recipes := makefile.Read(makefile.Config{
		Name: name, Dir: dir, Limits: t.limits,
		Open: t.repo.Read, Readable: t.repo.Readable,
		Shell: func(command string) (string, error) {
			at := t.limits.Pos()
			return shell.Output(command, shell.Config{
				Name: at.Filename, FirstLine: at.Line - 1, Dir: dir, Limits: t.limits, Surroundings: surroundings{t, nil},
			})
		},
	})
	t.hasRecipes = t.hasRecipes || len(recipes) > 0
	mentions := func(r makefile.Recipe) bool { return t.mention.MatchString(r.Text) }
	calls := func(r makefile.Recipe) bool { return !mentions(r) && strings.Contains(r.Text, ".sh") }
	// Scripts may exceed a limit, and need not call a generator.
	for _, recipe := range append(filtered(recipes, mentions), filtered(recipes, calls)...) {
		c := shell.Config{Dir: dir, Lines: !recipe.Together, Surroundings: surroundings{t, recipe.Variables}}
		if err := t.part("the recipe of "+recipe.Target, recipe.Text, recipe.Pos, c); err != nil {
			return err
		}
	}
	return t.limits.Err()
}

// filtered returns the recipes that match.
func filtered(recipes []makefile.Recipe, match func(makefile.Recipe) bool) []makefile.Recipe {
	return slices.DeleteFunc(slices.Clone(recipes), func(r makefile.Recipe) bool { return !match(r) })
}

// makeMessage matches make's own messages in the output of make -n.
var makeMessage = lazy.Regexp(`(?m)^make(\[|: ).*$`)

// goFile follows the go:generate directives of a Go file.
func (t *translator) goFile(name string, text []byte) error {
	for _, d := range directives(text) {
		vars := map[string]string{
			"GOFILE": filepath.Base(name), "GOPACKAGE": d.pkg, "GOLINE": strconv.Itoa(d.line), "DOLLAR": "$",
			"GOOS": programs.OS, "GOARCH": programs.Arch,
		}
		command := os.Expand(d.command, func(name string) string {
			if value, ok := vars[name]; ok {
				return value
			}
			return "${" + name + "}"
		})
		at := token.Position{Filename: name, Line: d.line}
		c := shell.Config{Dir: filepath.Dir(name), Lines: true, Surroundings: surroundings{t, nil}}
		if err := t.part("this directive", command, at, c); err != nil {
			return err
		}
	}
	return nil
}

// directive is a go:generate directive.
type directive struct {
	line int
	// command is the command, with its alias replaced by the alias's command, and pkg the name of the file's package.
	command, pkg string
}

// directives returns the go:generate directives of a file. Directives that define an alias are not among them.
func directives(text []byte) []directive {
	var all []directive
	pkg, aliases := "", map[string]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if clause, ok := strings.CutPrefix(line, "package "); ok && pkg == "" {
			pkg = strings.Fields(clause + " _")[0]
		}
		command, ok := strings.CutPrefix(line, "//go:generate")
		if !ok || strings.TrimLeft(command, " \t") == command {
			continue
		}
		command = strings.TrimSpace(command)
		name, rest := firstWord(command)
		if name == "-command" {
			name, rest = firstWord(rest)
			aliases[name] = rest
			continue
		}
		if alias, ok := aliases[name]; ok {
			command = strings.TrimSpace(alias + " " + rest)
		}
		all = append(all, directive{i + 1, command, pkg})
	}
	return all
}

// firstWord splits a command after its first word.
func firstWord(command string) (word, rest string) {
	if i := strings.IndexAny(command, " \t"); i >= 0 {
		return command[:i], strings.TrimSpace(command[i:])
	}
	return command, ""
}
