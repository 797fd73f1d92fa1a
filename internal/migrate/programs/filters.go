package programs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
			command, rest, ok := strings.Cut(strings.Join(args[i+1:], " "), "{}")
			if !ok {
				return false
			}
			switch fields := strings.Fields(strings.Trim(command, " '\"")); {
			case len(fields) > 0 && fields[len(fields)-1] == "dirname":
				f.change = filepath.Dir
			case len(fields) > 0 && fields[len(fields)-1] == "basename":
				f.change = filepath.Base
			default:
				return false
			}
			return strings.Trim(rest, " ;+'\"") == ""
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
	if slices.ContainsFunc(c.args, isShort('u')) {
		lines = slices.Compact(lines)
	}
	if slices.ContainsFunc(c.args, isShort('r')) {
		slices.Reverse(lines)
	}
	return joined(lines), ok
}

func uniq(c call) (string, bool) {
	lines, ok := c.lines(c.words)
	return joined(slices.Compact(lines)), ok && len(c.args) == len(c.words)
}

// count returns the number of lines that head and tail print.
func count(args []string) (int, bool) {
	n := 10
	for i, arg := range args {
		value := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "n")
		if value == "" && i+1 < len(args) {
			continue
		}
		var err error
		if n, err = strconv.Atoi(value); err != nil || n < 0 {
			return 0, false
		}
	}
	return n, true
}

func head(c call) (string, bool) {
	lines, _ := c.lines(nil)
	n, ok := count(c.args)
	return joined(lines[:min(n, len(lines))]), ok
}

func tail(c call) (string, bool) {
	lines, _ := c.lines(nil)
	n, ok := count(c.args)
	return joined(lines[max(0, len(lines)-n):]), ok
}

// tr replaces or deletes single characters, and changes case.
func tr(c call) (string, bool) {
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\n").Replace
	switch {
	case len(c.args) != 2:
		return "", false
	case c.args[0] == "-d":
		from := unescape(c.args[1])
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, c.stdin()), !strings.Contains(from, "[")
	case c.args[0] == "[:lower:]" && c.args[1] == "[:upper:]", c.args[0] == "a-z" && c.args[1] == "A-Z":
		return strings.ToUpper(c.stdin()), true
	case c.args[0] == "[:upper:]" && c.args[1] == "[:lower:]", c.args[0] == "A-Z" && c.args[1] == "a-z":
		return strings.ToLower(c.stdin()), true
	}
	from, to := unescape(c.args[0]), unescape(c.args[1])
	return strings.ReplaceAll(c.stdin(), from, to), len([]rune(from)) == 1 && len([]rune(to)) == 1
}

// cut prints one field of each line.
func cut(c call) (string, bool) {
	separator, field := "\t", 0
	for i := 0; i < len(c.args); i++ {
		flag, value := c.args[i][:min(2, len(c.args[i]))], c.args[i][min(2, len(c.args[i])):]
		if value == "" && i+1 < len(c.args) {
			i++
			value = c.args[i]
		}
		switch flag {
		case "-d":
			separator = value
		case "-f":
			field, _ = strconv.Atoi(value)
		default:
			return "", false
		}
	}
	return fields(c, field, func(line string) []string { return strings.Split(line, separator) })
}

// fields prints one field of each line, counted from 1.
func fields(c call, field int, split func(string) []string) (string, bool) {
	lines, ok := c.lines(nil)
	if field < 1 {
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
	split, args := strings.Fields, c.args
	if len(args) > 1 && strings.HasPrefix(args[0], "-F") {
		separator := args[0][2:]
		if args = args[1:]; separator == "" {
			separator, args = args[0], args[1:]
		}
		split = func(line string) []string { return strings.Split(line, separator) }
	}
	if len(args) != 1 {
		return "", false
	}
	action, ok := strings.CutPrefix(strings.Trim(args[0], " \t{};"), "print ")
	number, ok2 := strings.CutPrefix(strings.TrimSpace(action), "$")
	field, err := strconv.Atoi(number)
	if !ok || !ok2 || err != nil {
		return "", false
	}
	return fields(c, field, split)
}

// grep prints the lines that match or, with -v, the others.
func grep(c call) (string, bool) {
	known := func(arg string) bool {
		return !strings.HasPrefix(arg, "-") || strings.Trim(arg, "-vEFe") == ""
	}
	if len(c.words) == 0 || slices.ContainsFunc(c.args, func(arg string) bool { return !known(arg) }) {
		return "", false
	}
	pattern := c.words[0]
	if slices.ContainsFunc(c.args, isShort('F')) {
		pattern = regexp.QuoteMeta(pattern)
	} else if !slices.ContainsFunc(c.args, isShort('E')) {
		pattern = strings.NewReplacer(`\|`, "|", `\+`, "+", `\(`, "(", `\)`, ")").Replace(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	lines, ok := c.lines(c.words[1:])
	inverted := slices.ContainsFunc(c.args, isShort('v'))
	return joined(slices.DeleteFunc(lines, func(line string) bool { return re.MatchString(line) == inverted })), ok
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
	if !slices.Contains(c.args, "-E") && !slices.Contains(c.args, "-r") {
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
	separator, serial := "\t", false
	for i := 0; i < len(c.args); i++ {
		switch arg := c.args[i]; {
		case arg == "-":
		case strings.HasPrefix(arg, "-s"):
			serial = true
			if rest, ok := strings.CutPrefix(arg, "-sd"); ok && rest != "" {
				separator = rest
			} else if ok && i+1 < len(c.args) {
				i++
				separator = c.args[i]
			}
		case strings.HasPrefix(arg, "-d") && len(arg) > 2:
			separator = arg[2:]
		case arg == "-d" && i+1 < len(c.args):
			i++
			separator = c.args[i]
		default:
			return "", false
		}
	}
	lines, ok := c.lines(nil)
	return strings.Join(lines, separator) + "\n", ok && serial && len(lines)*len(separator) <= maxOutput
}
