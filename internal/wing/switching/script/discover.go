package script

import (
	"bytes"
	"fmt"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/tools"
)

// mention returns a pattern that matches every call of a known tool, however it is spelled.
func mention(products product.Table) *regexp.Regexp {
	programs := slices.Sorted(maps.Keys(products.Programs()))
	return regexp.MustCompile(`(?i)(` + strings.Join(programs, "|") + `)[-_]?gen|` +
		`gen_client|gen_helpers|gen_register|generate-(internal-)?groups|controller[-_]?gen|` +
		`code-generator/cmd/|\$\{?\w+\}?-gen\b|` + generatorImage)
}

// defines matches the contents of the scripts of code-generator and of copies.
var defines = []string{"kube::codegen::gen_client(", "kube::codegen::gen_client (", "<groups-versions>"}

// discover returns the files below a root that mention a generator: scripts, Makefiles, and Go files with directives. The Makefile at the
// root may include others that mention one.
func (t *translator) discover(root string) (names []string) {
	for name := range t.repo.Files(root) {
		base, ext := filepath.Base(name), filepath.Ext(name)
		switch {
		case strings.HasPrefix(base, "verify") || strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_generated"):
		case isMakefile(base):
			if filepath.Dir(name) == root || !strings.HasSuffix(base, ".mk") && t.mentions(name, ext) {
				names = append(names, name)
			}
		case slices.Contains([]string{".sh", ".bash", ".go", ""}, ext) && t.mentions(name, ext):
			names = append(names, name)
		}
	}
	return names
}

// outside names the files above a nested module that may call generators for it, preferably only files that mention its directory.
func (t *translator) outside() (diags diag.List) {
	var all, near []string
	for _, name := range t.discover(t.repo.Root) {
		owner, err := module.Owner(filepath.Dir(name))
		if module.Within(t.start, name) || err == nil && !module.Within(owner.Dir, t.start) || t.occurrence(name) == "" {
			continue
		}
		all = append(all, name)
		if text, _ := t.repo.Read(name); bytes.Contains(text, []byte(repository.Relative(t.repo.Root, t.start))) {
			near = append(near, name)
		}
	}
	if len(near) > 0 {
		all = near
	}
	if len(all) > 0 {
		names := lists.Map(all, func(name string) string { return repository.Relative(t.dir, name) })
		diags.AddHint(token.Position{}, "run informer-gen-lite migrate "+strings.Join(names, " "),
			"found no call of a generator here, but outside of the module: %s", t.occurrence(all[0]))
	}
	return diags
}

// unread warns about the first file of a form that migrate does not read and that mentions a generator.
func (t *translator) unread() (diags diag.List) {
	for name := range t.repo.Files(t.start) {
		base := strings.ToLower(filepath.Base(name))
		if !slices.ContainsFunc([]string{"taskfile", "justfile", "magefile", "dockerfile", "earthfile"}, func(start string) bool {
			return strings.HasPrefix(base, start)
		}) && filepath.Ext(base) != ".py" {
			continue
		}
		text, _ := t.repo.Read(name)
		if at := t.mention.FindIndex(text); at != nil {
			pos := token.Position{Filename: name, Line: 1 + bytes.Count(text[:at[0]], []byte("\n"))}
			diags.AddHint(pos, "pass the commands to informer-gen-lite migrate - on the standard input",
				"this file is not translated: migrate reads shell scripts, Makefiles and go:generate directives")
			break
		}
	}
	return diags
}

// mentions reports whether a file mentions a generator.
func (t *translator) mentions(name, ext string) bool {
	text, err := regular.ReadFile(name)
	if err != nil {
		return false
	}
	if ext == ".go" {
		return slices.ContainsFunc(directives(text), func(d directive) bool {
			return t.mention.MatchString(d.command) || strings.Contains(d.command, ".sh")
		})
	}
	return (ext != "" || isMakefile(filepath.Base(name)) || isShell(text)) && t.mention.Match(text) && !isDefinition(name, text)
}

// isShell reports whether the first line of a text says that a shell runs it.
func isShell(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(first, []byte("#!")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("sh"))
}

// isDefinition reports whether a script is one of code-generator's.
func isDefinition(name string, text []byte) bool {
	return slices.Contains(tools.Definitions, filepath.Base(name)) &&
		slices.ContainsFunc(defines, func(start string) bool { return bytes.Contains(text, []byte(start)) })
}

func isMakefile(base string) bool {
	return slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, base) ||
		strings.HasSuffix(base, ".mk") || strings.HasPrefix(base, "Makefile.")
}

// scriptName matches what may be the name of another script, possibly with a pattern.
var scriptName = lazy.Regexp(`/?[\w.*+-]+\.(sh|bash|mk)\b|/[\w+-]+`)

// occurrence returns the first mention of a generator in a file or in a script that the file may source or call, as file:line and name. It
// returns "" if no generator is mentioned.
func (t *translator) occurrence(name string) (found string) {
	if known, ok := t.occurrences[name]; ok {
		return known
	}
	defer func() { t.occurrences[name] = found }()
	files := []string{name}
	for i := 0; i < len(files); i++ {
		text, ok := t.repo.Read(files[i])
		if !ok || isDefinition(files[i], text) || strings.HasPrefix(filepath.Base(files[i]), "verify") {
			continue
		}
		if at := t.mention.FindIndex(text); at != nil {
			line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
			return fmt.Sprintf("%s:%d has %s", repository.Relative(t.dir, files[i]), line, text[at[0]:at[1]])
		}
		for _, word := range scriptName().FindAllString(string(text), -1) {
			for _, other := range t.scripts() {
				if ok, _ := path.Match(path.Base(word), filepath.Base(other)); ok && !slices.Contains(files, other) {
					files = append(files, other)
				}
			}
		}
	}
	return ""
}

// scripts returns the scripts of the repository, and the files that Makefiles include.
func (t *translator) scripts() []string {
	if t.found != nil {
		return t.found
	}
	t.found = []string{}
	for name := range t.repo.Files(t.repo.Root) {
		ext, isScript := filepath.Ext(name), false
		if ext == "" {
			text, _ := t.repo.Read(name)
			isScript = isShell(text)
		}
		if isScript || slices.Contains([]string{".sh", ".bash", ".mk"}, ext) {
			t.found = append(t.found, name)
		}
	}
	return t.found
}

// unreadable records why an unnamed file cannot be read, unless no generator occurs in it and in the scripts that it sources or calls.
func (t *translator) unreadable(name string, bad diag.List) {
	occurrence := t.occurrence(name)
	if occurrence == "" {
		return
	}
	bad = slices.Clone(bad)
	for i, d := range bad {
		bad[i].Hint = strings.TrimPrefix(d.Hint+": "+occurrence, ": ")
	}
	if t.limits.Err() == nil {
		t.diags = append(t.diags, bad...)
		return
	}
	t.exceeded, t.unfinished = append(t.exceeded, bad...), append(t.unfinished, occurrence)
}

// stopped returns one warning for all files that exceed a limit.
func (t *translator) stopped() diag.List {
	if len(t.exceeded) == 0 {
		return nil
	}
	first := t.exceeded[0]
	if n := len(t.exceeded) - 1; n > 0 {
		first.Message = strings.Replace(first.Message, "this script", fmt.Sprintf("this script and %d others", n), 1)
	}
	first.Hint = "check that the configuration has all packages and outputs: " + strings.Join(t.unfinished, ", ")
	return diag.List{first}
}
