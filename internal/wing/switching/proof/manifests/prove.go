package manifests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/output"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/origin"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Proof proves configurations that have more and more manifests.
type Proof struct {
	Front  run.Front
	proven map[string][]byte // the manifests that may be written
}

// Check returns the reason why the manifests of a configuration for a module may not be written. Those that are not proven yet must be
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
	kind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)\nkind: CustomResourceDefinition\n.*?\n    kind: (\w+)\n`)
	})
	ofRole       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(kind: |\s*"kind": ?)\W?(Cluster)?Role\b`) })
	mayHave      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.(ya?ml|tpl|tmpl|json)$`) })
	version      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^    ` + origin.ControllerGen + `: .*\n`) })
	noAnnotation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^  annotations:\n  (\w)`) })
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
