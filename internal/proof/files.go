package proof

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/pipeline"
)

// absolute returns the absolute name of a file of a run.
func absolute(run pipeline.Run, name string) string {
	return filepath.Join(run.API.Place.Dir, filepath.FromSlash(name))
}

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
			replace[absolute(run, file.Path)] = name
		}
		for _, path := range run.Plan.Remove {
			replace[absolute(run, path)] = ""
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(scratch, "overlay.json")
	return name, os.WriteFile(name, text, 0o666)
}

// completeCopy adds missing modules to a copy of the module's go.mod, and returns the flags that make the go command use the
// copy. With these flags, the go command ignores the vendor directory, which may lack packages.
func (m *comparedModule) completeCopy(ctx context.Context, scratch, overlay string) ([]string, error) {
	dir, err := os.MkdirTemp(scratch, "")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(m.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	modFile := "-modfile=" + filepath.Join(dir, "go.mod")
	for _, run := range m.runs {
		get, lacks := run.GoGet()
		if !lacks {
			continue
		}
		if _, err := module.Go(ctx, m.dir, append([]string{get.Args[0], modFile, "-overlay=" + overlay}, get.Args[1:]...)); err != nil {
			return nil, err
		}
	}
	return []string{"-mod=mod", modFile}, nil
}
