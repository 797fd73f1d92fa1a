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

// MethodMarker is one +genclient:method marker. Input and Result are unresolved: Type, or import/path.Type.
type MethodMarker struct {
	Name, Verb, Subresource, Input, Result string
	// Pos, InputPos and ResultPos are the positions of the marker, its input and its result.
	Pos, InputPos, ResultPos token.Position
}

// ReadClient interprets the genclient markers of a type: the allowed verbs, whether or not the type has a status, and the custom methods.
func ReadClient(markers marker.Set, diags *diag.List) (verbs model.Verbs, methods []MethodMarker) {
	only, restricted := markers.Get(marker.OnlyVerbs)
	skip, reduced := markers.Get(marker.SkipVerbs)
	if restricted && reduced {
		diags.AddHint(skip.Pos, "keep one of them", "+%s and +%s are mutually exclusive", marker.SkipVerbs, marker.OnlyVerbs)
	}
	verbs = model.AllVerbs
	if readOnly := markers.Has(marker.ReadOnly); readOnly || restricted {
		allowed := readVerbs(only, diags)
		if readOnly {
			allowed = append(allowed, model.ReadOnlyVerbs...)
		}
		verbs = verbs.Without(verbs.Without(allowed...)...)
	} else if reduced {
		verbs = verbs.Without(readVerbs(skip, diags)...)
	}
	for _, m := range markers.All(marker.Method) {
		if method, ok := readMethod(m, diags); ok {
			methods = append(methods, method)
		}
	}
	return verbs, methods
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
		hint := marker.DidYouMean(word, model.AllVerbs.Strings(), "use one of "+strings.Join(model.AllVerbs.Strings(), ", "))
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
			hint := marker.DidYouMean(key, []string{"verb", "subresource", "input", "result"}, "use one of verb, subresource, input, result")
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
