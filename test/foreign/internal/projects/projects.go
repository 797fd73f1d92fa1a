// Package projects reads the table of public projects whose CustomResourceDefinitions are imported, and finds them in the module cache.
package projects

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/test/foreign/internal/scratch"
)

// Project is a row of the table.
type Project struct {
	Name string
	// Module is the module with its version, and Patterns are the slash-separated patterns of the files with definitions in it.
	Module   string
	Patterns []string
	// TypesModule is the module of the project's own Go types, and Packages are the patterns of their import paths. Both are empty
	// if the types are not compared.
	TypesModule string
	Packages    []string
}

// Read reads a table. Lines have fields separated by spaces; the line of a comment begins with #.
func Read(name string) ([]Project, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []Project
	for i, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0][0] == '#':
		case len(fields) == 3:
			all = append(all, Project{Name: fields[0], Module: fields[1], Patterns: strings.Split(fields[2], ",")})
		case len(fields) == 5:
			all = append(all, Project{
				Name: fields[0], Module: fields[1], Patterns: strings.Split(fields[2], ","),
				TypesModule: fields[3], Packages: strings.Split(fields[4], ","),
			})
		default:
			return nil, fmt.Errorf("%s:%d: %d columns, want 3 or 5", name, i+1, len(fields))
		}
	}
	return all, nil
}

// Download returns the source directory of a module at a version, and downloads it if necessary.
func Download(module string) (string, error) {
	out, err := scratch.Run(os.TempDir(), "go", "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var download struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &download); err != nil {
		return "", err
	}
	return download.Dir, nil
}

// Files returns the files with definitions in the project's module, sorted.
func (p Project) Files() ([]string, error) {
	dir, err := Download(p.Module)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, pattern := range p.Patterns {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no file matches %s", p.Module, pattern)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(name string) bool { return !hasDefinition(name) }), nil
}

// hasDefinition reports whether a file has a definition: patterns also match other manifests of a directory.
func hasDefinition(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(text), "\nkind: CustomResourceDefinition")
}

// Definitions returns the definitions in files.
func Definitions(files []string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	return apiservertest.ReadCRDs(files...)
}
