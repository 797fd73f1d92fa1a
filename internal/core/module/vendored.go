package module

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// vendored is the content of a vendor directory according to its modules.txt (https://go.dev/ref/mod#vendoring).
type vendored struct {
	dir string
	// modules are by the import paths of their packages.
	modules map[string]*vendoredModule
}

type vendoredModule struct {
	module.Version
	replacement module.Version
	explicit    bool
	goVersion   string
}

// readVendored reads a vendor directory. It returns an error if the directory does not match go.mod.
func readVendored(dir string, file *modfile.File) (*vendored, error) {
	text, err := regular.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil {
		return nil, err
	}
	v := &vendored{dir: dir, modules: map[string]*vendoredModule{}}
	var all []*vendoredModule
	current := &vendoredModule{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if annotations, ok := strings.CutPrefix(line, "## "); ok {
			for entry := range strings.SplitSeq(annotations, ";") {
				entry = strings.TrimSpace(entry)
				if entry == "workspace" {
					return nil, fmt.Errorf("%s belongs to a workspace", dir)
				}
				if goVersion, ok := strings.CutPrefix(entry, "go "); ok {
					current.goVersion = goVersion
				}
				current.explicit = current.explicit || entry == "explicit"
			}
		} else if description, ok := strings.CutPrefix(line, "# "); ok {
			if current, err = parseVendored(description); err != nil {
				return nil, fmt.Errorf("%s: %w", dir, err)
			}
			all = append(all, current)
		} else if line != "" && !strings.HasPrefix(line, "#") {
			v.modules[line] = current
		}
	}
	return v, consistent(file, all)
}

// parseVendored reads a module of modules.txt: its path and version, and the replacement after an arrow.
func parseVendored(description string) (*vendoredModule, error) {
	left, right, isReplaced := strings.Cut(description, "=>")
	m := &vendoredModule{Version: versionOf(left), replacement: versionOf(right)}
	if m.Path == "" || isReplaced != (m.replacement.Path != "") {
		return m, fmt.Errorf("unreadable line %q in modules.txt", description)
	}
	return m, nil
}

// versionOf reads a path with an optional version. It returns the zero value for any other text.
func versionOf(text string) (m module.Version) {
	if fields := append(strings.Fields(text), "", ""); len(fields) <= 4 {
		m.Path, m.Version = fields[0], fields[1]
	}
	return m
}

// consistent returns an error unless a go.mod requires and replaces exactly what modules.txt lists.
func consistent(file *modfile.File, all []*vendoredModule) error {
	explicit, replaced := map[module.Version]bool{}, map[module.Version]module.Version{}
	for _, m := range all {
		if m.explicit {
			explicit[m.Version] = true
		}
		if m.replacement.Path != "" {
			replaced[m.Version] = m.replacement
		}
	}
	required, replaces := map[module.Version]bool{}, map[module.Version]module.Version{}
	for _, r := range file.Require {
		required[r.Mod] = true
	}
	for _, r := range file.Replace {
		replaces[r.Old] = r.New
	}
	for m, replacement := range replaced { // a replacement of all versions applies to a version without its own
		if _, known := replaces[m]; !known && replaces[module.Version{Path: m.Path}] == replacement {
			delete(replaced, m)
		}
	}
	if !maps.Equal(explicit, required) || !maps.Equal(replaced, replaces) {
		return errors.New("vendor/modules.txt does not fit go.mod")
	}
	return nil
}

// find returns the directory of a package, and its module.
func (v *vendored) find(importPath string) (dir string, m *Module, err error) {
	owner := v.modules[importPath]
	if owner == nil {
		return "", nil, fmt.Errorf("%s is not vendored", importPath)
	}
	return filepath.Join(v.dir, filepath.FromSlash(importPath)), &Module{Path: owner.Path, GoVersion: owner.goVersion}, nil
}
