// Package manifests compares CustomResourceDefinitions and roles by meaning: the order of keys and rules, comments, and the version of the
// program that wrote them do not matter.
package manifests

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output/losses"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
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

// Compare compares documents by the names of their files: after replaces the files of before with the same names. A document
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

// Proof proves configurations that have more and more manifests.
type Proof struct {
	Front  run.Front
	proven map[string][]byte // the manifests that may be written
}

// Check returns the reason why the manifests of a configuration for a module may not be written. Unproven manifests must be
// equal to the files on disk, except for the version annotation and comments above them; or the repository must have no definition of
// these kinds, or no role.
func (p *Proof) Check(ctx context.Context, dir, text string) error {
	all, err := p.Front.Parse(true, run.ConfigFile{Name: filepath.Join(dir, option.FileName), Text: []byte(text)})
	var runs []run.Run
	if err == nil {
		runs, err = p.Front.Prepare(ctx, all, false)
	}
	if problems := (diag.List)(nil); errors.As(err, &problems) {
		first := problems.First(dir)
		first.Hint = ""
		err = errors.New(first.String())
	}
	if err != nil {
		return fmt.Errorf("generating fails: %w", err)
	}
	repo, made := repository.At(dir), generated(runs)
	relative := func(name string) string { return repository.Relative(repo.Root, name) }
	there := map[bool]string{} // a file on disk with definitions, and one with roles
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(made)) {
		content, err := regular.ReadFile(name)
		switch {
		case p.proven[name] != nil:
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil || essence(content) != essence(made[name]):
			return fmt.Errorf("%s differs from what would be generated", relative(name))
		default:
			there[kind().Match(made[name])] = name
		}
	}
	for _, name := range missing {
		other := there[kind().Match(made[name])]
		for file := range repo.Files(repo.Root) {
			if other == "" && mayHave().MatchString(file) && mayCopy(file, name, made[name]) {
				other = file
			}
		}
		if other != "" {
			return fmt.Errorf("%s does not exist, but %s does", relative(name), relative(other))
		}
	}
	p.proven = made
	return nil
}

// mayCopy reports whether a file of a repository may have been made of a manifest. It may be a template, with another plural, so this
// compares words.
func mayCopy(file, name string, manifest []byte) bool {
	text, _ := regular.ReadFile(file)
	of := kind().FindSubmatch(manifest)
	if of == nil {
		return ofRole().Match(text)
	}
	group, _, _ := strings.Cut(filepath.Base(name), "_")
	text = bytes.ToLower(text)
	return bytes.Contains(text, []byte("customresourcedefinition")) && bytes.Contains(text, []byte(group)) &&
		bytes.Contains(text, bytes.ToLower(of[1]))
}

// essence returns the text of a manifest without what may differ.
func essence(content []byte) string {
	_, document := output.Document(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")))
	return strings.TrimSpace(noAnnotation().ReplaceAllString(version().ReplaceAllString(string(document), ""), "  $1"))
}

var (
	// kind matches the kind of a CustomResourceDefinition, and ofRole the line of any role.
	kind         = lazy.Regexp(`(?s)\nkind: CustomResourceDefinition\n.*?\n    kind: (\w+)\n`)
	ofRole       = lazy.Regexp(`(?m)^(kind: |\s*"kind": ?)\W?(Cluster)?Role\b`)
	mayHave      = lazy.Regexp(`\.(ya?ml|tpl|tmpl|json)$`)
	version      = lazy.Regexp(`(?m)^    ` + origin.ControllerGen + `: .*\n`)
	noAnnotation = lazy.Regexp(`(?m)^  annotations:\n  (\w)`)
)

// maxLines is the number of lines about one document: enough for several changes, and a long diff of one does not hide the others.
const maxLines = 40

// Of compares the manifests on disk with the manifests of runs.
func Of(runs []run.Run) ([]Result, error) {
	before, after := map[string][]byte{}, generated(runs)
	for name := range after {
		there, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*"))
		for _, other := range there {
			if _, known := before[other]; !known && isManifest(other) {
				text, err := regular.ReadFile(other)
				if err != nil {
					return nil, err
				}
				before[other] = text
			}
		}
	}
	return Compare(before, after)
}

// generated returns the manifests of runs by their absolute names.
func generated(runs []run.Run) map[string][]byte {
	all := map[string][]byte{}
	for _, r := range runs {
		for _, file := range r.Files {
			if name := r.API.Place.File(file.Path); isManifest(name) {
				all[name] = file.Content
			}
		}
	}
	return all
}

func isManifest(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// Check compares the manifests on disk with the manifests of runs, prints the differences, and returns how many would change for a cluster.
func Check(w io.Writer, dir string, runs []run.Run) (changed int, err error) {
	results, err := Of(runs)
	for _, r := range results {
		fmt.Fprintf(w, "%-14s  %s: %s\n", r.Status, diag.Relative(dir, r.File), r.Document)
		printDiff(w, r.Diff)
		if r.Status == Different || r.Status == Missing {
			changed++
		}
	}
	return changed, err
}

// printDiff prints the hunks of a diff, indented, up to maxLines lines.
func printDiff(w io.Writer, diff string) {
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	if lines = lines[min(2, len(lines)):]; len(lines) > maxLines { // without the names
		lines = append(lines[:maxLines-1:maxLines-1], fmt.Sprintf("and %d more lines", len(lines)-maxLines+1))
	}
	for _, line := range lines {
		fmt.Fprintf(w, "\t%s\n", line)
	}
}
