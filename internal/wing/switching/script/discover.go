package script

import (
	"bytes"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
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

// outside names the files above a nested module that may call generators for it: if possible, only those that mention its directory.
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
	run := []string{"run informer-gen-lite migrate"}
	for _, name := range all {
		run = append(run, repository.Relative(t.dir, name))
	}
	if len(all) > 0 {
		diags.AddHint(token.Position{}, strings.Join(run, " "),
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
