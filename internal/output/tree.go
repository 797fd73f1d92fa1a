// Package output brings rendered files to the disk. It looks at everything before it touches anything, replaces files
// by rename, leaves unchanged ones alone, and never overwrites or removes what it did not write.
package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/informer-gen-lite/informer-gen-lite/internal/render"
)

// Tree is what stands in the directories of the generators before a run.
type Tree struct {
	root string
	// files are the Go files by slash-separated path relative to the root.
	files map[string][]byte
}

// Scan reads the Go files below the given directories, which are slash-separated and relative to root. Directories
// that do not exist are empty.
func Scan(root string, dirs []string) (*Tree, error) {
	t := &Tree{root: root, files: map[string][]byte{}}
	var names []string
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() != "." && ignored(d.Name()):
				return fs.SkipDir
			case d.Type().IsRegular() && strings.HasSuffix(name, ".go"):
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return t, t.read(names)
}

// ignored tells whether the go command ignores a directory, or keeps dependencies in it.
func ignored(dir string) bool {
	return strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_") || dir == "testdata" || dir == "vendor"
}

func (t *Tree) read(names []string) error {
	contents := make([][]byte, len(names))
	var group errgroup.Group
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() (err error) {
			contents[i], err = os.ReadFile(name)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, name := range names {
		rel, err := filepath.Rel(t.root, name)
		if err != nil {
			return err
		}
		t.files[filepath.ToSlash(rel)] = contents[i]
	}
	return nil
}

// Handwritten returns the files that no generator wrote.
func (t *Tree) Handwritten() map[string]bool {
	found := map[string]bool{}
	for name, content := range t.files {
		if !generated(content) {
			found[name] = true
		}
	}
	return found
}

// generatedHeader is the line by which Go tools know generated files (https://go.dev/s/generatedcode).
var generatedHeader = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`)

var packageClause = regexp.MustCompile(`(?m)^package `)

// head returns the part of a file in which a generated header can stand, which is before the package clause.
func head(content []byte) []byte {
	if at := packageClause.FindIndex(content); at != nil {
		return content[:at[0]]
	}
	return content
}

func generated(content []byte) bool { return generatedHeader.Match(head(content)) }

// ours tells whether we wrote the file.
func ours(content []byte) bool { return bytes.Contains(head(content), []byte(render.GeneratedBy)) }

// below tells whether a file lies in a directory; "." holds everything.
func below(dir, name string) bool {
	dir = path.Clean(dir)
	return dir == "." || strings.HasPrefix(name, dir+"/")
}
