// Package losses finds what checked-in files have and generated files in their place would lack.
package losses

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
)

// sets are the keys of lists whose order does not matter.
var sets = []string{"required", "enum", "shortNames", "categories"}

// Canonical returns a document without what does not matter, so that documents with the same meaning are equal. Roles have permissions
// in place of rules.
func Canonical(content map[string]any, descriptions bool) any {
	if rules, ok := content["rules"].([]any); ok {
		content = maps.Clone(content)
		content["rules"] = permissions(rules)
	}
	return normal{descriptions}.value("", "", content)
}

// Text returns a value in YAML.
func Text(value any) string {
	var b strings.Builder
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	_ = encoder.Encode(value) // what was decoded can be encoded
	return b.String()
}

// normal removes what does not matter.
type normal struct {
	descriptions bool // they matter
}

// value returns the canonical form of the value of a key, and of the key around it.
func (n normal) value(parent, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for k, element := range v {
			if k != "default" || key == "properties" { // the value of a default matters as a whole
				element = n.value(key, k, element)
			}
			if element != nil && !n.ignores(parent, key, k, element) {
				all[k] = element
			}
		}
		if key == "annotations" && len(all) == 0 {
			return nil
		}
		return all
	case []any:
		return n.list(key, v)
	case float64:
		if whole := math.Trunc(v); whole == v && math.Abs(v) < 1<<53 {
			return int(whole)
		}
	}
	return value
}

// ignores reports whether an entry of a map does not matter. A property called description is a schema.
func (n normal) ignores(parent, key, entry string, value any) bool {
	switch {
	case key == "metadata":
		return entry == "creationTimestamp"
	case key == "annotations":
		return entry == origin.ControllerGen
	case entry == "description":
		_, isText := value.(string)
		return !n.descriptions && isText
	}
	return parent == "" && key == "" && entry == "status"
}

// list returns the canonical elements of a list: sorted if it is a set, or by their names.
func (n normal) list(key string, elements []any) []any {
	all := make([]any, len(elements))
	named := true
	for i, element := range elements {
		all[i] = n.value(key, "[]", element)
		name, _ := At(element, "name").(string)
		named = named && name != ""
	}
	switch {
	case slices.Contains(sets, key):
		slices.SortFunc(all, func(a, b any) int { return cmp.Compare(Text(a), Text(b)) })
		all = slices.CompactFunc(all, func(a, b any) bool { return Text(a) == Text(b) })
	case named:
		slices.SortStableFunc(all, func(a, b any) int {
			return cmp.Compare(At(a, "name").(string), At(b, "name").(string))
		})
	}
	return all
}

// permissions returns what rules of a role allow, an element for each verb of a resource.
func permissions(rules []any) []any {
	all := map[string]bool{}
	for _, rule := range rules {
		fields, ok := rule.(map[string]any)
		if !ok {
			continue
		}
		names := texts(fields["resourceNames"])
		if len(names) == 0 {
			names = []string{""}
		}
		for _, verb := range texts(fields["verbs"]) {
			for _, url := range texts(fields["nonResourceURLs"]) {
				all[verb+" "+url] = true
			}
			for _, group := range texts(fields["apiGroups"]) {
				for _, resource := range texts(fields["resources"]) {
					for _, name := range names {
						all[strings.TrimSpace(verb+" "+strings.TrimSuffix(resource+"."+group, ".")+" "+name)] = true
					}
				}
			}
		}
	}
	sorted := []any{}
	for _, permission := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, permission)
	}
	return sorted
}

// texts returns the texts in a list.
func texts(value any) (all []string) {
	elements, _ := value.([]any)
	for _, element := range elements {
		if text, ok := element.(string); ok {
			all = append(all, text)
		}
	}
	return all
}
