// Package schemas compares the schemas of CustomResourceDefinitions, property path by property path.
package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Node is what a schema says about one path: its keywords without descriptions and without the schemas of other paths.
type Node map[string]any

// Schema has the nodes of a schema by path, such as .spec.ports[].name.
type Schema map[string]Node

// children are the keywords whose values are the schemas of other paths.
var children = []string{"properties", "items", "additionalProperties"}

// Flatten returns the nodes of a schema. Lists whose order means nothing are sorted: required properties, and values of enums.
func Flatten(schema *apiextensionsv1.JSONSchemaProps) (Schema, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	flat := Schema{}
	flat.add(root, "")
	return flat, nil
}

func (s Schema) add(schema map[string]any, path string) {
	node := Node{}
	for keyword, value := range schema {
		if !slices.Contains(children, keyword) {
			node[keyword] = value
		}
	}
	clean(node)
	s[path] = node
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		s.add(property.(map[string]any), path+"."+name)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		s.add(items, path+"[]")
	}
	switch values := schema["additionalProperties"].(type) {
	case map[string]any:
		s.add(values, path+".*")
	case bool:
		node["additionalProperties"] = values
	}
}

// clean removes descriptions, also from nested schemas such as those of oneOf, and sorts what has no order.
func clean(schema map[string]any) {
	delete(schema, "description")
	for _, keyword := range []string{"required", "enum"} {
		if list, ok := schema[keyword].([]any); ok {
			sort.Slice(list, func(i, j int) bool { return fmt.Sprint(list[i]) < fmt.Sprint(list[j]) })
		}
	}
	for keyword, value := range schema {
		switch v := value.(type) {
		case map[string]any:
			if keyword == "properties" {
				for _, property := range v {
					clean(property.(map[string]any))
				}
			} else if keyword != "default" && keyword != "example" {
				clean(v)
			}
		case []any:
			for _, element := range v {
				if nested, ok := element.(map[string]any); ok && keyword != "enum" {
					clean(nested)
				}
			}
		}
	}
}

// Difference is a keyword of a path with different values. A path that only one schema has differs in the keyword "".
type Difference struct {
	Path, Keyword string
	// Want and Have are the values, or nil.
	Want, Have any
	// WantNode and HaveNode are all keywords of the path, or nil.
	WantNode, HaveNode Node
	// Reason is the reason for the difference, or empty.
	Reason string
}

// String describes the difference.
func (d Difference) String() string {
	return fmt.Sprintf("%s %s: want %s, have %s", d.Path, d.Keyword, text(d.Want), text(d.Have))
}

func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	const most = 200
	return string(encoded[:min(len(encoded), most)])
}

// Compare returns the differences between two schemas, sorted by path, and the number of paths that are equal, among all paths of
// either schema.
func Compare(want, have Schema) (differences []Difference, equal, total int) {
	paths := maps.Clone(want)
	maps.Copy(paths, have)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		found := compareNodes(path, want[path], have[path])
		if len(found) == 0 {
			equal++
		}
		differences = append(differences, found...)
	}
	return differences, equal, len(paths)
}

func compareNodes(path string, want, have Node) (differences []Difference) {
	d := Difference{Path: path, WantNode: want, HaveNode: have}
	if want == nil || have == nil {
		if want != nil {
			d.Want = want
		}
		if have != nil {
			d.Have = have
		}
		return []Difference{d}
	}
	keywords := maps.Clone(want)
	maps.Copy(keywords, have)
	for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
		if !reflect.DeepEqual(want[keyword], have[keyword]) {
			d.Keyword, d.Want, d.Have = keyword, want[keyword], have[keyword]
			differences = append(differences, d)
		}
	}
	return differences
}

// Reason is a reason for differences, and tells which ones it explains.
type Reason struct {
	Text     string
	Explains func(Difference) bool
}

// Explain sets the reason of each difference to the first that explains it, and returns the differences without a reason.
func Explain(differences []Difference, reasons []Reason) (open []Difference) {
	for i := range differences {
		for _, reason := range reasons {
			if reason.Explains(differences[i]) {
				differences[i].Reason = reason.Text
				break
			}
		}
		if differences[i].Reason == "" {
			open = append(open, differences[i])
		}
	}
	return open
}
