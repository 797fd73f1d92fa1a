package marker

import (
	"go/token"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
)

// Value is the type of a marker's values: their form and their parser. The zero value is for markers without values.
type Value struct {
	form  form
	parse func(m Marker) any
}

// form says whether a marker has a value.
type form int

const (
	// absent allows no value: the presence of the marker is its meaning.
	absent form = iota
	// required needs an equals sign and a value, which may be empty.
	required
	// optional allows a value after an equals sign.
	optional
	// trueOrFalse allows true, false, or no value, which means true.
	trueOrFalse
)

// parsed is the value of a marker, and the problems of its text.
type parsed[T any] struct {
	value    T
	problems diag.List
}

// valueOf returns the type of values that a function parses to a T.
func valueOf[T any](form form, parse func(m Marker, problems *diag.List) T) Value {
	return Value{form, func(m Marker) any {
		p := &parsed[T]{}
		p.value = parse(m, &p.problems)
		return p
	}}
}

// As returns the value of a marker whose declaration parses values to a T, and reports the problems of its text. It returns false if there
// are errors, with the part of the value that could be read, and for the zero Marker.
func As[T any](m Marker, diags *diag.List) (value T, ok bool) {
	if m.parsed == nil {
		return value, false
	}
	p := m.parsed.(*parsed[T])
	*diags = append(*diags, p.problems...)
	return p.value, !p.problems.Failed()
}

// Enabled returns the value of a marker with true or false, in which nothing and invalid text, which Check reports, count as true.
func Enabled(m Marker) bool {
	enabled, _ := As[bool](m, new(diag.List))
	return enabled
}

// Disables reports whether the value of a marker, of any type, is false.
func (m Marker) Disables() bool { return m.Value == "false" }

// Written is a part of a marker.
type Written struct {
	Text string
	Pos  token.Position
}

// The types of values.
var (
	anyText        = valueOf(required, func(m Marker, _ *diag.List) string { return m.Value })
	optionalText   = valueOf(optional, func(m Marker, _ *diag.List) string { return m.Value })
	boolean        = valueOf(trueOrFalse, parseBool)
	requiredBool   = valueOf(required, parseBool)
	unlessFalse    = valueOf(optional, func(m Marker, _ *diag.List) bool { return !m.Disables() })
	verbs          = valueOf(required, parseVerbs)
	clientMethod   = valueOf(required, parseMethod)
	kindInAPI      = valueOf(required, parseKind)
	goName         = valueOf(required, parseGoName)
	copies         = valueOf(required, parseCopies)
	permission     = valueOf(required, parsePermission)
	request        = valueOf(optional, parseController)
	reference      = valueOf(required, parseReference)
	lookup         = valueOf(required, parseIndex)
	copiedTypes    = valueOf(required, parseCopiedTypes)
	interfaceNames = valueOf(required, parseInterfaces)
)

// parseBool reads true or false. Without a value it is true.
func parseBool(m Marker, problems *diag.List) bool {
	if m.Value != "true" && m.Value != "false" && m.Assigned {
		problems.Add(m.ValuePos(0), "marker +%s must be true or false, got %q", m.Name, m.Value)
	}
	return !m.Disables()
}

// parseKind reads the kind of a type in the API.
func parseKind(m Marker, problems *diag.List) string {
	if len(content.IsDNS1123Label(strings.ToLower(m.Value))) > 0 {
		problems.AddHint(m.ValuePos(0), "use a name such as parcel", "invalid kind %q", m.Value)
	}
	return m.Value
}

// parseGoName reads a part of exported identifiers.
func parseGoName(m Marker, problems *diag.List) string {
	name := goname.UpperFirst(m.Value)
	if !isExported(name) {
		problems.AddHint(m.ValuePos(0), "use a name that is valid in Go identifiers, such as FleetV1", "+%s=%s is not a Go name", m.Name, m.Value)
	}
	return name
}

func isExported(name string) bool { return token.IsIdentifier(name) && token.IsExported(name) }

// Copies is the value of the marker for listers.
const Copies = "copies"

func parseCopies(m Marker, problems *diag.List) string {
	if m.Value != Copies {
		problems.AddHint(m.ValuePos(0), "did you mean "+Copies+"?", "unknown value %q of +%s", m.Value, m.Name)
	}
	return m.Value
}

// parsePermission reads a permission for the reconciler of a kind.
func parsePermission(m Marker, problems *diag.List) model.Permission {
	p, err := ParsePermission(m.Value)
	if err != nil {
		problems.AddHint(m.ValuePos(0), "as in +"+RBAC+"=groups=core,resources=secrets,verbs=get;list", "invalid +%s: %w", m.Name, err)
	}
	p.Pos = m.Pos
	return p
}

// CopiedTypes are the types with deep copies. Errors in other texts depend on the place of the marker.
type CopiedTypes string

// The types with deep copies: all of the package, or the type with the marker, or not.
const (
	CopiesPackage CopiedTypes = "package"
	CopiesType    CopiedTypes = "true"
	CopiesNothing CopiedTypes = "false"
)

// parseCopiedTypes leaves out the parameter "register", which no longer has an effect.
func parseCopiedTypes(m Marker, _ *diag.List) CopiedTypes {
	if value, rest, _ := strings.Cut(m.Value, ","); rest == "register" || strings.HasPrefix(rest, "register=") {
		return CopiedTypes(value)
	}
	return CopiedTypes(m.Value)
}

// parseInterfaces reads names of interfaces with import paths, each with the position of the space before it, if there is one.
func parseInterfaces(m Marker, _ *diag.List) (names []Written) {
	offset := 0
	for name := range strings.SplitSeq(m.Value, ",") {
		names = append(names, Written{strings.TrimSpace(name), m.ValuePos(offset)})
		offset += len(name) + len(",")
	}
	return names
}

// parseVerbs reads verbs of a client.
func parseVerbs(m Marker, problems *diag.List) (verbs model.Verbs) {
	for offset, word := range Words(m.Value) {
		verb := model.Verb(word)
		if verbs.Has(verb) {
			problems.Add(m.ValuePos(offset), "duplicate verb %q", word)
		}
		if model.AllVerbs.Has(verb) {
			verbs = append(verbs, verb)
			continue
		}
		hint := spelling.DidYouMean(word, model.AllVerbs.Strings(), "use one of "+strings.Join(model.AllVerbs.Strings(), ", "))
		problems.AddHint(m.ValuePos(offset), hint, "unknown verb %q", word)
	}
	return verbs
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

// methodVerbs are the verbs that +genclient:method accepts; inputVerbs are the verbs that send an object.
var (
	methodVerbs = model.Verbs{model.Create, model.Update, model.Get, model.List, model.Patch, model.Apply}
	inputVerbs  = model.Verbs{model.Create, model.Update, model.Apply}
)

// ClientMethod is the value of +genclient:method. Input and Result are unresolved: Type, or import/path.Type.
type ClientMethod struct {
	Name        string
	Verb        model.Verb
	Subresource string
	Input       Written
	Result      Written
	// Pos is the position of the marker.
	Pos token.Position
}

func parseMethod(m Marker, problems *diag.List) ClientMethod {
	method := ClientMethod{Pos: m.Pos}
	for offset, word := range Words(m.Value) {
		if offset == 0 && !strings.Contains(word, "=") {
			method.Name = word
			continue
		}
		key, value, assigned := strings.Cut(word, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		pos := m.ValuePos(offset)
		if !assigned || value == "" {
			problems.Add(pos, "parameter %q of +%s needs a value: %s=…", key, Method, key)
			continue
		}
		written := Written{value, m.ValuePos(offset + len(word) - len(value))}
		switch key {
		case "verb":
			method.Verb = model.Verb(value)
		case "subresource":
			method.Subresource = value
		case "input":
			method.Input = written
		case "result":
			method.Result = written
		default:
			hint := spelling.DidYouMean(key, []string{"verb", "subresource", "input", "result"}, "use one of verb, subresource, input, result")
			problems.AddHint(pos, hint, "unknown parameter %q of +%s", key, Method)
		}
	}
	if len(*problems) == 0 {
		method.check(problems)
	}
	return method
}

// check reports a method for which no client can be generated.
func (m ClientMethod) check(problems *diag.List) {
	example := "as in +" + Method + "=UpdateScale,verb=update,subresource=scale"
	switch {
	case !isExported(m.Name):
		problems.AddHint(m.Pos, example, "+%s needs the name of an exported Go method, got %q", Method, m.Name)
	case m.Verb == "":
		problems.AddHint(m.Pos, example, "method %s needs a verb", m.Name)
	case !methodVerbs.Has(m.Verb):
		problems.AddHint(m.Pos, "use one of "+strings.Join(methodVerbs.Strings(), ", "), "method %s cannot have the verb %q", m.Name, m.Verb)
	case m.Input.Text != "" && !inputVerbs.Has(m.Verb):
		problems.AddHint(m.Input.Pos, "remove input: only "+strings.Join(inputVerbs.Strings(), ", ")+" send an object",
			"method %s with the verb %s cannot have an input", m.Name, m.Verb)
	}
}

// IndexRequest is the value of +informergen:index, up to its first mistake.
type IndexRequest struct {
	// Of is the source of the values; "" if the mistake comes before it.
	Of model.IndexOf
	// Path is the source of values of fields. Source has the label or the function of others.
	Path   FieldPath
	Source Written
	// Name is the name of the lookup; "" if the marker sets none.
	Name string
}

// parseIndex reads the parameters of an index. All parameters except name are mutually exclusive.
func parseIndex(m Marker, problems *diag.List) (r IndexRequest) {
	known := []string{"field", "label", "owner", "func", "name"}
	const hint = "write field=spec.nodeName, label=app, owner or func=Keys"
	for offset, word := range Words(m.Value) {
		key, value, assigned := strings.Cut(word, "=")
		pos, written := m.ValuePos(offset), Written{value, m.ValuePos(offset + len(word) - len(value))}
		switch {
		case !slices.Contains(known, key):
			problems.AddHint(pos, spelling.DidYouMean(key, known, hint), "unknown parameter %q of +%s", key, m.Name)
		case assigned == (key == "owner") || assigned && value == "":
			problems.AddHint(pos, hint, "cannot parse %q of +%s", word, m.Name)
		case key == "name" && !isExported(value):
			problems.AddHint(written.Pos, "use an exported identifier, such as ByNode", "invalid lookup name %q", value)
		case key == "name":
			r.Name = value
		case r.Of != "":
			problems.AddHint(pos, "write a marker for each", "+%s has both %s and %s", m.Name, r.Of, key)
		default:
			r.Of, r.Source = model.IndexOf(key), written
			if r.Of == model.IndexOfField {
				r.Path = parsePath(written, written.Pos)
			}
			if invalid := content.IsLabelKey(value); r.Of == model.IndexOfLabel && len(invalid) > 0 {
				problems.Add(written.Pos, "invalid label %q: %s", value, invalid[0])
			}
		}
		if len(*problems) > 0 {
			return r
		}
	}
	if r.Of == "" {
		problems.AddHint(m.Pos, hint, "+%s needs a parameter field, label, owner or func", m.Name)
	}
	return r
}
