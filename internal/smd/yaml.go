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
	b := bytes.NewBufferString("types:\n")
	for _, t := range s.Types {
		if t.Map != nil {
			slices.SortFunc(t.Fields, byName)
		}
		// One type at a time: for all of k8s.io/api, the tree that the library makes first takes 40 MiB. Plain data can be encoded.
		encoded, _ := yaml.Dump([]schema.TypeDef{t}, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithCompactSeqIndent())
		b.Write(encoded)
	}
	return b.String()
}

// isGeneral reports whether a type stands for all types without a definition.
func isGeneral(name string) bool { return strings.HasPrefix(name, "__untyped_") }
