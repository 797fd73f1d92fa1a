package manifests

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// sets are the keys of lists whose order does not matter.
var sets = []string{"required", "enum", "shortNames", "categories"}

// normalized returns a value without what does not matter, and with lists as maps where their elements have names.
func normalized(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for key, element := range v {
			if element = normalized(key, element); element != nil && !ignored(name, key) {
				all[key] = element
			}
		}
		if name == "annotations" && len(all) == 0 {
			return nil
		}
		return all
	case []any:
		if slices.Contains(sets, name) {
			return members(v)
		}
		return list(v)
	case int:
		return float64(v)
	}
	return value
}

// ignored reports whether a key of a map does not matter.
func ignored(name, key string) bool {
	switch name {
	case "metadata":
		return key == "creationTimestamp"
	case "annotations":
		return key == versionAnnotation
	}
	return name == "" && key == "status"
}

// list returns the elements by their names or, without names, by their positions.
func list(elements []any) any {
	named := map[string]any{}
	for i, element := range elements {
		key := strconv.Itoa(i)
		if name, ok := at(element, "name").(string); ok && named[name] == nil {
			key = name
		}
		named[key] = normalized("", element)
	}
	return named
}

// members returns the elements of a set.
func members(elements []any) any {
	all := map[string]any{}
	for _, element := range elements {
		all[short(element)] = true
	}
	return all
}

// permissions returns what rules of a role allow, one entry for each verb of a resource.
func permissions(rules []any) any {
	all := map[string]any{}
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
	return all
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

// difference calls f with each path at which two normalized values differ.
func difference(before, after any, path string, f func(path, text string)) {
	b, isMap := before.(map[string]any)
	a, isMap2 := after.(map[string]any)
	switch {
	case isMap && isMap2:
		keys := slices.Sorted(maps.Keys(b))
		for key := range maps.Keys(a) {
			if _, ok := b[key]; !ok {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			below := strings.TrimPrefix(path+"."+key, ".")
			if strings.ContainsAny(key, " ./") {
				below = path + "[" + key + "]"
			}
			difference(b[key], a[key], below, f)
		}
	case before == nil:
		f(path, "added"+shown(after))
	case after == nil:
		f(path, "removed"+shown(before))
	case !reflect.DeepEqual(before, after):
		f(path, short(before)+" → "+short(after))
	}
}

// shown returns a plain value that was added or removed.
func shown(value any) string {
	switch value.(type) {
	case map[string]any, bool:
		return ""
	}
	return " " + short(value)
}

// maxShown is the length at which values are cut.
const maxShown = 60

// short returns a value on one line.
func short(value any) string {
	text, err := yaml.Marshal(value)
	if _, isMap := value.(map[string]any); isMap || err != nil {
		return "…"
	}
	line := []rune(strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", " "))
	if len(line) > maxShown {
		return string(line[:maxShown]) + "…"
	}
	return string(line)
}
