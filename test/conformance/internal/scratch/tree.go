package scratch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CopyModule copies a module from the module cache and replaces an existing copy. The copy is writable; files keep their times,
// by which Go's test cache recognizes test data.
func CopyModule(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, content, 0o644); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// GoFiles reads all Go files below some folders of a directory, by slash-separated path in the directory.
func GoFiles(dir string, folders ...string) (map[string]string, error) {
	files := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			files[filepath.ToSlash(rel)] = string(content)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// DiffFiles describes the differences between two sets of files, one sorted line per file.
func DiffFiles(want, got map[string]string) []string {
	var diffs []string
	for name, content := range want {
		switch other, ok := got[name]; {
		case !ok:
			diffs = append(diffs, name+": not written")
		case other != content:
			diffs = append(diffs, fmt.Sprintf("%s: differs from line %d on", name, firstDifference(content, other)))
		}
	}
	for name := range maps.Keys(got) {
		if _, ok := want[name]; !ok {
			diffs = append(diffs, name+": not expected")
		}
	}
	slices.Sort(diffs)
	return diffs
}

func firstDifference(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return strings.Count(a[:n], "\n") + 1
}
