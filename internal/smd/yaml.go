package smd

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// text returns a schema in YAML, in the layout of code-generator: types and fields are sorted by name, with the general types at the end,
// and lists are not indented.
func text(s *schema.Schema) string {
	slices.SortFunc(s.Types, func(x, y schema.TypeDef) int {
		if general := isGeneral(x.Name); general != isGeneral(y.Name) {
			return map[bool]int{true: 1, false: -1}[general]
		}
		return cmp.Compare(x.Name, y.Name)
	})
	for _, t := range s.Types {
		if t.Map != nil {
			slices.SortFunc(t.Fields, byName)
		}
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	_ = encoder.Encode(s) // plain data can be encoded
	return b.String()
}

// isGeneral reports whether a type stands for all types without a definition.
func isGeneral(name string) bool { return strings.HasPrefix(name, "__untyped_") }
