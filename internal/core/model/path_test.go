package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// steps returns a path from its steps, in which Go names are fields.
func steps(text string) (path Path) {
	for word := range strings.FieldsSeq(text) {
		if word[0] < 'a' {
			path = append(path, Step{Field: word})
		} else {
			path = append(path, Step{Into: Into(word)})
		}
	}
	return path
}

func TestStatements(t *testing.T) {
	for path, want := range map[string]string{
		"":                               "use(object)",
		"Spec Name":                      "use(object.Spec.Name)",
		"Spec pointer Name pointer":      "if object.Spec == nil { leave } if object.Spec.Name == nil { leave } use(*object.Spec.Name)",
		"Spec pointer pointer Name":      "if object.Spec == nil { leave } if *object.Spec == nil { leave } use((*object.Spec).Name)",
		"Names slice":                    "for _, element1 := range object.Names { use(element1) }",
		"Names pointer slice pointer":    "if object.Names == nil { leave } for _, element1 := range *object.Names { if element1 == nil { continue } use(*element1) }",
		"Rows slice slice":               "for _, element1 := range object.Rows { for _, element2 := range element1 { use(element2) } }",
		"By values Name":                 "for _, key1 := range slices.Sorted(maps.Keys(object.By)) { element1 := object.By[key1] use(element1.Name) }",
		"By pointer values":              "if object.By == nil { leave } for _, key1 := range slices.Sorted(maps.Keys(*object.By)) { element1 := (*object.By)[key1] use(element1) }",
		"Rows slice By values":           "for _, element1 := range object.Rows { for _, key2 := range slices.Sorted(maps.Keys(element1.By)) { element2 := element1.By[key2] use(element2) } }",
		"Rows slice Labels map":          "for _, element1 := range object.Rows { for key, value := range element1.Labels { use(element1.Labels) } }",
		"Rows slice pointer Ref pointer": "for _, element1 := range object.Rows { if element1 == nil { continue } if element1.Ref == nil { continue } use(*element1.Ref) }",
	} {
		got := steps(path).Statements("object", "leave", func(value string) string { return "use(" + value + ")" })
		assert.Equal(t, want, strings.Join(strings.Fields(got), " "), path)
	}
}

func TestFollow(t *testing.T) {
	for path, want := range map[string]string{
		"":                          "object []",
		"Name":                      "object.Name []",
		"Spec pointer Name":         "object.Spec.Name [object.Spec]",
		"Spec pointer Name pointer": "*object.Spec.Name [object.Spec object.Spec.Name]",
		"Spec pointer pointer Name": "(*object.Spec).Name [object.Spec *object.Spec]",
	} {
		pointers, value := steps(path).Follow("object")
		assert.Equal(t, want, value+" ["+strings.Join(pointers, " ")+"]", path)
	}
}

func TestLoops(t *testing.T) {
	for path, want := range map[string]int{"": 0, "Spec pointer Name": 0, "Names slice": 1, "Rows slice By values Labels map": 3} {
		assert.Equal(t, want, steps(path).Loops(), path)
		assert.Equal(t, want > 0, steps(path).Repeats(), path)
	}
}

func TestIndented(t *testing.T) {
	assert.Equal(t, "\tif a {\n\t\tb\n\t}\n\treturn c", Indented("if a {\nb\n}\nreturn c"))
}
