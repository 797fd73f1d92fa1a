package marker

import (
	"go/token"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/spelling"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// ControllerRequest is the value of +informergen:controller.
type ControllerRequest struct {
	// Finalizer, and the annotation Pause, may be "".
	Finalizer, Pause string
	Sharded          bool
	Owns             []KindName
}

// String describes the value for messages.
func (r ControllerRequest) String() string {
	parts := append([]string{"yes"}, lists.Map(r.Owns, func(owned KindName) string { return "owns " + owned.String() })...)
	for _, parameter := range [][2]string{{"finalizer ", r.Finalizer}, {"pause ", r.Pause}, {"", r.sharded()}} {
		if parameter[1] != "" {
			parts = append(parts, parameter[0]+parameter[1])
		}
	}
	return strings.Join(parts, ", ")
}

// AllObjects is the suffix of an owned kind if all objects of the kind are watched.
const AllObjects = ":all"

// BuiltinPackages is the beginning of the import paths of the packages with Kubernetes' kinds.
const BuiltinPackages = "k8s.io/api/"

// KindName is the name of a kind: Kind, group/version.Kind, or the import path of a package and the name of a type in it.
type KindName struct {
	Written
	// Qualifier is the text before the last dot, and Name what follows. Qualified is false without a dot.
	Qualifier, Name string
	Qualified       bool
	// Group and Version are the parts of a qualifier with one slash, not counting BuiltinPackages.
	Group, Version string
	// All is true if AllObjects follows, which is not part of the text.
	All bool
}

// String returns the name as it is written.
func (k KindName) String() string {
	if k.All {
		return k.Text + AllObjects
	}
	return k.Text
}

// parseKindName reads the name of a kind.
func parseKindName(written Written) KindName {
	k := KindName{Written: written, Name: written.Text}
	if dot := strings.LastIndex(k.Name, "."); dot >= 0 {
		k.Qualifier, k.Name, k.Qualified = k.Name[:dot], k.Name[dot+1:], true
		group, version, _ := strings.Cut(strings.TrimPrefix(k.Qualifier, BuiltinPackages), "/")
		if !strings.Contains(version, "/") {
			k.Group, k.Version = group, version
		}
	}
	return k
}

func parseController(m Marker, problems *diag.List) (r ControllerRequest) {
	if m.Value == "" {
		return r
	}
	given := parameters(m, []string{"owns", "finalizer", "pause", "sharded"}, "; separate kinds with semicolons", problems)
	if finalizer, ok := given["finalizer"]; ok {
		r.Finalizer = finalizer.Text
		if invalid := content.IsLabelKey(finalizer.Text); len(invalid) > 0 || !strings.Contains(finalizer.Text, "/") {
			problems.AddHint(finalizer.Pos, "use a domain, a slash and a name, such as fleet.example.com/cleanup",
				"invalid finalizer %q", finalizer.Text)
		}
	}
	r.Pause, r.Sharded = parsePause(given["pause"], problems), parseSharded(given["sharded"], problems)
	if owns, ok := given["owns"]; ok {
		at := owns.Pos
		for kind := range strings.SplitSeq(owns.Text, ";") {
			start := at
			start.Column += len(kind) - len(strings.TrimLeft(kind, " \t"))
			name, all := strings.CutSuffix(strings.TrimSpace(kind), AllObjects)
			owned := parseKindName(Written{name, start})
			owned.All = all
			r.Owns = append(r.Owns, owned)
			at.Column += len(kind) + len(";")
		}
	}
	return r
}

// ObjectReference is the value of +informergen:ref.
type ObjectReference struct {
	Kind KindName
	// Path leads to the name, and Namespace, which may be empty, to the namespace.
	Path, Namespace FieldPath
	// Name is the name of the reference in Go, and WatchMode says how the objects are watched; "" if the marker sets none.
	Name      Written
	WatchMode model.WatchMode
}

func parseReference(m Marker, problems *diag.List) ObjectReference {
	given := parameters(m, []string{"", "path", "namespace", "watch", "name"}, "", problems)
	r := ObjectReference{
		Kind: parseKindName(given[""]), Path: pathInLists(given["path"]), Namespace: pathInLists(given["namespace"]), Name: given["name"],
	}
	if r.Kind.Text == "" {
		problems.AddHint(m.ValuePos(0), "write +"+m.Name+"=group/version.Kind,path=…, such as core/v1.Secret", "+%s needs a kind", m.Name)
	}
	if r.Path.Text == "" {
		problems.AddHint(m.Pos, "write path=spec.secretName", "+%s needs a parameter path", m.Name)
	}
	if watch, ok := given["watch"]; ok {
		r.WatchMode = parseWatchMode(watch, problems)
	}
	if r.Name.Text != "" && !isExported(r.Name.Text) {
		problems.AddHint(r.Name.Pos, "use an exported identifier, such as TLSSecret", "invalid name %q of a reference", r.Name.Text)
	}
	return r
}

func parseWatchMode(watch Written, problems *diag.List) model.WatchMode {
	var names []string
	for _, mode := range model.WatchModes {
		if mode.Marker() == watch.Text {
			return mode
		}
		names = append(names, mode.Marker())
	}
	hint := spelling.DidYouMean(watch.Text, names, "use one of "+strings.Join(names, ", "))
	problems.AddHint(watch.Pos, hint, "unknown value %q of watch", watch.Text)
	return ""
}

// parameters reads the parameters of a marker. Invalid ones are reported, with a hint about their separators.
func parameters(m Marker, known []string, separators string, problems *diag.List) map[string]Written {
	given, seen := map[string]Written{}, map[string]bool{}
	for offset, word := range Words(m.Value) {
		key, value, assigned := strings.Cut(word, "=")
		key, value = strings.TrimSpace(key), strings.TrimLeft(value, " \t")
		pos, valuePos := m.ValuePos(offset), m.ValuePos(offset+len(word)-len(value))
		switch {
		case offset == 0 && !assigned && slices.Contains(known, ""):
			given[""] = Written{word, pos}
		case !slices.Contains(known, key) || key == "":
			names := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return name == "" })
			hint := spelling.DidYouMean(key, names, "use one of "+strings.Join(names, ", ")+separators)
			problems.AddHint(pos, hint, "unknown parameter %q of +%s", key, m.Name)
		case !assigned || value == "":
			problems.Add(pos, "parameter %q of +%s needs a value: %s=…", key, m.Name, key)
		case seen[key]:
			problems.Add(pos, "duplicate parameter %q of +%s", key, m.Name)
		default:
			given[key] = Written{value, valuePos}
		}
		seen[key] = true
	}
	return given
}

// FieldPath is a path of JSON names. The leading dot that it may have is part of the text alone.
type FieldPath struct {
	Written
	Elements []PathElement
}

// PathElement is the part of a path between two dots.
type PathElement struct {
	Written
	// Name is the name of a field, and Stars the number of [*] that follow it. Both are zero if the text has another form.
	Name  string
	Stars int
}

// pathInLists reads a path whose elements have positions without the leading dot.
func pathInLists(written Written) FieldPath {
	start := written.Pos
	start.Column += len(written.Text) - len(strings.TrimPrefix(written.Text, "."))
	return parsePath(written, start)
}

// parsePath reads a path whose first element is at start.
func parsePath(written Written, start token.Position) FieldPath {
	path := FieldPath{Written: written}
	for text := range strings.SplitSeq(strings.TrimPrefix(written.Text, "."), ".") {
		element := PathElement{Written: Written{text, start}}
		name, _, _ := strings.Cut(text, "[")
		if stars := strings.Count(text, "[*]"); text == name+strings.Repeat("[*]", stars) {
			element.Name, element.Stars = name, stars
		}
		path.Elements = append(path.Elements, element)
		start.Column += len(text) + len(".")
	}
	return path
}
