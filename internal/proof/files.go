package proof

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// isSource reports whether a file may contribute to the exported API of its package.
func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// sources returns the absolute names of the files of a package; none if there is no such directory.
func sources(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := map[string]bool{}
	for _, entry := range entries {
		if isSource(entry.Name()) {
			names[filepath.Join(dir, entry.Name())] = true
		}
	}
	return names, nil
}

// writeOverlay writes the files that the go command sees instead of those on disk, and returns the name of the overlay file. It
// hides the files that the runs would remove.
func writeOverlay(scratch string, runs []pipeline.Run) (string, error) {
	replace, written := map[string]string{}, 0
	for _, run := range runs {
		for _, file := range run.Plan.Write {
			written++
			name := filepath.Join(scratch, strconv.Itoa(written)+filepath.Ext(file.Path))
			if err := os.WriteFile(name, file.Content, 0o666); err != nil {
				return "", err
			}
			replace[run.API.Place.File(file.Path)] = name
		}
		for _, path := range run.Plan.Remove {
			replace[run.API.Place.File(path)] = ""
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(scratch, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}
