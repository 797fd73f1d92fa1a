package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// rootModule is the path of the module in the root. All published modules are below it.
const rootModule = "github.com/informer-gen-lite/informer-gen-lite"

// module is a module of the repository.
type module struct {
	// dir is its directory with slashes, relative to the root; "" for the root.
	dir  string
	path string
	// siblings are the requirements of other modules of this repository.
	siblings []sibling

	// These describe the module as the go command reads it from its tag.
	size          int64
	sum, goModSum string
	zip           string
}

// sibling is a requirement of a module of this repository, and its line in go.mod.
type sibling struct {
	path, version string
	line          int
}

// goMod returns the path of the module's go.mod, relative to the root.
func (m *module) goMod() string { return path.Join(m.dir, "go.mod") }

// tag returns the name of the tag that publishes a version of the module (https://go.dev/ref/mod#vcs-version).
func (m *module) tag(version string) string { return path.Join(m.dir, version) }

// isPublished reports whether users can require the module. The others only serve this repository.
func (m *module) isPublished() bool {
	words := strings.Split(m.dir, "/")
	return !slices.Contains([]string{"examples", "hack", "test"}, words[0]) && !slices.Contains(words, "testdata")
}

// readModules reads go.mod files, whose names are relative to the root.
func readModules(root string, names []string) ([]*module, error) {
	var modules []*module
	for _, name := range names {
		file, err := readGoMod(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		m := &module{dir: strings.TrimPrefix(path.Dir(name), "."), path: file.Module.Mod.Path}
		for _, r := range file.Require {
			if isOurs(r.Mod.Path) {
				m.siblings = append(m.siblings, sibling{r.Mod.Path, r.Mod.Version, r.Syntax.Start.Line})
			}
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// isOurs reports whether the path is that of a module of this repository.
func isOurs(modulePath string) bool {
	return modulePath == rootModule || strings.HasPrefix(modulePath, rootModule+"/")
}

// readGoMod parses a go.mod file.
func readGoMod(name string) (*modfile.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}

// publishedOf returns the published modules in an order in which each one comes after those that it requires.
func publishedOf(modules []*module) ([]*module, error) {
	var left, ordered []*module
	for _, m := range modules {
		if m.isPublished() {
			left = append(left, m)
		}
	}
	var problems []error
	for _, m := range left {
		for _, s := range m.siblings {
			if !slices.ContainsFunc(left, func(other *module) bool { return other.path == s.path }) {
				problems = append(problems, fmt.Errorf("%s:%d: requires %s, which is not published", m.goMod(), s.line, s.path))
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(m *module) bool {
			return !slices.ContainsFunc(m.siblings, func(s sibling) bool {
				return slices.ContainsFunc(left, func(other *module) bool { return other.path == s.path })
			})
		})
		if next < 0 {
			var names []string
			for _, m := range left {
				names = append(names, m.goMod())
			}
			return nil, fmt.Errorf("no order of tags: these modules require each other: %s", strings.Join(names, ", "))
		}
		ordered = append(ordered, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return ordered, nil
}

// require makes the go.mod file of a module below root require published modules at a version, and reports whether it changed. Replace
// directives stay: they only count in a clone, and keep its modules together.
func (m *module) require(root string, published []*module, version string) (changed bool, err error) {
	name := filepath.Join(root, m.goMod())
	file, err := readGoMod(name)
	if err != nil {
		return false, err
	}
	for _, s := range m.siblings {
		if s.version == version || !slices.ContainsFunc(published, func(other *module) bool { return other.path == s.path }) {
			continue
		}
		if err := file.AddRequire(s.path, version); err != nil {
			return false, err
		}
		changed = true
	}
	if !changed {
		return false, nil
	}
	text, err := file.Format()
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(name, text, 0o666)
}
