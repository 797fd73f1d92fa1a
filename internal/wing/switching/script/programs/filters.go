package programs

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// printing matches what -exec runs to print a part of the name.
var printing = lazy.Regexp(`^\W*(?:.* )?(dirname|basename)['" ]+\{\}['" ;+]*$`)

// finder evaluates a find expression for one file after the other.
type finder struct {
	// args are the arguments that are not parsed yet.
	args               []string
	minDepth, maxDepth int
	// acts is true if the expression says what to print. Otherwise the names of matching files are printed.
	acts, pruned, unknown bool
	lines                 []string
}

// primary is a part of a find expression, for a file with the name that find prints.
type primary func(name string, d os.DirEntry) bool

// parts are the parts of a name that -printf and -exec print.
var parts = map[string]func(string) string{
	"%f": filepath.Base, "basename": filepath.Base, "%h": dirname, "dirname": dirname, "%p": filepath.ToSlash,
}

// find supports the tests that select directories and files by name, and the actions that print them.
func find(c call) (string, bool) {
	roots, args := c.args, []string(nil)
	if i := slices.IndexFunc(c.args, func(arg string) bool {
		return strings.HasPrefix(arg, "-") || arg == "!" || arg == "("
	}); i >= 0 {
		roots, args = c.args[:i], c.args[i:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	f := &finder{args: args, maxDepth: 1 << 10}
	matches := f.or()
	if f.unknown || len(f.args) > 0 {
		return "", false
	}
	for _, root := range roots {
		base := c.repo.Home(c.absolute(root))
		if !c.repo.Readable(base) {
			return "", false
		}
		_ = filepath.WalkDir(base, func(name string, d os.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			depth := strings.Count(strings.TrimPrefix(name, base), string(filepath.Separator))
			if d.IsDir() && (d.Name() == ".git" || depth > f.maxDepth) {
				return filepath.SkipDir
			}
			f.pruned = false
			below := filepath.ToSlash(strings.TrimPrefix(name, base))
			shown := strings.TrimSuffix(root, strings.Repeat("/", min(1, len(below)))) + below
			if depth >= f.minDepth && depth <= f.maxDepth && matches(shown, d) && !f.acts {
				f.lines = append(f.lines, shown)
			}
			if f.pruned && d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		})
	}
	return joined(f.lines), true
}

// next skips an argument if it is one of these.
func (f *finder) next(args ...string) bool {
	ok := len(f.args) > 0 && slices.Contains(args, f.args[0])
	if ok {
		f.args = f.args[1:]
	}
	return ok
}

func (f *finder) or() primary {
	a := f.and()
	if !f.next("-o", "-or") {
		return a
	}
	b := f.or()
	return func(name string, d os.DirEntry) bool { return a(name, d) || b(name, d) }
}

func (f *finder) and() primary {
	a := f.not()
	if f.next("-a", "-and"); len(f.args) == 0 || slices.Contains([]string{"-o", "-or", ")"}, f.args[0]) {
		return a
	}
	b := f.and()
	return func(name string, d os.DirEntry) bool { return a(name, d) && b(name, d) }
}

func (f *finder) not() primary {
	switch {
	case f.next("!", "-not"):
		a := f.not()
		return func(name string, d os.DirEntry) bool { return !a(name, d) }
	case f.next("("):
		a := f.or()
		f.unknown = f.unknown || !f.next(")")
		return a
	}
	return f.primary()
}

// primary parses a test or an action.
func (f *finder) primary() primary {
	always := func(string, os.DirEntry) bool { return true }
	if len(f.args) == 0 {
		return always
	}
	test, value := f.args[0], ""
	f.args = f.args[1:]
	if slices.Contains([]string{"-maxdepth", "-mindepth", "-type", "-name", "-path", "-wholename", "-printf"}, test) && len(f.args) > 0 {
		value, f.args = f.args[0], f.args[1:]
	}
	prints := func(part func(string) string) primary {
		f.acts, f.unknown = true, f.unknown || part == nil
		return func(name string, _ os.DirEntry) bool {
			f.lines = append(f.lines, part(name))
			return true
		}
	}
	switch test {
	case "-maxdepth":
		f.maxDepth, _ = strconv.Atoi(value)
	case "-mindepth":
		f.minDepth, _ = strconv.Atoi(value)
	case "-type":
		return func(_ string, d os.DirEntry) bool {
			return value == "d" && d.IsDir() || value == "f" && d.Type().IsRegular()
		}
	case "-name":
		re := glob(value)
		return func(_ string, d os.DirEntry) bool { return re.MatchString(d.Name()) }
	case "-path", "-wholename":
		re := glob(value)
		return func(name string, _ os.DirEntry) bool { return re.MatchString(name) }
	case "-prune":
		return func(string, os.DirEntry) bool { f.pruned = true; return true }
	case "-printf":
		return prints(parts[strings.TrimSuffix(strings.TrimSuffix(value, `\n`), `\0`)])
	case "-exec":
		m := append(printing().FindStringSubmatch(strings.Join(f.args, " ")), "", "")
		f.args = nil
		return prints(parts[m[1]])
	case "-print", "-print0":
		return prints(filepath.ToSlash)
	default:
		f.unknown = true
	}
	return always
}

// glob compiles a pattern of find and grep, in which * matches slashes, too.
func glob(pattern string) *regexp.Regexp {
	wild := strings.NewReplacer(`\*`, ".*", `\?`, ".", `\[`, "[", `\]`, "]", `\-`, "-", `\^`, "^")
	re, err := regexp.Compile(`^(?s:` + strings.ReplaceAll(wild.Replace(regexp.QuoteMeta(pattern)), "[!", "[^") + `)$`)
	if err != nil {
		return glob(strings.ReplaceAll(pattern, "[", "?"))
	}
	return re
}

// filter is a program that changes the lines of the named files or, without any, of the standard input. The names come after some operands.
func filter(operands int, f func(c call, lines []string) ([]string, bool)) func(c call) (string, bool) {
	return func(c call) (string, bool) {
		if len(c.words) < operands {
			return "", false
		}
		files := c
		files.words = slices.DeleteFunc(slices.Clone(c.words[operands:]), func(name string) bool { return name == "-" })
		text, ok := cat(files)
		if !ok {
			return "", false
		}
		lines, ok := f(c, splitLines(text))
		return joined(lines), ok
	}
}

func sorted(c call, lines []string) ([]string, bool) {
	slices.Sort(lines)
	if c.has("u") {
		lines = slices.Compact(lines)
	}
	if c.has("r") {
		slices.Reverse(lines)
	}
	return lines, true
}

func uniq(_ call, lines []string) ([]string, bool) { return slices.Compact(lines), true }

func head(c call, lines []string) ([]string, bool) {
	n, err := strconv.Atoi(cmp.Or(c.flags["n"], "10"))
	return lines[:max(0, min(n, len(lines)))], err == nil && n >= 0
}

func tail(c call, lines []string) ([]string, bool) {
	n, err := strconv.Atoi(cmp.Or(c.flags["n"], "10"))
	return lines[min(max(0, len(lines)-n), len(lines)):], err == nil && n >= 0
}

// tr replaces or deletes single characters, and changes case.
func tr(c call) (string, bool) {
	switch strings.Join(c.words, " ") {
	case "[:lower:] [:upper:]", "a-z A-Z", "[a-z] [A-Z]":
		return strings.ToUpper(c.stdin()), true
	case "[:upper:] [:lower:]", "A-Z a-z", "[A-Z] [a-z]":
		return strings.ToLower(c.stdin()), true
	}
	sets := append(slices.Clone(c.words), "", "")
	for i, word := range sets {
		sets[i] = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\n").Replace(word)
	}
	isKnown := len([]rune(sets[0])) == 1 && len([]rune(sets[1])) == 1 && !c.has("d") || len(sets[0]) == 1 && c.has("d")
	return strings.ReplaceAll(c.stdin(), sets[0], sets[1]), isKnown
}

// cut prints one field of each line.
func cut(c call, lines []string) ([]string, bool) {
	return fields(lines, c.flags["f"], cmp.Or(c.flags["d"], "\t"))
}

// fields returns one field of each line, counted from 1. Without a separator, fields are separated by white space.
func fields(lines []string, number, separator string) ([]string, bool) {
	field, err := strconv.Atoi(number)
	if err != nil || field < 1 {
		return nil, false
	}
	for i, line := range lines {
		parts := strings.Fields(line)
		if separator != "" {
			parts = strings.Split(line, separator)
		}
		if field <= len(parts) {
			lines[i] = parts[field-1]
		}
	}
	return lines, true
}

// awk prints one field of each line.
func awk(c call, lines []string) ([]string, bool) {
	action, ok := strings.CutPrefix(strings.Trim(c.words[0], " \t{};"), "print ")
	number, isField := strings.CutPrefix(strings.TrimSpace(action), "$")
	lines, known := fields(lines, number, c.flags["F"])
	return lines, known && ok && isField
}

// expression compiles a regular expression. Basic ones escape the special characters of extended ones.
func expression(pattern string, extended, ignoresCase bool) (*regexp.Regexp, bool) {
	if !extended {
		pattern = basic.Replace(pattern)
	}
	if ignoresCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	return re, err == nil
}

var basic = strings.NewReplacer(`\\`, `\\`, `\(`, "(", `\)`, ")", `\+`, "+", `\?`, "?", `\|`, "|", `\{`, "{", `\}`, "}",
	"(", `\(`, ")", `\)`, "+", `\+`, "?", `\?`, "|", `\|`, "{", `\{`, "}", `\}`)

// grep prints the lines that match or, with -v, the others; with -l, the names of the files that have one.
func grep(c call) (string, bool) {
	if len(c.words) == 0 {
		return "", false
	}
	pattern, files := c.words[0], c.words[1:]
	if c.has("F") {
		pattern = regexp.QuoteMeta(pattern)
	}
	if c.has("w") {
		pattern = `\b` + pattern + `\b`
	}
	re, ok := expression(pattern, c.has("E") || c.has("F"), c.has("i"))
	isNamed := len(files) > 1
	if ok && (c.has("r") || c.has("R")) {
		isNamed = true
		files, ok = c.below(files)
	} else if len(files) == 0 {
		files = []string{"-"}
	}
	var printed []string
	for _, name := range files {
		from := c
		from.words = slices.DeleteFunc([]string{name}, func(name string) bool { return name == "-" })
		text, isKnown := cat(from)
		if !isKnown || !ok {
			return "", false
		}
		lines := slices.DeleteFunc(splitLines(text), func(line string) bool { return re.MatchString(line) == c.has("v") })
		switch {
		case c.has("l"):
			lines = slices.Repeat([]string{name}, min(1, len(lines)))
		case isNamed && !c.has("h"):
			for i := range lines {
				lines[i] = name + ":" + lines[i]
			}
		}
		printed = append(printed, lines...)
	}
	return joined(printed), ok
}

// below returns the files that grep -r reads.
func (c call) below(roots []string) (files []string, ok bool) {
	args := slices.Concat(roots, []string{"-type", "f"})
	if c.has("I") {
		args = append(args, "-name", c.flags["I"])
	}
	if c.has("D") {
		args = append(args, "!", "-path", "*/"+c.flags["D"]+"/*")
	}
	text, ok := find(call{repo: c.repo, dir: c.dir, args: args})
	return splitLines(text), ok
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// sed supports a single substitution.
func sed(c call, lines []string) ([]string, bool) {
	script := c.words[0]
	if len(script) < 4 || script[0] != 's' {
		return nil, false
	}
	separator := script[1:2]
	parts := strings.Split(strings.ReplaceAll(script[2:], `\`+separator, "\x00"), separator)
	if len(parts) != 3 || parts[2] != "" && parts[2] != "g" {
		return nil, false
	}
	pattern, with := strings.ReplaceAll(parts[0], "\x00", separator), strings.ReplaceAll(parts[1], "\x00", separator)
	re, ok := expression(pattern, c.has("E") || c.has("r"), false)
	with = regexp.MustCompile(`\\(\d)`).ReplaceAllString(strings.ReplaceAll(with, "$", "$$"), "$${$1}")
	size := 0
	for i, line := range lines {
		if size += len(line) * len(with); !ok || size > maxOutput {
			return nil, false
		}
		if parts[2] == "g" {
			lines[i] = re.ReplaceAllString(line, with)
		} else if at := re.FindStringSubmatchIndex(line); at != nil {
			lines[i] = line[:at[0]] + string(re.ExpandString(nil, with, line, at)) + line[at[1]:]
		}
	}
	return lines, ok
}

// paste joins lines.
func paste(c call, lines []string) ([]string, bool) {
	separator := cmp.Or(c.flags["d"], "\t")
	return []string{strings.Join(lines, separator)}, c.has("s") && len(lines)*len(separator) <= maxOutput
}
