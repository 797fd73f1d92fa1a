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

	udiff "github.com/aymanbagabas/go-udiff"
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
	// Diff is the unified diff of the canonical documents; empty if only one exists or they are equal.
	Diff string
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

// Compare compares documents by the names of their files: those before with those after, which replace files with their names. A document
// that exists only before counts as missing if its file is replaced or controller-gen wrote it.
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
		r := Result{File: d.file, Document: k.String(), Status: New}
		if o, ok := old[k]; ok {
			r.File = o.file
			r.Status, r.Diff = compare(o.content, d.content)
		}
		results = append(results, r)
	}
	for k, o := range old {
		_, isReplaced := after[o.file]
		if _, ok := generated[k]; !ok && (isReplaced || at(o.content, "metadata", "annotations", versionAnnotation) != nil) {
			results = append(results, Result{File: o.file, Document: k.String(), Status: Missing})
		}
	}
	slices.SortFunc(results, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Document, b.Document))
	})
	return results, nil
}

// read returns the definitions and roles in files. Files that may be anything, such as templates, need not be YAML.
func read(files map[string][]byte, mayBeAnything func(name string) bool) (map[key]document, error) {
	all := map[key]document{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		decoder := yaml.NewDecoder(strings.NewReader(string(files[name])))
		for {
			var content map[string]any
			if err := decoder.Decode(&content); errors.Is(err, io.EOF) || err != nil && mayBeAnything != nil && mayBeAnything(name) {
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
func compare(before, after map[string]any) (Status, string) {
	b, a := canonical(before, true), canonical(after, true)
	switch {
	case b == a:
		return Equal, ""
	case canonical(before, false) == canonical(after, false):
		return Descriptions, udiff.Unified("before", "after", b, a)
	}
	return Different, udiff.Unified("before", "after", b, a)
}
