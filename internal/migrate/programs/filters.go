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

// find supports the tests that select directories and files by name, and the actions that print them.
func find(c call) (string, bool) {
	var roots []string
	args := c.args
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != "!" && args[0] != "(" {
		roots, args = append(roots, args[0]), args[1:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	f := finder{maxDepth: 1 << 10}
	if !f.parse(args) {
		return "", false
	}
	var lines []string
	for _, root := range roots {
		base := c.tree.Home(c.absolute(root))
		if !c.tree.Readable(base) {
			return "", false
		}
		_ = filepath.WalkDir(base, func(name string, d os.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			rel, err := filepath.Rel(base, name)
			if err != nil {
				return err
			}
			depth := 0
			if rel != "." {
				depth = strings.Count(filepath.ToSlash(rel), "/") + 1
			}
			if d.IsDir() && (d.Name() == ".git" || depth > f.maxDepth) {
				return filepath.SkipDir
			}
			if depth >= f.minDepth && depth <= f.maxDepth && f.matches(d) {
				lines = append(lines, f.print(filepath.ToSlash(root), filepath.ToSlash(rel)))
			}
			return nil
		})
	}
	return joined(lines), true
}

// printing matches what -exec runs to print a part of the name.
var printing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\W*(?:.* )?(dirname|basename)['" ]+\{\}['" ;+]*$`) })

// finder is a find expression.
type finder struct {
	minDepth, maxDepth int
	kind               string
	names              []string
	change             func(string) string
}

// parse parses a find expression. It returns false if the expression is not supported.
func (f *finder) parse(args []string) bool {
	f.change = func(name string) string { return name }
	for i := 0; i < len(args); i++ {
		next := func() string {
			if i++; i < len(args) {
				return args[i]
			}
			return ""
		}
		switch args[i] {
		case "-maxdepth":
			f.maxDepth, _ = strconv.Atoi(next())
		case "-mindepth":
			f.minDepth, _ = strconv.Atoi(next())
		case "-type":
			f.kind = next()
		case "-name":
			f.names = append(f.names, next())
		case "-printf":
			switch strings.TrimSuffix(next(), `\n`) {
			case "%f":
				f.change = filepath.Base
			case "%h":
				f.change = filepath.Dir
			case "%p":
			default:
				return false
			}
		case "-print", "-print0", "-a", "-o", "(", ")":
		case "-exec":
			m := printing().FindStringSubmatch(strings.Join(args[i+1:], " "))
			if m == nil {
				return false
			}
			if f.change = filepath.Dir; m[1] == "basename" {
				f.change = filepath.Base
			}
			return true
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

// print formats a file as find does, below the given root.
func (f *finder) print(root, rel string) string {
	if rel != "." {
		root = strings.TrimSuffix(root, "/") + "/" + rel
	}
	return f.change(root)
}

func sorted(c call) (string, bool) {
	lines, ok := c.lines(c.words)
	slices.Sort(lines)
	if c.has("u") {
		lines = slices.Compact(lines)
	}
	if c.has("r") {
		slices.Reverse(lines)
	}
	return joined(lines), ok
}

func uniq(c call) (string, bool) {
	lines, ok := c.lines(c.words)
	return joined(slices.Compact(lines)), ok
}

// count returns the number of lines that head and tail print.
func (c call) count() (int, bool) {
	n, err := strconv.Atoi(cmp.Or(c.flags["n"], "10"))
	return n, err == nil && n >= 0
}

func head(c call) (string, bool) {
	lines, ok := c.lines(c.words)
	n, known := c.count()
	if !ok || !known {
		return "", false
	}
	return joined(lines[:min(n, len(lines))]), true
}

func tail(c call) (string, bool) {
	lines, ok := c.lines(c.words)
	n, known := c.count()
	if !ok || !known {
		return "", false
	}
	return joined(lines[max(0, len(lines)-n):]), true
}

// tr replaces or deletes single characters, and changes case.
func tr(c call) (string, bool) {
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\n").Replace
	sets := make([]string, 2)
	for i, word := range c.words[:min(2, len(c.words))] {
		sets[i] = unescape(word)
	}
	switch strings.Join(c.words, " ") {
	case "[:lower:] [:upper:]", "a-z A-Z":
		return strings.ToUpper(c.stdin()), true
	case "[:upper:] [:lower:]", "A-Z a-z":
		return strings.ToLower(c.stdin()), true
	}
	isOne := len([]rune(sets[0])) == 1 && len([]rune(sets[1])) == 1
	return strings.ReplaceAll(c.stdin(), sets[0], sets[1]), isOne && !c.has("d") || c.has("d") && len(sets[0]) == 1
}

// cut prints one field of each line.
func cut(c call) (string, bool) {
	separator := cmp.Or(c.flags["d"], "\t")
	return fields(c, c.flags["f"], func(line string) []string { return strings.Split(line, separator) })
}

// fields prints one field of each line, counted from 1.
func fields(c call, number string, split func(string) []string) (string, bool) {
	lines, ok := c.lines(nil)
	field, err := strconv.Atoi(number)
	if err != nil || field < 1 {
		return "", false
	}
	for i, line := range lines {
		if parts := split(line); field <= len(parts) {
			lines[i] = parts[field-1]
		}
	}
	return joined(lines), ok
}

// awk prints one field of each line.
func awk(c call) (string, bool) {
	split := strings.Fields
	if separator := c.flags["F"]; separator != "" {
		split = func(line string) []string { return strings.Split(line, separator) }
	}
	action, ok := strings.CutPrefix(strings.Trim(strings.Join(c.words, " "), " \t{};"), "print ")
	number, isField := strings.CutPrefix(strings.TrimSpace(action), "$")
	if !ok || !isField || len(c.words) != 1 {
		return "", false
	}
	return fields(c, number, split)
}

// grep prints the lines that match or, with -v, the others.
func grep(c call) (string, bool) {
	if len(c.words) == 0 {
		return "", false
	}
	pattern := c.words[0]
	if c.has("F") {
		pattern = regexp.QuoteMeta(pattern)
	} else if !c.has("E") {
		pattern = strings.NewReplacer(`\|`, "|", `\+`, "+", `\(`, "(", `\)`, ")").Replace(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	lines, ok := c.lines(c.words[1:])
	return joined(slices.DeleteFunc(lines, func(line string) bool { return re.MatchString(line) == c.has("v") })), ok
}

// sed supports a single substitution.
func sed(c call) (string, bool) {
	if len(c.words) != 1 || len(c.words[0]) < 4 || c.words[0][0] != 's' {
		return "", false
	}
	script := c.words[0]
	separator := script[1:2]
	parts := strings.Split(strings.ReplaceAll(script[2:], `\`+separator, "\x00"), separator)
	if len(parts) != 3 || parts[2] != "" && parts[2] != "g" {
		return "", false
	}
	pattern, with := strings.ReplaceAll(parts[0], "\x00", separator), strings.ReplaceAll(parts[1], "\x00", separator)
	if !c.has("E") && !c.has("r") {
		pattern = strings.NewReplacer(`\(`, "(", `\)`, ")", `\+`, "+", `\|`, "|", "(", `\(`, ")", `\)`).Replace(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	with = regexp.MustCompile(`\\(\d)`).ReplaceAllString(strings.ReplaceAll(with, "$", "$$"), "$${$1}")
	lines, ok := c.lines(nil)
	size := 0
	for i, line := range lines {
		if size += len(line) * len(with); size > maxOutput {
			return "", false
		}
		if parts[2] == "g" {
			lines[i] = re.ReplaceAllString(line, with)
		} else if at := re.FindStringSubmatchIndex(line); at != nil {
			lines[i] = line[:at[0]] + string(re.ExpandString(nil, with, line, at)) + line[at[1]:]
		}
	}
	return joined(lines), ok
}

// paste joins lines.
func paste(c call) (string, bool) {
	lines, ok := c.lines(slices.DeleteFunc(c.words, func(word string) bool { return word == "-" }))
	separator := cmp.Or(c.flags["d"], "\t")
	return strings.Join(lines, separator) + "\n", ok && c.has("s") && len(lines)*len(separator) <= maxOutput
}
