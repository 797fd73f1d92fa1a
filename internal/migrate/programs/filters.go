package programs

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// printing matches what -exec runs to print a part of the name.
var printing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\W*(?:.* )?(dirname|basename)['" ]+\{\}['" ;+]*$`) })

// finder is a find expression.
type finder struct {
	minDepth, maxDepth int
	kind               string
	names              []string
	// shown returns the part of a name that is printed.
	shown func(string) string
}

// parts are the parts of a name that -printf and -exec print.
var parts = map[string]func(string) string{
	"%f": filepath.Base, "basename": filepath.Base, "%h": filepath.Dir, "dirname": filepath.Dir, "%p": filepath.ToSlash,
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
	f := finder{maxDepth: 1 << 10, shown: filepath.ToSlash}
	if !f.parse(args) {
		return "", false
	}
	var lines []string
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
			if depth >= f.minDepth && depth <= f.maxDepth && f.matches(d) {
				below := filepath.ToSlash(strings.TrimPrefix(name, base))
				lines = append(lines, f.shown(strings.TrimSuffix(root, strings.Repeat("/", min(1, len(below))))+below))
			}
			return nil
		})
	}
	return joined(lines), true
}

// parse parses a find expression. It returns false if the expression is not supported.
func (f *finder) parse(args []string) (ok bool) {
	for i := 0; i < len(args); i++ {
		test, value := args[i], ""
		if slices.Contains([]string{"-maxdepth", "-mindepth", "-type", "-name", "-printf"}, test) && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch test {
		case "-maxdepth":
			f.maxDepth, _ = strconv.Atoi(value)
		case "-mindepth":
			f.minDepth, _ = strconv.Atoi(value)
		case "-type":
			f.kind = value
		case "-name":
			f.names = append(f.names, value)
		case "-printf":
			if f.shown, ok = parts[strings.TrimSuffix(value, `\n`)]; !ok {
				return false
			}
		case "-exec":
			m := append(printing().FindStringSubmatch(strings.Join(args[i+1:], " ")), "", "")
			f.shown, ok = parts[m[1]]
			return ok
		case "-print", "-print0", "-a", "-o", "(", ")":
		default:
			return false
		}
	}
	return true
}

func (f *finder) matches(d os.DirEntry) bool {
	if f.kind == "d" && !d.IsDir() || f.kind == "f" && d.IsDir() {
		return false
	}
	return len(f.names) == 0 || slices.ContainsFunc(f.names, func(pattern string) bool {
		ok, err := filepath.Match(pattern, d.Name())
		return ok && err == nil
	})
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
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if text == "" {
			lines = nil
		}
		lines, ok = f(c, lines)
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

// expression compiles a regular expression. Basic ones escape what is special in extended ones.
func expression(pattern string, extended, ignoresCase bool) (*regexp.Regexp, bool) {
	if !extended {
		pattern = strings.NewReplacer(`\(`, "(", `\)`, ")", `\+`, "+", `\|`, "|", "(", `\(`, ")", `\)`).Replace(pattern)
	}
	if ignoresCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	return re, err == nil
}

// grep prints the lines that match or, with -v, the others.
func grep(c call, lines []string) ([]string, bool) {
	pattern := c.words[0]
	if c.has("F") {
		pattern = regexp.QuoteMeta(pattern)
	}
	re, ok := expression(pattern, c.has("E") || c.has("F"), c.has("i"))
	return slices.DeleteFunc(lines, func(line string) bool { return !ok || re.MatchString(line) == c.has("v") }), ok
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
