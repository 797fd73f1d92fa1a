package module

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// ClientGoVersion is the version of k8s.io/client-go that output for the newest release is tested with. A test compares it with go.mod.
const ClientGoVersion = "v0.37.2"

// Modules of Kubernetes that are released together, with the same versions. Generated code imports no others, and all API types
// require apimachinery.
const (
	apimachinery = "k8s.io/apimachinery"
	clientGo     = "k8s.io/client-go"
	api          = "k8s.io/api"
)

// released are the modules that are released together, dependents first: each requires those after it.
var released = []string{clientGo, api, apimachinery}

// KubernetesVersion returns the version of k8s.io modules that fits a go.mod: the version that it already requires, or else the
// given one. It ignores versions that not all of the modules have: development versions and those of forks.
func KubernetesVersion(file *modfile.File, otherwise string) string {
	for _, path := range []string{apimachinery, clientGo, api} {
		if version := requiredVersion(file, path); semver.IsValid(version) && !module.IsPseudoVersion(version) && semver.Major(version) == "v0" {
			return version
		}
	}
	return otherwise
}

// requiredVersion returns the version that a go.mod selects for a module; "" if it does not require the module.
func requiredVersion(file *modfile.File, path string) string {
	selected := inFile(file, path)
	if selected.replacement.Path == path {
		return selected.replacement.Version
	}
	return selected.version
}

// Complete adds requirements for the modules that the types of every API come from, unless the go.mod has them.
func Complete(file *modfile.File, version string) error {
	for _, path := range []string{apimachinery, api} {
		if requiredVersion(file, path) != "" {
			continue
		}
		if err := file.AddRequire(path, version); err != nil {
			return err
		}
	}
	return nil
}

// Lacks returns the import paths that no module of the go.mod provides, in order. It never returns packages of the standard library.
func Lacks(file *modfile.File, imports []string) []string {
	return lackingFrom(file, imports, func(importPath string) bool {
		ofMetrics := MayHave(LibraryMetrics, importPath) // which the library does not have
		return slices.ContainsFunc(file.Require, func(r *modfile.Require) bool {
			return MayHave(r.Mod.Path, importPath) && (r.Mod.Path != Library || !ofMetrics)
		})
	})
}

// LacksVendored returns the import paths that a module's vendor directory should have and has not, in order.
func LacksVendored(file *modfile.File, imports []string) []string {
	root := filepath.Dir(file.Syntax.Name)
	return lackingFrom(file, imports, func(importPath string) bool {
		return HasGo(filepath.Join(root, "vendor", filepath.FromSlash(importPath)))
	})
}

// lackingFrom returns the import paths, in order, that neither the module itself nor anything else has.
func lackingFrom(file *modfile.File, imports []string, has func(importPath string) bool) []string {
	var all []string
	for _, importPath := range imports {
		own := file.Module != nil && MayHave(file.Module.Mod.Path, importPath)
		if !own && !Standard(importPath) && !has(importPath) {
			all = append(all, importPath)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// MayHave reports whether a module can have a package. A path with a major version after the module path belongs to another module.
func MayHave(modulePath, importPath string) bool {
	rest, below := strings.CutPrefix(importPath, modulePath+"/")
	if !below {
		return importPath == modulePath
	}
	first, _, _ := strings.Cut(rest, "/")
	number, err := strconv.Atoi(strings.TrimPrefix(first, "v"))
	return err != nil || number < 2 || first != "v"+strconv.Itoa(number)
}

// Standard reports whether an import path is one of the standard library: its first element has no dot.
func Standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// Get returns the arguments of the one "go get" that adds the modules for missing import paths. It names the run-time library, if that
// has a version, and the Kubernetes module that requires the others, at the given version; ./... finds the other missing modules, at the
// versions that these were released with. Versions in the go.mod stay, unless the library requires later ones.
func Get(lacking []string, version string, library LibrarySource) []string {
	args := []string{"get"}
	withLibrary := LacksLibrary(lacking)
	if library.Version != "" {
		for _, modulePath := range lackingOfLibrary(lacking) {
			args = append(args, modulePath+"@"+library.Version)
		}
	}
	for _, path := range released {
		if slices.ContainsFunc(lacking, func(importPath string) bool { return MayHave(path, importPath) }) {
			// An earlier version than the library requires would be an error.
			if !withLibrary || semver.Compare(version, libraryClientGo) >= 0 {
				args = append(args, path+"@"+version)
			}
			break
		}
	}
	return append(args, "./...")
}

// Imports returns the import paths of a gofmt'ed file. It does not read beyond the imports.
func Imports(src []byte) []string {
	var imports []string
	inBlock := false
	for line := range bytes.Lines(src) {
		starts := func(with string) bool { return bytes.HasPrefix(line, []byte(with)) }
		switch {
		case starts("import ("):
			inBlock = true
		case starts("import "), inBlock && starts("\t"):
			if quoted := bytes.Split(line, []byte(`"`)); len(quoted) > 2 {
				imports = append(imports, string(quoted[1]))
			}
		case starts(")"):
			inBlock = false
		case starts("func "), starts("type "), starts("var "), starts("const "):
			return imports
		}
	}
	return imports
}
