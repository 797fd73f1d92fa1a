package losses

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

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

// Manifest returns the paths of what a manifest has and the one in its place lacks, as in spec.versions[v1beta1]. Other values, order and
// descriptions do not count, and neither do permissions that a wildcard of the new role includes.
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

// lack returns the paths of what a value has and the other one lacks.
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

// lackElement returns what a list lacks of an element of another list. Elements with names correspond to each other.
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
