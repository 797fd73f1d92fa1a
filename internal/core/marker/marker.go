// Package marker parses markers, the comment lines that begin with a plus sign and configure generators.
//
// One table declares all known markers: where they belong, and the types that their values are parsed to. Misspelled markers are reported
// here with their position, and generators never see comments.
package marker

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"sync"

	"k8s.io/gengo/v2/codetags"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
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
	// parsed is a pointer to the value, see As; nil for markers without a declaration or without a value.
	parsed any
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

// Scan returns all marker lines of the comment groups, whatever their names. The grammar is from k8s.io/gengo/v2/codetags: a # after a
// space begins a trailing comment. Spaces before the plus sign are ignored. Lines that begin with a tab are code blocks of the comment,
// and only controller-gen reads its own markers there.
func Scan(fset *token.FileSet, groups ...*ast.CommentGroup) Set {
	markers, _ := ScanAll(fset, groups...)
	return markers
}

// ScanAll returns the marker lines as Scan does and, separately, the lines that only look like markers, because they are in code blocks.
func ScanAll(fset *token.FileSet, groups ...*ast.CommentGroup) (markers, inCode Set) {
	for _, m := range lines(fset, groups) {
		if m.code && !strings.HasPrefix(m.Name, kubebuilderPrefix) {
			inCode = append(inCode, m)
		} else {
			markers = append(markers, m)
		}
	}
	return markers, inCode
}

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
			if declared := declarations()[m.Name]; declared != nil && declared.Value.parse != nil {
				m.parsed = declared.Value.parse(m)
			}
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
		value := tag.Value
		if name != Default { // which is JSON
			value, _, _ = strings.Cut(value, " #")
		}
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
			hint := "run informer-gen-lite markers for a list"
			if suggestion != "" {
				hint = "did you mean +" + suggestion + "?"
			}
			diags.AddHint(m.Pos, hint, "unknown marker +%s", m.Name)
		}
	}
}

// k8sPrefix is the prefix of the markers that Kubernetes' generators read.
const k8sPrefix = "k8s:"

// k8sGenerators are markers of code-generator's other programs.
var k8sGenerators = []string{
	"k8s:conversion-gen", "k8s:conversion-gen-external-types", "k8s:conversion-gen:explicit-from", "k8s:conversion-fn",
	"k8s:defaulter-gen", "k8s:defaulter-gen-input", "k8s:openapi-gen", "k8s:openapi-model-package", "k8s:protobuf-gen",
	"k8s:protobuf-deps", "k8s:event-gen", "k8s:validation-gen", "k8s:validation-gen-input", "k8s:validation-gen-nolint",
	"k8s:validation-gen-scheme-registry", "k8s:validation-gen-test-fixture", "k8s:validation-gen-test-targets",
	"k8s:prerelease-lifecycle-gen", "k8s:prerelease-lifecycle-gen:introduced", "k8s:prerelease-lifecycle-gen:deprecated",
	"k8s:prerelease-lifecycle-gen:removed", "k8s:prerelease-lifecycle-gen:replacement",
}

// OtherProgram returns the program of Kubernetes that reads a marker and that this tool does not replace, such as openapi-gen; "" for
// other markers, and for markers that switch a program off.
func OtherProgram(m Marker) string {
	name, ok := strings.CutPrefix(m.Name, k8sPrefix)
	if !ok || m.Value == "false" {
		return ""
	}
	for prefix, program := range otherPrograms {
		if strings.HasPrefix(name, prefix) {
			return program
		}
	}
	return ""
}

// otherPrograms maps beginnings of markers without k8s: to programs.
var otherPrograms = map[string]string{
	"openapi-gen": "openapi-gen", "openapi-model-package": "openapi-gen", "protobuf-": "go-to-protobuf", "validation-gen": "validation-gen",
	"prerelease-lifecycle-gen": "prerelease-lifecycle-gen",
}

// k8sValidations are the markers of declarative validation (https://kep.k8s.io/5073).
var k8sValidations = []string{
	"alpha", "beta", "customUnique", "customValidation", "dependentForbidden", "dependentRequired", "eachKey", "eachVal", "enum",
	"enumExclude", "forbidden", "format", "ifDisabled", "ifEnabled", "ifMode", "immutable", "isSubresource", "item", "listMapKey",
	"listType", "maxBytes", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
	"modeDiscriminator", "monotonic", "neq", "opaqueType", "optional", "required", "subfield", "supportsSubresource",
	"unionDiscriminator", "unionMember", "unique", "update", "zeroOrOneOfMember",
}

// otherFamilies returns the markers with the prefix k8s: or kubebuilder:, including markers of other programs.
var otherFamilies = sync.OnceValue(func() []string {
	all := slices.DeleteFunc(names(), func(name string) bool {
		return !strings.HasPrefix(name, k8sPrefix) && !strings.HasPrefix(name, kubebuilderPrefix)
	})
	return slices.Concat(all, k8sGenerators, lists.Map(k8sValidations, func(name string) string { return k8sPrefix + name }))
})

// ownedPrefixes are the prefixes that belong to this program, so that unknown names with them are mistakes.
var ownedPrefixes = []string{GenClient, "informergen:"}

// misspelled reports whether an unknown name is a mistake rather than another program's marker: it has one of our prefixes, or
// differs from a known name by case or by a letter or two. The suggestion may be empty.
func misspelled(name string) (suggestion string, yes bool) {
	if name == "versionName" { // which controller-gen reads, and which resembles resourceName
		return "", false
	}
	lower := strings.ToLower(name)
	for _, prefix := range ownedPrefixes {
		if strings.HasPrefix(lower, prefix) {
			return spelling.Nearest(name, names()), true
		}
	}
	suggestion = near(name, names())
	return suggestion, suggestion != ""
}

// near returns the candidate that differs from a name by case, or by a letter or two; name itself if it is a candidate.
func near(name string, candidates []string) string {
	if slices.Contains(candidates, name) {
		return name
	}
	return spelling.Within(min(2, len(name)/5), name, candidates)
}

func names() []string { return lists.Map(Known, func(d Declaration) string { return d.Name }) }
