// Package manifests compares CustomResourceDefinitions and roles by meaning: the order of keys and rules, comments, and the version of the
// program that wrote them do not matter.
package manifests

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
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

type document struct {
	file    string
	content map[string]any
}

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
		r := Result{File: d.file, Document: k, Status: New}
		if o, ok := old[k]; ok {
			r.File = o.file
			r.Status, r.Diff = compare(o.content, d.content)
		}
		results = append(results, r)
	}
	for k, o := range old {
		_, isReplaced := after[o.file]
		if _, ok := generated[k]; !ok && (isReplaced || losses.At(o.content, "metadata", "annotations", origin.ControllerGen) != nil) {
			results = append(results, Result{File: o.file, Document: k, Status: Missing})
		}
	}
	slices.SortFunc(results, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Document, b.Document))
	})
	return results, nil
}

// read returns the definitions and roles in files, by their names. Files that may be anything, such as templates, need not be YAML.
func read(files map[string][]byte, mayBeAnything func(name string) bool) (map[string]document, error) {
	all := map[string]document{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		documents, err := losses.Documents(files[name])
		if err != nil && (mayBeAnything == nil || !mayBeAnything(name)) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, d := range documents {
			if kind := d.Content["kind"]; kind == "CustomResourceDefinition" || kind == "ClusterRole" || kind == "Role" {
				all[d.Name] = document{name, d.Content}
			}
		}
	}
	return all, nil
}

// canonical returns a document in YAML without what does not matter, so that documents with the same meaning have the same text.
func canonical(content map[string]any, descriptions bool) string {
	return losses.Text(losses.Canonical(content, descriptions))
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
