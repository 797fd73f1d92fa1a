// Package programs computes the output of read-only commands, such as find, ls, go list and the filters of a pipe. It does not
// run them: it reads files through package repository.
package programs

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// call is a program call.
type call struct {
	repo *repository.Repository
	dir  string
	// args are the arguments, words the positional ones, and flags the others, by their letter.
	args, words []string
	flags       map[string]string
	// stdin reads the standard input.
	stdin func() string
}

// maxOutput is the maximum size of a program's output, in bytes.
const maxOutput = 1 << 24

// program computes the output of a program with these flags: those with a value and those without; * stands for any that does not
// matter. It returns false if the output is unknown.
type program struct {
	values, bools string
	output        func(c call) (string, bool)
}

var table = map[string]program{
	"dirname": {"", "*", eachPath(dirname)}, "basename": {"", "*", basename},
	"realpath": {"", "*", realpath}, "readlink": {"", "*", realpath}, "mktemp": {"", "*", mktemp},
	"uname": {"", "asmprio", uname}, "arch": {"", "", func(call) (string, bool) { return machine + "\n", true }},
	"git": {"", "*", git}, "go": {"", "*", goCommand}, "ls": {"", "*", ls}, "find": {"", "*", find}, "cat": {"", "*", cat},
	"tr": {"", "d", tr}, "sort": {"", "*", filter(0, sorted)}, "uniq": {"", "", filter(0, uniq)},
	"head": {"n", "", filter(0, head)}, "tail": {"n", "", filter(0, tail)}, "cut": {"df", "", filter(0, cut)},
	"grep": {"", "vEFeqilrRhwsZ", grep}, "sed": {"", "Ere", filter(1, sed)}, "awk": {"F", "", filter(1, awk)},
	"paste": {"d", "s", filter(0, paste)},
}

// longs are the letters of flags with a long name; "" if it does not matter. I and D are invented: the flags have no short form.
var longs = map[string]string{
	"--": "", "--color": "", "--colour": "", "--no-messages": "", "--null": "", "--null-data": "", "--zero-terminated": "",
	"--files-with-matches": "l", "--recursive": "r", "--include": "I", "--exclude-dir": "D", "--extended-regexp": "E",
	"--regexp-extended": "E", "--fixed-strings": "F", "--word-regexp": "w", "--no-filename": "h", "--ignore-case": "i",
	"--invert-match": "v", "--quiet": "q",
}

// Output returns the output of a program that is called in a directory of a repository. It returns false if the output is only
// known at run time, or too long.
func Output(t *repository.Repository, dir string, words []string, stdin func() string) (string, bool) {
	p, ok := table[linuxName(filepath.Base(words[0]))]
	if !ok {
		return "", false
	}
	c := call{repo: t, dir: dir, args: words[1:], stdin: stdin, flags: map[string]string{}}
	if c, ok = c.parsed(p.values, p.bools); !ok {
		return "", false
	}
	return p.output(c)
}

// parsed returns the call with its flags, which may be combined, and other arguments. It returns false if it does not know a flag.
func (c call) parsed(values, bools string) (call, bool) {
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if len(arg) < 2 || arg[0] != '-' {
			c.words = append(c.words, arg)
			continue
		}
		if name, value, _ := strings.Cut(arg, "="); strings.HasPrefix(arg, "--") && bools != "*" {
			flag, ok := longs[name]
			if !ok {
				return c, false
			}
			c.flags[flag] = cmp.Or(value, "true")
			continue
		}
		for j := 1; j < len(arg); j++ {
			flag, value := arg[j:j+1], arg[j+1:]
			if bools == "*" || strings.Contains(bools, flag) {
				c.flags[flag] = "true"
				continue
			}
			if flag >= "0" && flag <= "9" { // head -1
				flag, value = "n", arg[j:]
			}
			if !strings.Contains(values, flag) {
				return c, false
			}
			if value == "" && i+1 < len(c.args) {
				i++
				value = c.args[i]
			}
			c.flags[flag] = value
			break
		}
	}
	return c, true
}

// has reports whether a flag is set.
func (c call) has(flag string) bool { return c.flags[flag] != "" }

func (c call) absolute(name string) string { return diag.Absolute(c.dir, name) }

// joined ends each line.
func joined(lines []string) string {
	return strings.Join(append(lines, ""), "\n")
}

// eachPath is a program that changes paths.
func eachPath(f func(string) string) func(c call) (string, bool) {
	return func(c call) (string, bool) {
		lines := lists.Map(c.words, f)
		return joined(lines), len(lines) > 0
	}
}

// dirname returns the part of a name before its last slash, as it is written.
func dirname(name string) string {
	name = strings.TrimRight(name, "/")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return cmp.Or(strings.TrimRight(name[:i], "/"), "/")
	}
	return "."
}

func basename(c call) (string, bool) {
	if len(c.args) == 2 {
		return strings.TrimSuffix(filepath.Base(c.args[0]), c.args[1]) + "\n", true
	}
	return eachPath(filepath.Base)(c)
}

func realpath(c call) (string, bool) { return eachPath(c.absolute)(c) }

func mktemp(c call) (string, bool) {
	return c.repo.Temporary() + strings.Join(c.words, "") + "\n", true
}

func git(c call) (string, bool) {
	switch strings.Join(c.args, " ") {
	case "rev-parse --show-toplevel":
		return c.repo.Root + "\n", true
	case "rev-parse --show-prefix":
		rel, err := filepath.Rel(c.repo.Root, c.dir)
		return filepath.ToSlash(rel) + "/\n", err == nil
	}
	return "", false
}

func cat(c call) (string, bool) {
	if len(c.words) == 0 {
		return c.stdin(), true
	}
	var b strings.Builder
	for _, name := range c.words {
		name = c.repo.Home(c.absolute(name))
		text, ok := c.repo.Read(name)
		if !ok || b.Len()+len(text) > maxOutput {
			return "", false
		}
		b.Write(text)
	}
	return b.String(), true
}

// matching returns words with the files of the repository that they match, as the shell would.
func (c call) matching(words []string) (all []string) {
	for _, word := range words {
		pattern := c.absolute(word)
		if wild := strings.IndexAny(pattern, `*?[`); wild < 0 || !c.repo.Within(filepath.Dir(pattern[:wild]+"x")) {
			all = append(all, word)
			continue
		}
		names, _ := filepath.Glob(pattern) // nothing for an invalid pattern
		for _, name := range names {
			if rel, err := filepath.Rel(c.dir, name); err == nil && !filepath.IsAbs(word) {
				name = filepath.ToSlash(rel)
				if strings.HasPrefix(word, "./") {
					name = "./" + name
				}
			}
			all = append(all, name)
		}
	}
	return all
}

// ls lists directories, or with -d the words that exist.
func ls(c call) (string, bool) {
	var lines []string
	words := c.words
	if len(words) == 0 {
		words = []string{"."}
	}
	for _, word := range c.matching(words) {
		name := c.repo.Home(c.absolute(word))
		if !c.repo.Readable(name) {
			return "", !filepath.IsAbs(word)
		}
		if c.has("d") {
			if _, err := os.Stat(name); err == nil {
				lines = append(lines, word)
			}
			continue
		}
		entries, err := os.ReadDir(name)
		if err != nil {
			return "", true
		}
		isShown := func(name string) bool { return !strings.HasPrefix(name, ".") }
		lines = append(lines, lists.Filter(lists.Map(entries, os.DirEntry.Name), isShown)...)
	}
	return joined(lines), true
}

func goList(c call) (string, bool) {
	format := "{{.ImportPath}}"
	var words []string
	for i, arg := range c.args {
		switch {
		case i > 0 && c.args[i-1] == "-f":
			format = arg
		case strings.HasPrefix(arg, "-f="):
			format = strings.Trim(arg[3:], `'"`)
		case !strings.HasPrefix(arg, "-"):
			words = append(words, arg)
		}
	}
	if len(words) == 0 && slices.Contains(c.args, "-m") {
		owner, err := module.Owner(c.dir)
		return render(format, owner), err == nil
	}
	if len(words) == 0 {
		words = []string{"."}
	}
	var b strings.Builder
	for _, word := range words {
		places := c.list(word)
		if len(places) == 0 {
			return "", false
		}
		for _, place := range places {
			if b.WriteString(render(format, place)); b.Len() > maxOutput {
				return "", false
			}
		}
	}
	return b.String(), !strings.Contains(b.String(), "{{")
}

// render fills in the formats that scripts use.
func render(format string, p module.Place) string {
	return strings.NewReplacer("{{.Dir}}", p.Dir, "{{.ImportPath}}", p.ImportPath, "{{.Path}}", p.ImportPath,
		"{{ .Dir }}", p.Dir, "{{ .ImportPath }}", p.ImportPath, "{{ .Path }}", p.ImportPath).Replace(format) + "\n"
}

// list returns the packages of one pattern of go list.
func (c call) list(pattern string) []module.Place {
	root, all := strings.CutSuffix(pattern, "/...")
	dir := c.repo.Source(c.dir, root)
	if root == "." || strings.HasPrefix(root, "./") || strings.HasPrefix(root, "../") || filepath.IsAbs(root) {
		dir = c.repo.Home(c.absolute(root))
	}
	dirs := []string{dir}
	if all {
		dirs = c.repo.Packages(dir)
	}
	return lists.Map(lists.Filter(dirs, func(dir string) bool { return dir != "" }), func(dir string) module.Place {
		return module.Place{Dir: dir, ImportPath: c.repo.ImportPath(dir)}
	})
}
