// Package losses finds what checked-in files have and generated files in their place would lack.
package losses

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
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

// Document is an object in a manifest. Its name includes the kind, as in "ClusterRole manager-role".
type Document struct {
	Name    string
	Content map[string]any
}

// Documents returns the objects in a manifest, with an error those before it.
func Documents(manifest []byte) (all []Document, err error) {
	decoder := yaml.NewDecoder(strings.NewReader(string(manifest)))
	for {
		var content map[string]any
		if err := decoder.Decode(&content); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return all, err
		}
		kind, _ := content["kind"].(string)
		namespace, _ := At(content, "metadata", "namespace").(string)
		name, _ := At(content, "metadata", "name").(string)
		if len(content) > 0 {
			all = append(all, Document{kind + " " + strings.TrimPrefix(namespace+"/"+name, "/"), content})
		}
	}
}

// At returns the value at a path of keys, or nil.
func At(content any, keys ...string) any {
	for _, key := range keys {
		node, _ := content.(map[string]any)
		content = node[key]
	}
	return content
}

// Manifest returns the paths of the values that a manifest has and the new manifest lacks, as in spec.versions[v1beta1]. Other values,
// order and descriptions do not count, and neither do permissions that a wildcard of the new role includes.
func Manifest(before, after []byte) (lost []string) {
	old, err := Documents(before)
	if err != nil {
		return []string{"text that is not YAML, as in templates"}
	}
	made, _ := Documents(after) // it was generated
	for _, document := range old {
		i := slices.IndexFunc(made, func(d Document) bool { return d.Name == document.Name })
		if i < 0 {
			lost = append(lost, document.Name)
			continue
		}
		lost = append(lost, lack("", Canonical(document.Content, false), Canonical(made[i].Content, false))...)
	}
	return lost
}

// lack returns the paths of values that before has and after lacks.
func lack(at string, before, after any) (lost []string) {
	switch old := before.(type) {
	case map[string]any:
		made, ok := after.(map[string]any)
		if !ok {
			return []string{at}
		}
		for _, key := range slices.Sorted(maps.Keys(old)) {
			below := strings.TrimPrefix(at+"."+key, ".")
			if value, kept := made[key]; kept {
				lost = append(lost, lack(below, old[key], value)...)
			} else if !isEmpty(old[key]) {
				lost = append(lost, below)
			}
		}
	case []any:
		made, _ := after.([]any)
		for i, element := range old {
			lost = append(lost, lackElement(at, i, element, made)...)
		}
	}
	return lost
}

// lackElement returns the paths of values that an element has and a list lacks. Elements with names correspond to each other.
func lackElement(at string, index int, element any, list []any) []string {
	isSame := func(other any) bool { return Text(element) == Text(other) || at == "rules" && includes(other, element) }
	name, place := At(element, "name"), fmt.Sprintf("%s[%v]", at, element)
	if _, isMap := element.(map[string]any); isMap {
		isSame = func(other any) bool { return len(lack("", element, other)) == 0 }
		place = fmt.Sprintf("%s[%d]", at, index)
		if name != nil {
			place = fmt.Sprintf("%s[%v]", at, name)
			i := slices.IndexFunc(list, func(other any) bool { return At(other, "name") == name })
			if i < 0 {
				return []string{place}
			}
			return lack(place, element, list[i])
		}
	}
	if slices.ContainsFunc(list, isSame) {
		return nil
	}
	return []string{place}
}

// includes reports whether a permission includes another one: it may have wildcards, and be for objects of all names.
func includes(permission, other any) bool {
	slashless := strings.NewReplacer("/", "|") // so that wildcards of patterns match subresources, too
	pattern, text := slashless.Replace(fmt.Sprint(permission)), slashless.Replace(fmt.Sprint(other))
	named, _ := path.Match(pattern, text)
	words := strings.Fields(text)
	unnamed, _ := path.Match(pattern, strings.Join(words[:min(2, len(words))], " "))
	return named || unnamed
}

func isEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return value == "" || value == nil
}
