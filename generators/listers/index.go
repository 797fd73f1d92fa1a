package listers

import (
	"fmt"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
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
	case v.Path.Repeats():
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

// Var returns the name of the variable with the index: the kind and the name of the lookup, such as RobotByRegion or RobotByOwner.
func (v indexView) Var() string { return v.kind.Name + v.Method }

// Result returns the result type of the function that returns the values.
func (v indexView) Result() string {
	switch {
	case v.Of == model.IndexOfOwner:
		return "(uids []types.UID)"
	case v.Of == model.IndexOfField && !v.Path.Repeats():
		return "[]" + v.value()
	case v.HasEntries():
		return "(entries []lister.Entry)"
	}
	return "(values []" + v.value() + ")"
}

// value returns the type of the values.
func (v indexView) value() string {
	if v.Local {
		return v.kind.Version.Alias() + "." + v.Value
	}
	return v.Value
}

// Values returns the body of the function that returns the values.
func (v indexView) Values() string { return model.Indented(v.statements()) }

// statements returns the statements of the function, not indented.
func (v indexView) statements() string {
	switch v.Of {
	case model.IndexOfLabel:
		return fmt.Sprintf("if value, ok := object.Labels[%q]; ok {\nvalues = append(values, value)\n}\nreturn values", v.Label)
	case model.IndexOfOwner:
		return "for _, owner := range object.OwnerReferences {\nuids = append(uids, owner.UID)\n}\nreturn uids"
	case model.IndexOfFunc:
		return "return " + v.kind.Version.Alias() + "." + v.Func + "(object)"
	case model.IndexOfField:
	}
	return v.walk()
}

// walk returns the statements that follow the path and collect the values.
func (v indexView) walk() string {
	const leave = "return nil"
	switch {
	case v.HasEntries():
		return v.Path.Statements("object", leave, func(string) string {
			return "entries = append(entries, lister.Entry{Key: string(key), Value: string(value)})"
		}) + "\nreturn entries"
	case !v.Path.Repeats():
		return v.Path.Statements("object", leave, func(value string) string { return "return []" + v.value() + "{" + value + "}" })
	}
	return v.Path.Statements("object", leave, func(value string) string {
		return "values = append(values, " + value + ")"
	}) + "\nreturn values"
}
