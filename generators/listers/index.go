package listers

import (
	"fmt"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// indexView is the view of an index in templates.
type indexView struct {
	model.Index
	kind kindView
}

// Lookups returns the indexes of the kind.
func (v kindView) Lookups() []indexView {
	views := make([]indexView, 0, len(v.Indexes))
	for _, index := range v.Indexes {
		views = append(views, indexView{index, v})
	}
	return views
}

// KeysFunc returns the name of the generated key function.
func (v indexView) KeysFunc() string { return v.kind.Private() + v.Method + "Keys" }

// What describes the result of the lookup.
func (v indexView) What() string {
	switch v.Of {
	case model.IndexOfLabel:
		return "whose label " + v.Label + " has the given value"
	case model.IndexOfOwner:
		return "that have an owner reference with the given UID"
	case model.IndexOfFunc:
		return "for which " + v.Func + " returns the given value"
	case model.IndexOfField:
	}
	switch {
	case v.HasEntries():
		return "that have the given entry in " + v.Name
	case v.isList():
		return "that have the given value in " + v.Name
	}
	return "whose " + v.Name + " has the given value"
}

// Without says which objects are never returned, if any.
func (v indexView) Without() string {
	for _, step := range v.Path {
		if step.Into == model.IntoPointer {
			return "Objects with a nil pointer in that path are never returned."
		}
	}
	return ""
}

func (v indexView) isList() bool {
	for _, step := range v.Path {
		if step.Into == model.IntoSlice {
			return true
		}
	}
	return false
}

// Params returns the parameters of the lookup.
func (v indexView) Params() string {
	switch {
	case v.Of == model.IndexOfOwner:
		return "uid types.UID"
	case v.HasEntries():
		return "key, value string"
	case v.Local:
		return "value " + v.kind.Version.Alias() + "." + v.Value
	}
	return "value " + v.Value
}

// LookUp returns the call of package cached that finds some of the objects.
func (v indexView) LookUp(objects string) string {
	function := "LookUp"
	var args string
	switch {
	case v.Of == model.IndexOfOwner:
		args = "string(uid)"
	case v.HasEntries():
		function, args = "LookUpEntry", "key, value"
	case v.Value == "string":
		args = "value"
	case v.Basic == "int":
		function, args = "LookUpInt", "int64(value)"
	case v.Basic == "uint":
		function, args = "LookUpUint", "uint64(value)"
	default:
		args = v.text("value")
	}
	return fmt.Sprintf("%s[*%s](%s, %q, %s)", function, v.kind.Type(), objects, "namespace/"+v.Name, args)
}

// text returns the expression that converts a value to a key.
func (v indexView) text(value string) string {
	switch v.Basic {
	case "bool":
		return "strconv.FormatBool(bool(" + value + "))"
	case "int":
		return "strconv.FormatInt(int64(" + value + "), 10)"
	case "uint":
		return "strconv.FormatUint(uint64(" + value + "), 10)"
	}
	return "string(" + value + ")"
}

// Keys returns the body of the key function, formatted.
func (v indexView) Keys() string {
	var b strings.Builder
	depth := 1
	for line := range strings.SplitSeq(v.keys(), "\n") {
		if line == "}" {
			depth--
		}
		b.WriteString(strings.Repeat("\t", depth) + line + "\n")
		if strings.HasSuffix(line, "{") {
			depth++
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// keys returns the statements of the key function, not indented.
func (v indexView) keys() string {
	switch v.Of {
	case model.IndexOfLabel:
		return fmt.Sprintf("if value, ok := object.Labels[%q]; ok {\nkeys = append(keys, value)\n}\nreturn keys", v.Label)
	case model.IndexOfOwner:
		return "for _, owner := range object.OwnerReferences {\nkeys = append(keys, string(owner.UID))\n}\nreturn keys"
	case model.IndexOfFunc:
		return "return " + v.kind.Version.Alias() + "." + v.Func + "(object)"
	case model.IndexOfField:
	}
	return v.walk()
}

// walk returns the statements that follow the path and append the values to keys.
func (v indexView) walk() string {
	var code strings.Builder
	value, leave, loops := "object", "return nil", 0
	pointed := false // value is a non-nil pointer; a selector dereferences it implicitly
	for _, step := range v.Path {
		if step.Field != "" {
			value, pointed = value+"."+step.Field, false
			continue
		}
		if pointed {
			value, pointed = "*"+value, false
		}
		switch step.Into {
		case model.IntoPointer:
			fmt.Fprintf(&code, "if %s == nil {\n%s\n}\n", value, leave)
			pointed = true
		case model.IntoSlice:
			loops++
			element := fmt.Sprintf("element%d", loops)
			fmt.Fprintf(&code, "for _, %s := range %s {\n", element, value)
			value, leave = element, "continue"
		case model.IntoMap:
			loops++
			fmt.Fprintf(&code, "for key, value := range %s {\n", value)
		}
	}
	if pointed {
		value = "*" + value
	}
	key := v.text(value)
	if v.HasEntries() {
		key = "cached.EntryKey(string(key), string(value))"
	}
	fmt.Fprintf(&code, "keys = append(keys, %s)\n", key)
	return code.String() + strings.Repeat("}\n", loops) + "return keys"
}
