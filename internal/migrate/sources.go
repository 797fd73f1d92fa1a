package migrate

import (
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/config"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/budget"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/makefile"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/programs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/shell"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/tree"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// Stdin is the name for standard input.
const Stdin = "-"

// mention matches every call of a known tool, however it is spelled.
var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(client|lister|informer|deepcopy|register|applyconfiguration)[-_]?gen|gen_client|gen_helpers|gen_register|generate-(internal-)?groups`)
})

// definition matches the scripts of code-generator, which define functions for other scripts. defines matches the contents of
// these scripts and of copies.
var (
	definition = regexp.MustCompile(`^(kube_codegen|generate-groups|generate-internal-groups)\.sh$`)
	defines    = regexp.MustCompile(`kube::codegen::gen_client *\(|<groups-versions>`)
)

// translator turns the commands of scripts into pieces of configuration.
type translator struct {
	tree *tree.Tree
	// budget limits the work for the current file.
	budget *budget.Budget
	// start is where scripts are assumed to run: the root of the module.
	start string
	diags diag.List
	// entries are the files read so far, followed the scripts called by others.
	entries  []entry
	followed map[string]bool
}

// entry is the content of one file, with the scripts that it calls.
type entry struct {
	file   string
	pieces []*piece
	diags  diag.List
}

// read reads all sources.
func (t *translator) read(source Source) error {
	if len(source.Files) == 0 {
		for _, name := range t.discover() {
			var bad diag.List
			if err := t.file(name); errors.As(err, &bad) {
				t.diags = append(t.diags, bad...)
			} else if err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range source.Files {
		if name == Stdin {
			name := filepath.Join(t.start, Stdin)
			t.budget = &budget.Budget{}
			text, err := t.bounded(name, source.Stdin)
			if err != nil {
				return err
			}
			if err := t.script(makeOutput(text), shell.Config{Name: name, Dir: source.Dir, Lines: true}); err != nil {
				return err
			}
			continue
		}
		if err := t.named(name); err != nil {
			return err
		}
	}
	return nil
}

// named reads a file that the user named.
func (t *translator) named(name string) error {
	if _, err := os.Stat(name); err != nil {
		return err
	}
	_, err := config.OwningModule(filepath.Dir(name))
	if _, err2 := config.OwningModule(t.start); err != nil && err2 != nil {
		return fmt.Errorf("no go.mod in %s or its parents: run migrate in the repository of the script", filepath.Dir(name))
	}
	return t.file(name)
}

// discover returns the files of the module that mention a generator: scripts, the Makefile, and Go files with directives.
func (t *translator) discover() []string {
	names := t.tree.Files(t.start, func(name string) bool {
		base := filepath.Base(name)
		if strings.HasPrefix(base, "verify") || strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_generated") {
			return false
		}
		switch ext := filepath.Ext(base); {
		case isMakefile(base):
			return filepath.Dir(name) == t.start
		case ext == ".sh" || ext == ".bash" || ext == ".go":
			return mentions(name, ext)
		case ext == "":
			return mentions(name, ".sh") && isScript(name)
		}
		return false
	})
	return names
}

// mentions reports whether a file mentions a generator.
func mentions(name, ext string) bool {
	text, err := regular.ReadFile(name)
	if err != nil {
		return false
	}
	if ext == ".go" {
		return slices.ContainsFunc(directives(text), func(d directive) bool { return mention().MatchString(d.command) || strings.Contains(d.command, ".sh") })
	}
	return mention().Match(text) && !isDefinition(name, text)
}

// isDefinition reports whether a script is one of code-generator's.
func isDefinition(name string, text []byte) bool {
	return definition.MatchString(filepath.Base(name)) && defines.Match(text)
}

func isMakefile(base string) bool {
	return base == "Makefile" || base == "makefile" || base == "GNUmakefile" || strings.HasSuffix(base, ".mk") || strings.HasPrefix(base, "Makefile.")
}

// isScript reports whether a file begins like a shell script.
func isScript(name string) bool {
	text, err := regular.ReadFile(name)
	first, _, _ := strings.Cut(string(text), "\n")
	return err == nil && strings.HasPrefix(first, "#!") && strings.HasSuffix(strings.Fields(first)[len(strings.Fields(first))-1], "sh")
}

// file reads one file.
func (t *translator) file(name string) error {
	t.budget = &budget.Budget{}
	if strings.HasSuffix(name, ".go") {
		text, err := regular.ReadFile(name)
		if err != nil {
			return err
		}
		return t.goFile(name, text)
	}
	file, err := regular.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	text, err := t.bounded(name, file)
	if err != nil {
		return err
	}
	if isMakefile(filepath.Base(name)) {
		return t.makefile(name)
	}
	return t.script(text, shell.Config{Name: name, Dir: t.runsIn(name)})
}

// bounded reads a script or Makefile.
func (t *translator) bounded(name string, from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, budget.File+1))
	if len(text) > budget.File {
		t.budget.At(token.Position{Filename: name, Line: 1})
		t.budget.GiveUp("%d KiB of script", budget.File>>10)
		return nil, t.budget.Err()
	}
	return text, err
}

// runsIn returns the working directory of a script: the root of the module of the working directory or, if the script belongs to
// another module, the root of that.
func (t *translator) runsIn(name string) string {
	if config.Within(t.start, name) {
		return t.start
	}
	module, err := config.OwningModule(filepath.Dir(name))
	if err != nil {
		return t.start
	}
	return module.Dir
}

// script follows a script.
func (t *translator) script(text []byte, c shell.Config) error {
	t.entries = append(t.entries, entry{file: c.Name})
	c.Surroundings, c.Budget = surroundings{t}, t.budget
	c.Handle = t.command
	diags, err := shell.Follow(text, c)
	for _, d := range diags {
		// Other effects of scripts do not matter here.
		if slices.ContainsFunc(t.entries[len(t.entries)-1].pieces, func(p *piece) bool { return p.pos.Filename == d.Pos.Filename }) {
			*t.problems() = append(*t.problems(), d)
		}
	}
	return err
}

// problems are the diagnostics of the current entry.
func (t *translator) problems() *diag.List { return &t.entries[len(t.entries)-1].diags }

// makefile follows the recipes of a Makefile. It reports recipes that mention a generator and cannot be read.
func (t *translator) makefile(name string) error {
	dir := filepath.Dir(name)
	if strings.HasSuffix(name, ".mk") {
		dir = t.runsIn(name)
	}
	recipes := makefile.Read(makefile.Config{
		Name: name, Dir: dir, Budget: t.budget,
		Open: t.tree.Read, Readable: t.tree.Readable,
		Shell: func(command string) (string, bool) {
			at := t.budget.Pos()
			out, err := shell.Output(command, shell.Config{Name: at.Filename, FirstLine: at.Line - 1, Dir: dir, Budget: t.budget, Surroundings: surroundings{t}})
			return out, err == nil
		},
	})
	for _, recipe := range recipes {
		if !mention().MatchString(recipe.Text) && !strings.Contains(recipe.Text, ".sh") {
			continue
		}
		err := t.script([]byte(recipe.Text), shell.Config{Name: recipe.File, FirstLine: recipe.Line - 1, Dir: dir, Lines: true})
		if t.budget.Err() != nil {
			break
		}
		if err != nil && mention().MatchString(recipe.Text) {
			t.problems().Add(token.Position{Filename: recipe.File, Line: recipe.Line}, "the recipe of %s is not translated: %v", recipe.Target, err)
		}
	}
	return t.budget.Err()
}

// goFile follows the go:generate directives of a Go file.
func (t *translator) goFile(name string, text []byte) error {
	for _, d := range directives(text) {
		command := strings.NewReplacer("$GOFILE", filepath.Base(name), "$GOPACKAGE", d.pkg, "$DOLLAR", "$").Replace(d.command)
		err := t.script([]byte(command), shell.Config{Name: name, FirstLine: d.line - 1, Dir: filepath.Dir(name), Lines: true})
		if t.budget.Err() != nil {
			break
		}
		if err != nil && mention().MatchString(command) {
			t.problems().Add(token.Position{Filename: name, Line: d.line}, "this directive is not translated: %v", err)
		}
	}
	return t.budget.Err()
}

// directive is a go:generate directive.
type directive struct {
	line         int
	command, pkg string
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// directives returns the go:generate directives of a file.
func directives(text []byte) []directive {
	var all []directive
	pkg := ""
	if m := packageClause.FindSubmatch(text); m != nil {
		pkg = string(m[1])
	}
	for i, line := range strings.Split(string(text), "\n") {
		if command, ok := strings.CutPrefix(line, "//go:generate "); ok {
			all = append(all, directive{i + 1, strings.TrimSpace(command), pkg})
		}
	}
	return all
}

var entering = regexp.MustCompile("^make(?:\\[\\d+\\])?: (?:(Entering) directory ['`](.*)'|.*)$")

// makeOutput turns what make -n says of itself into commands.
func makeOutput(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if m := entering.FindStringSubmatch(line); m != nil {
			lines[i] = ":"
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// surroundings are what scripts find when they run in the repository.
type surroundings struct{ t *translator }

// Variables returns the usual environment. REPO_ROOT_DIR comes from a library of scripts that may be missing.
func (s surroundings) Variables() map[string]string {
	return map[string]string{"GOPATH": programs.GOPATH, "REPO_ROOT_DIR": s.t.tree.Root}
}

// Script returns a script of the repository. Those of code-generator are known by name, and those that verify do what others do.
func (s surroundings) Script(name string) ([]byte, bool) {
	name = s.t.tree.Home(name)
	text, ok := s.t.tree.Read(name)
	if !ok || isDefinition(name, text) || strings.HasPrefix(filepath.Base(name), "verify") {
		return nil, false
	}
	s.t.followed[name] = true
	return text, true
}

// Opaque reports whether a name is a function of kube_codegen.sh, or of a library modeled on it.
func (s surroundings) Opaque(name string) bool {
	return strings.HasPrefix(name, "kube::codegen::") || foreign.MatchString(name)
}

// Output returns the output of a program that only reads.
func (s surroundings) Output(dir string, words []string, stdin string) (string, bool) {
	return programs.Output(s.t.tree, s.t.budget, dir, words, stdin)
}

// unique returns the pieces of all entries. A script that others call is read twice: as they call it counts, unless
// less is known that way.
func (t *translator) unique() []*piece {
	open := map[string]map[bool]int{} // by file, called or not
	for _, e := range t.entries {
		for _, p := range e.pieces {
			file := p.pos.Filename
			if open[file] == nil {
				open[file] = map[bool]int{}
			}
			open[file][e.file != file] += 1 + p.unknown()<<16
		}
	}
	drop := func(e entry, file string) bool {
		alone, called := open[file][false]>>16, open[file][true]
		if called == 0 || open[file][false] == 0 {
			return false
		}
		return (e.file == file) == (called>>16 <= alone)
	}
	var all []*piece
	for _, e := range t.entries {
		for _, d := range e.diags {
			if !drop(e, d.Pos.Filename) {
				t.diags = append(t.diags, d)
			}
		}
		for _, p := range e.pieces {
			if !drop(e, p.pos.Filename) && !slices.ContainsFunc(all, p.equal) {
				all = append(all, p)
			}
		}
	}
	return all
}
