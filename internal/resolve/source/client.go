package source

import (
	"go/token"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// methodVerbs are the verbs that +genclient:method accepts; inputVerbs are those that send an object.
var (
	methodVerbs = model.Verbs{model.Create, model.Update, model.Get, model.List, model.Patch, model.Apply}
	inputVerbs  = model.Verbs{model.Create, model.Update, model.Apply}
)

// ClientMarkers are the interpreted genclient markers of one type.
type ClientMarkers struct {
	NonNamespaced, NoStatus, NoVerbs bool
	// Verbs are the allowed verbs, whether or not the type has a status.
	Verbs   model.Verbs
	Methods []MethodMarker
}

// MethodMarker is one +genclient:method marker. Input and Result are unresolved: Type, or import/path.Type.
type MethodMarker struct {
	Name, Verb, Subresource, Input, Result string
	// Pos, InputPos and ResultPos are the positions of the marker, its input and its result.
	Pos, InputPos, ResultPos token.Position
}

// ReadClientMarkers interprets the genclient markers of a type.
func ReadClientMarkers(markers marker.Set, diags *diag.List) ClientMarkers {
	out := ClientMarkers{
		NonNamespaced: markers.Has(marker.NonNamespaced),
		NoStatus:      markers.Has(marker.NoStatus),
		NoVerbs:       markers.Has(marker.NoVerbs),
		Verbs:         model.AllVerbs,
	}
	only, restricted := markers.Get(marker.OnlyVerbs)
	skip, reduced := markers.Get(marker.SkipVerbs)
	if restricted && reduced {
		diags.AddHint(skip.Pos, "keep one of them", "+%s and +%s are mutually exclusive", marker.SkipVerbs, marker.OnlyVerbs)
	}
	if readOnly := markers.Has(marker.ReadOnly); readOnly || restricted {
		var allowed model.Verbs
		if readOnly {
			allowed = model.ReadOnlyVerbs
		}
		allowed = append(allowed[:len(allowed):len(allowed)], readVerbs(only, diags)...)
		out.Verbs = model.AllVerbs.Without(model.AllVerbs.Without(allowed...)...)
	} else if reduced {
		out.Verbs = model.AllVerbs.Without(readVerbs(skip, diags)...)
	}
	for _, m := range markers.All(marker.Method) {
		if method, ok := readMethod(m, diags); ok {
			out.Methods = append(out.Methods, method)
		}
	}
	return out
}

func readVerbs(m marker.Marker, diags *diag.List) model.Verbs {
	if m.Name == "" {
		return nil
	}
	var verbs model.Verbs
	for offset, word := range marker.Words(m.Value) {
		verb := model.Verb(word)
		if verbs.Has(verb) {
			diags.Add(m.ValuePos(offset), "duplicate verb %q", word)
		}
		if model.AllVerbs.Has(verb) {
			verbs = append(verbs, verb)
			continue
		}
		hint := "use one of " + strings.Join(model.AllVerbs.Strings(), ", ")
		if nearest := marker.Nearest(word, model.AllVerbs.Strings()); nearest != "" {
			hint = "did you mean " + nearest + "?"
		}
		diags.AddHint(m.ValuePos(offset), hint, "unknown verb %q", word)
	}
	return verbs
}

func readMethod(m marker.Marker, diags *diag.List) (MethodMarker, bool) {
	method := MethodMarker{Pos: m.Pos}
	before := len(*diags)
	for offset, word := range marker.Words(m.Value) {
		if offset == 0 && !strings.Contains(word, "=") {
			method.Name = word
			continue
		}
		key, value, assigned := strings.Cut(word, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		pos := m.ValuePos(offset)
		if !assigned || value == "" {
			diags.Add(pos, "parameter %q of +%s needs a value: %s=…", key, marker.Method, key)
			continue
		}
		valuePos := m.ValuePos(offset + len(word) - len(value))
		switch key {
		case "verb":
			method.Verb = value
		case "subresource":
			method.Subresource = value
		case "input":
			method.Input, method.InputPos = value, valuePos
		case "result":
			method.Result, method.ResultPos = value, valuePos
		default:
			hint := "use one of verb, subresource, input, result"
			if nearest := marker.Nearest(key, []string{"verb", "subresource", "input", "result"}); nearest != "" {
				hint = "did you mean " + nearest + "?"
			}
			diags.AddHint(pos, hint, "unknown parameter %q of +%s", key, marker.Method)
		}
	}
	if len(*diags) == before {
		method.check(diags)
	}
	return method, len(*diags) == before
}

// check reports a method for which no client can be generated.
func (m MethodMarker) check(diags *diag.List) {
	example := "as in +genclient:method=UpdateScale,verb=update,subresource=scale"
	verb := model.Verb(m.Verb)
	switch {
	case !token.IsIdentifier(m.Name) || !token.IsExported(m.Name):
		diags.AddHint(m.Pos, example, "+%s needs the name of an exported Go method, got %q", marker.Method, m.Name)
	case m.Verb == "":
		diags.AddHint(m.Pos, example, "method %s needs a verb", m.Name)
	case !methodVerbs.Has(verb):
		diags.AddHint(m.Pos, "use one of "+strings.Join(methodVerbs.Strings(), ", "),
			"method %s cannot have the verb %q", m.Name, m.Verb)
	case m.Input != "" && !inputVerbs.Has(verb):
		diags.AddHint(m.InputPos, "remove input: only "+strings.Join(inputVerbs.Strings(), ", ")+" send an object",
			"method %s with the verb %s cannot have an input", m.Name, m.Verb)
	}
}
