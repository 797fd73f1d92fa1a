package manifests

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// maxLines is the number of lines about one document: enough for several changes, and a long diff of one does not hide the others.
const maxLines = 40

// Of compares the manifests on disk with those of runs.
func Of(runs []pipeline.Run) ([]Result, error) {
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
func generated(runs []pipeline.Run) map[string][]byte {
	all := map[string][]byte{}
	for _, run := range runs {
		for _, file := range run.Files {
			if name := run.API.Place.File(file.Path); isManifest(name) {
				all[name] = file.Content
			}
		}
	}
	return all
}

func isManifest(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// Check compares the manifests on disk with those of runs, prints how, and returns how many would change for a cluster.
func Check(w io.Writer, dir string, runs []pipeline.Run) (changed int, err error) {
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
