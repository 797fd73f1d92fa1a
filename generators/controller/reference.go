package controller

import (
	"fmt"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// referenceView is the view of a reference in the template.
type referenceView struct {
	model.Reference
	kind *model.Kind
}

// Referred returns the references of the kind.
func (v kindView) Referred() []referenceView {
	var views []referenceView
	for _, r := range v.References {
		views = append(views, referenceView{r, v.Kind})
	}
	return views
}

// NamesMethod returns the name of the method that returns the names that an object has in the field.
func (v referenceView) NamesMethod() string { return "namesIn" + v.Name }

// Names returns the body of that method.
func (v referenceView) Names() string {
	leave := "return nil"
	if v.Each.Repeats() {
		leave = "continue"
	}
	single := false
	statements := v.Each.Statements("object", "return nil", func(element string) string {
		checked, _ := v.Target.Path.Follow(element)
		conditions := v.conditions(element, checked)
		single = !v.Each.Repeats() && len(conditions) == 0
		return v.Target.Path.Statements(element, leave, func(name string) string {
			before, namespace := v.namespace(checked)
			result := "Name: " + text(v.Target, name) + "}"
			if namespace != "" {
				result = "Namespace: " + namespace + ", " + result
			}
			switch {
			case single:
				return before + "return []cache.ObjectName{{" + result + "}"
			case len(conditions) == 0:
				return before + "names = append(names, cache.ObjectName{" + result + ")"
			}
			return "if " + strings.Join(conditions, " && ") + " {\n" + before + "names = append(names, cache.ObjectName{" + result + ")\n}"
		})
	})
	if !single {
		statements += "\nreturn names"
	}
	return model.Indented(statements)
}

// conditions returns expressions that are true for references to an object of the kind, whose place is known. Pointers in checked are
// not nil.
func (v referenceView) conditions(element string, checked []string) (conditions []string) {
	if v.Kind != nil {
		pointers, kind := v.Kind.Path.Follow(element)
		var alternatives []string
		for _, pointer := range without(pointers, checked) {
			alternatives = append(alternatives, pointer+" == nil")
		}
		alternatives = append(alternatives, kind+` == ""`, fmt.Sprintf("%s == %q", kind, v.To.Name))
		conditions = append(conditions, strings.Join(alternatives, " || "))
	}
	if v.Namespace != nil && !v.kind.Namespaced {
		if v.Kind != nil {
			conditions[0] = "(" + conditions[0] + ")"
		}
		conditions = append(conditions, v.hasNamespace(checked)...)
	}
	return conditions
}

// hasNamespace returns expressions that are true if the namespace is set.
func (v referenceView) hasNamespace(checked []string) (conditions []string) {
	pointers, namespace := v.Namespace.Path.Follow(v.outer())
	for _, pointer := range without(pointers, checked) {
		conditions = append(conditions, pointer+" != nil")
	}
	return append(conditions, namespace+` != ""`)
}

// outer returns the variable that the namespace is looked up from.
func (v referenceView) outer() string {
	if v.Outer == 0 {
		return "object"
	}
	return fmt.Sprintf("element%d", v.Outer)
}

// namespace returns an expression for the namespace of what an object refers to, "" if that has none, and the statements that it needs.
// By default it is the namespace of the object.
func (v referenceView) namespace(checked []string) (before, expression string) {
	const own = "object.GetNamespace()" // fields of the type may hide the field
	switch {
	case !v.To.Namespaced:
		return "", ""
	case v.Namespace == nil:
		return "", own
	}
	_, namespace := v.Namespace.Path.Follow(v.outer())
	given := v.hasNamespace(checked)
	switch namespace = text(*v.Namespace, namespace); {
	case !v.kind.Namespaced: // it is a condition
		return "", namespace
	case len(given) == 1:
		return "", "cmp.Or(" + namespace + ", " + own + ")"
	}
	return "namespace := " + own + "\nif " + strings.Join(given, " && ") + " {\nnamespace = " + namespace + "\n}\n", "namespace"
}

// text returns an expression of type string.
func text(s model.StringAt, value string) string {
	if s.Converted {
		return "string(" + value + ")"
	}
	return value
}

func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(e string) bool { return slices.Contains(others, e) })
}
