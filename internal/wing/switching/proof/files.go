package proof

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
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

// Overlay is what the go command sees instead of files on disk: other files, or "" for none, and the file that tells it so.
type Overlay struct {
	Replace map[string]string
	Name    string
}

// Overlays are the overlays for the packages before and after the runs.
type Overlays struct{ Before, After Overlay }

// WriteOverlays writes the generated files and the overlays to a directory: one hides the files that are left over, the other one has the
// generated files and hides those that the runs would remove. More are files that both have.
func WriteOverlays(scratch string, runs []run.Run, leftOver []string, more map[string]string) (o Overlays, err error) {
	replace, written := map[string]string{}, 0
	maps.Copy(replace, more)
	for _, name := range leftOver {
		replace[name] = ""
	}
	if o.Before, err = writeOverlay(scratch, "before.json", replace); err != nil {
		return o, err
	}
	for _, r := range runs {
		for _, file := range r.Plan.Write {
			written++
			name := filepath.Join(scratch, strconv.Itoa(written)+filepath.Ext(file.Path))
			if err := os.WriteFile(name, file.Content, 0o666); err != nil {
				return o, err
			}
			replace[r.API.Place.File(file.Path)] = name
		}
		for _, path := range r.Plan.Remove {
			replace[r.API.Place.File(path)] = ""
		}
	}
	o.After, err = writeOverlay(scratch, "after.json", replace)
	return o, err
}

func writeOverlay(scratch, name string, replace map[string]string) (Overlay, error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return Overlay{}, err
	}
	name = filepath.Join(scratch, name)
	return Overlay{maps.Clone(replace), name}, os.WriteFile(name, text, 0o666)
}
