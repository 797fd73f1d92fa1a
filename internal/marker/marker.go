// Package marker parses markers, the comment lines that begin with a plus sign and configure generators.
//
// One table lists all known markers. Misspelled markers are reported here with their position, and generators never see comments.
package marker

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
	"strings"

	"k8s.io/gengo/v2/codetags"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Marker is one marker line.
type Marker struct {
	// Name is the text between the plus sign and the equals sign; for controller-gen markers with arguments, the text before the arguments.
	Name string
	// Value is the text after the equals sign, without a trailing comment; for controller-gen markers with arguments, the
	// arguments. Assigned is false without a value.
	Value    string
	Assigned bool
	// Pos is the position of the plus sign.
	Pos token.Position

	// shift is the number of bytes between the expected start of the value, after the name and one sign, and its actual start.
	shift int
	// code is set for lines that are indented by a tab.
	code bool
}

// ValuePos returns the position of the n-th byte of the value.
func (m Marker) ValuePos(n int) token.Position {
	pos := m.Pos
	pos.Column += len("+") + len(m.Name) + len("=") + m.shift + n
	pos.Offset += pos.Column - m.Pos.Column
	return pos
}

// Set is the markers of one declaration or one package, in the order of their appearance.
type Set []Marker

// Get returns the first marker with this name.
func (s Set) Get(name string) (Marker, bool) {
	for _, m := range s {
		if m.Name == name {
			return m, true
		}
	}
	return Marker{}, false
}

// Has reports whether there is a marker with this name.
func (s Set) Has(name string) bool {
	_, ok := s.Get(name)
	return ok
}

// All returns all markers with this name.
func (s Set) All(name string) Set {
	return slices.DeleteFunc(slices.Clone(s), func(m Marker) bool { return m.Name != name })
}

// Scan returns all marker lines of the comment groups, whatever their names. The grammar is that of k8s.io/gengo/v2/codetags: a #
// after a space begins a trailing comment. Spaces before the plus sign are ignored. Lines that begin with a tab are code blocks of
// the comment, and only controller-gen reads its own markers there.
func Scan(fset *token.FileSet, groups ...*ast.CommentGroup) Set {
	return slices.DeleteFunc(lines(fset, groups), Marker.inCode)
}

// ScanCode returns the marker lines that only look like markers, because they are in code blocks.
func ScanCode(fset *token.FileSet, groups ...*ast.CommentGroup) Set {
	return slices.DeleteFunc(lines(fset, groups), func(m Marker) bool { return !m.inCode() })
}

func (m Marker) inCode() bool { return m.code && !strings.HasPrefix(m.Name, kubebuilderPrefix) }

func lines(fset *token.FileSet, groups []*ast.CommentGroup) Set {
	var set Set
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			if strings.Contains(comment.Text, "+") {
				set = appendMarkers(set, fset, comment)
			}
		}
	}
	return set
}

// appendMarkers adds the markers of a comment to a set.
func appendMarkers(set Set, fset *token.FileSet, comment *ast.Comment) Set {
	text := strings.TrimSuffix(comment.Text[len("//"):], "*/")
	pos := fset.Position(comment.Slash)
	pos.Column += len("//")
	for line := range strings.SplitSeq(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if m, ok := parse(strings.TrimRight(line[indent:], " \t\r")); ok {
			m.Pos = pos
			m.Pos.Column += indent
			m.code = strings.Contains(line[:indent], "\t")
			set = append(set, m)
		}
		pos.Line, pos.Column = pos.Line+1, 1
	}
	return set
}

// parse parses a line that may be a marker.
func parse(line string) (Marker, bool) {
	text, isMarker := strings.CutPrefix(line, "+")
	name, value, assigned := strings.Cut(text, "=")
	switch {
	case !isMarker:
		return Marker{}, false
	case isName(name) && !strings.Contains(value, "#"): // most markers, such as +optional or +listType=atomic, need no grammar
		return Marker{Name: name, Value: strings.TrimSpace(value), Assigned: assigned}, true
	}
	return extract(line)
}

// extract reads a line by the grammar.
func extract(line string) (Marker, bool) {
	for name, lines := range codetags.Extract("+", []string{line}) {
		if name == "" {
			return Marker{}, false
		}
		if strings.HasPrefix(name, kubebuilderPrefix) {
			return parseKubebuilder(lines[0]), true
		}
		m := Marker{Name: name, Assigned: true}
		tag, err := codetags.Parse(lines[0], codetags.RawValues(true))
		if err != nil {
			// The line has another grammar, so it belongs to another program, unless the name is one of ours; then the rest is the value.
			m.Value = strings.TrimPrefix(lines[0], name)
			return m, true
		}
		value, _, _ := strings.Cut(tag.Value, " #")
		m.Value, m.Assigned = strings.TrimSpace(value), tag.ValueType != codetags.ValueTypeNone
		return m, true
	}
	return Marker{}, false
}

// isName reports whether a text is a name of characters that mean nothing to any grammar.
func isName(text string) bool {
	for i := range len(text) {
		letter := 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z'
		if !letter && (i == 0 || (text[i] < '0' || text[i] > '9') && text[i] != ':' && text[i] != '-') {
			return false
		}
	}
	return text != "" && !strings.HasPrefix(text, kubebuilderPrefix)
}

// Check returns the known markers of the set that belong to level. It reports contradictory markers and misplaced values.
func Check(scanned Set, level Level, diags *diag.List) Set {
	var set Set
	for _, m := range scanned {
		definition, known := Lookup(m.Name)
		switch {
		case !known || !definition.Level.Allows(level):
		case !definition.checkValue(m, diags):
		case definition.Repeatable || !set.Has(m.Name):
			set = append(set, m)
		default:
			if first, _ := set.Get(m.Name); first.Value != m.Value {
				diags.Add(m.Pos, "marker +%s=%s contradicts +%s=%s at %s", m.Name, m.Value, m.Name, first.Value, diag.Line(first.Pos))
			}
		}
	}
	return set
}

// CheckSpelling reports unknown markers that cannot belong to another program. Unknown markers of other generators are warnings,
// because the output does not depend on them.
func CheckSpelling(scanned Set, diags *diag.List) {
	for _, m := range scanned {
		lower := strings.ToLower(m.Name)
		if _, known := Lookup(m.Name); known {
			continue
		}
		if strings.HasPrefix(m.Name, kubebuilderPrefix) {
			checkKubebuilder(m, diags)
		} else if strings.HasPrefix(lower, k8sPrefix) || strings.HasPrefix(lower, kubebuilderPrefix) {
			if suggestion := near(m.Name, otherFamilies()); suggestion != "" && suggestion != m.Name {
				diags.Warn(m.Pos, "did you mean +"+suggestion+"?", "unknown marker +%s", m.Name)
			}
		} else if suggestion, yes := misspelled(m.Name); yes {
			hint := "run informer-gen-lite tags for a list"
			if suggestion != "" {
				hint = "did you mean +" + suggestion + "?"
			}
			diags.AddHint(m.Pos, hint, "unknown marker +%s", m.Name)
		}
	}
}

// checkValue reports a value that does not fit the definition.
func (d Definition) checkValue(m Marker, diags *diag.List) bool {
	switch {
	case d.Value == NoValue && m.Assigned:
		diags.AddHint(m.Pos, "write +"+d.Name+" to enable it; remove the line to disable it",
			"marker +%s takes no value, got %q", d.Name, m.Value)
	case d.Value == AnyValue && !m.Assigned:
		diags.Add(m.Pos, "marker +%s needs a value: +%s=…", d.Name, d.Name)
	case d.Value == BoolValue && m.Value != "" && m.Value != "true" && m.Value != "false":
		diags.Add(m.ValuePos(0), "marker +%s must be true or false, got %q", d.Name, m.Value)
	default:
		return true
	}
	return false
}

// Words yields the comma-separated words of a value without the spaces around them, each with its offset.
func Words(value string) iter.Seq2[int, string] {
	return split(value, func(string) int { return 0 })
}

// Arguments yields the comma-separated arguments of a controller-gen marker. Commas within quotes and braces do not separate.
func Arguments(value string) iter.Seq2[int, string] {
	return split(value, func(rest string) int {
		closing, ok := map[byte]byte{'"': '"', '`': '`', '\'': '\'', '{': '}'}[rest[0]]
		for i := 1; ok && i < len(rest); i++ {
			switch {
			case rest[i] == closing:
				return i
			case rest[i] == '\\' && closing == '"':
				i++
			}
		}
		return 0
	})
}

// split yields the comma-separated parts of a value without surrounding spaces, each with its offset. skip returns the number of
// bytes at the start of the rest that cannot be separators.
func split(value string, skip func(rest string) int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		start := 0
		for end := 0; end <= len(value); end++ {
			if end < len(value) {
				if end += skip(value[end:]); value[end] != ',' {
					continue
				}
			}
			word := value[start:end]
			if indent := len(word) - len(strings.TrimLeft(word, " \t")); !yield(start+indent, strings.TrimSpace(word)) {
				return
			}
			start = end + len(",")
		}
	}
}
