// Package manifests compares CustomResourceDefinitions and roles by meaning: the order of keys and rules, comments, and the version of the
// program that wrote them do not matter.
package manifests

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Status is how a document compares.
type Status string

// The statuses of documents.
const (
	Equal Status = "equal"
	// Descriptions means that only descriptions differ.
	Descriptions Status = "descriptions"
	Different    Status = "different"
	// Missing documents are not generated, New ones are not there yet.
	Missing Status = "missing"
	New     Status = "new"
)

// Result is how one document compares.
type Result struct {
	// File is the file with the document, Document its kind and name.
	File, Document string
	Status         Status
	// Differences are the paths that differ, with what is there before and after.
	Differences []string
}

// Lines returns at most n lines about the differences.
func (r Result) Lines(n int) []string {
	if len(r.Differences) <= n {
		return r.Differences
	}
	return append(slices.Clone(r.Differences[:n-1]), fmt.Sprintf("and %d more", len(r.Differences)-n+1))
}

// key identifies a document.
type key struct{ kind, namespace, name string }

func (k key) String() string {
	return k.kind + " " + strings.TrimPrefix(k.namespace+"/"+k.name, "/")
}

type document struct {
	file    string
	content map[string]any
}

// versionAnnotation is in the CustomResourceDefinitions that controller-gen writes.
const versionAnnotation = "controller-gen.kubebuilder.io/version"

// Compare compares documents by the names of their files: those before with those after, which replace files with their names. Of documents
// that are there before only, those count that would be lost: they are in a replaced file, or controller-gen wrote them.
func Compare(before, after map[string][]byte) ([]Result, error) {
	generated, err := read(after, nil)
	if err != nil {
		return nil, err
	}
	old, err := read(before, func(name string) bool { return after[name] == nil })
	if err != nil {
		return nil, err
	}
	var results []Result
	for k, d := range generated {
		if o, ok := old[k]; ok {
			results = append(results, compare(o.file, k, o.content, d.content))
		} else {
			results = append(results, Result{File: d.file, Document: k.String(), Status: New})
		}
	}
	for k, o := range old {
		_, isReplaced := after[o.file]
		if _, ok := generated[k]; !ok && (isReplaced || annotated(o.content)) {
			results = append(results, Result{File: o.file, Document: k.String(), Status: Missing})
		}
	}
	slices.SortFunc(results, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Document, b.Document))
	})
	return results, nil
}

func annotated(content map[string]any) bool {
	annotations, _ := at(content, "metadata", "annotations").(map[string]any)
	_, ok := annotations[versionAnnotation]
	return ok
}

// read returns the definitions and roles in files. Files that may be anything, such as templates, need not be YAML.
func read(files map[string][]byte, mayBeAnything func(name string) bool) (map[key]document, error) {
	all := map[key]document{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		decoder := yaml.NewDecoder(strings.NewReader(string(files[name])))
		for {
			var content map[string]any
			err := decoder.Decode(&content)
			if errors.Is(err, io.EOF) || err != nil && mayBeAnything != nil && mayBeAnything(name) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			kind, _ := content["kind"].(string)
			if !slices.Contains([]string{"CustomResourceDefinition", "ClusterRole", "Role"}, kind) {
				continue
			}
			namespace, _ := at(content, "metadata", "namespace").(string)
			id, _ := at(content, "metadata", "name").(string)
			all[key{kind, namespace, id}] = document{name, content}
		}
	}
	return all, nil
}

// at returns what is at a path of keys.
func at(content any, path ...string) any {
	for _, name := range path {
		node, _ := content.(map[string]any)
		content = node[name]
	}
	return content
}

// compare compares two documents.
func compare(file string, k key, before, after map[string]any) Result {
	r := Result{File: file, Document: k.String(), Status: Equal}
	var descriptions []string
	difference(meaning(before), meaning(after), "", func(path, text string) {
		if isDescription(path) {
			descriptions = append(descriptions, path+": another text")
		} else {
			r.Differences = append(r.Differences, path+": "+text)
		}
	})
	switch {
	case len(r.Differences) > 0:
		r.Status = Different
	case len(descriptions) > 0:
		r.Status = Descriptions
	}
	r.Differences = append(r.Differences, descriptions...)
	return r
}

// meaning returns a document without what does not matter.
func meaning(content map[string]any) any {
	if rules, ok := content["rules"].([]any); ok {
		content = maps.Clone(content)
		content["rules"] = permissions(rules)
	}
	return normalized("", content)
}

// isDescription reports whether a path is that of a description in a schema, and not that of a property with this name.
func isDescription(path string) bool {
	parent, ok := strings.CutSuffix(path, ".description")
	return ok && !strings.HasSuffix(parent, ".properties")
}
