package model

import (
	"fmt"
	"strings"
)

// Path leads from an object to the values of a field. There are several if it goes through lists and maps, and none at a nil pointer.
type Path []Step

// Step leads from a value to its parts.
type Step struct {
	// Field is the name of the selected field, if any.
	Field string
	// Into dereferences a pointer, or visits the elements of a slice or map.
	Into Into
}

// Into is a step other than the selection of a field.
type Into string

// The steps into a value.
const (
	IntoPointer Into = "pointer"
	IntoSlice   Into = "slice"
	// IntoMap visits each entry of a map. Nothing follows it.
	IntoMap Into = "map"
	// IntoValues visits the values of a map, in the order of their keys.
	IntoValues Into = "values"
)

// Repeats reports whether there may be several values.
func (p Path) Repeats() bool { return p.Loops() > 0 }

// Loops counts the steps into lists and maps.
func (p Path) Loops() (n int) {
	for _, step := range p {
		if step.Into != "" && step.Into != IntoPointer {
			n++
		}
	}
	return n
}

// Statements returns Go statements that follow the path from a variable, not indented. They run the result of then for each value, which is
// given as an expression. At a nil pointer, they go on with the next element or, outside of lists and maps, run leave.
func (p Path) Statements(object, leave string, then func(value string) string) string {
	var code strings.Builder
	value, loops := object, 0
	pointed := false // value is a non-nil pointer; a selector dereferences it implicitly
	for _, step := range p {
		if step.Field != "" {
			value, pointed = operand(value)+"."+step.Field, false
			continue
		}
		if pointed {
			value, pointed = "*"+value, false
		}
		if step.Into == IntoPointer {
			fmt.Fprintf(&code, "if %s == nil {\n%s\n}\n", value, leave)
			pointed = true
			continue
		}
		loops++
		element := fmt.Sprintf("element%d", loops)
		switch step.Into {
		case IntoMap:
			fmt.Fprintf(&code, "for key, value := range %s {\n", value)
			continue
		case IntoValues:
			fmt.Fprintf(&code, "for _, key%d := range slices.Sorted(maps.Keys(%s)) {\n", loops, value)
			fmt.Fprintf(&code, "%s := %s[key%d]\n", element, operand(value), loops)
		default:
			fmt.Fprintf(&code, "for _, %s := range %s {\n", element, value)
		}
		value, leave = element, "continue"
	}
	if pointed {
		value = "*" + value
	}
	return code.String() + then(value) + strings.Repeat("\n}", loops)
}

// Follow returns the pointers on a path without lists and maps, as expressions that must not be nil, and an expression for the value at
// its end.
func (p Path) Follow(object string) (pointers []string, value string) {
	value = object
	pointed := false
	for _, step := range p {
		if step.Field != "" {
			value, pointed = operand(value)+"."+step.Field, false
			continue
		}
		if pointed {
			value = "*" + value
		}
		pointers, pointed = append(pointers, value), true
	}
	if pointed {
		value = "*" + value
	}
	return pointers, value
}

// operand returns an expression that a selector or an index may follow.
func operand(expression string) string {
	if strings.HasPrefix(expression, "*") {
		return "(" + expression + ")"
	}
	return expression
}

// Indented returns statements as the body of a function.
func Indented(statements string) string {
	var b strings.Builder
	depth := 1
	for line := range strings.SplitSeq(statements, "\n") {
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
