package pipeline

import (
	"bytes"
	"go/ast"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// UntestedConversions returns the kinds that have several versions and handwritten conversions, if no test in the module of the output
// checks that conversions lose nothing.
func (a *API) UntestedConversions() []string {
	versions := map[string]int{}
	var kinds []string
	for _, kind := range a.Resolved.API.Kinds() {
		name := kind.Version.Group.Name + "/" + kind.Name
		if versions[name]++; versions[name] == 2 {
			kinds = append(kinds, kind.Name)
		}
	}
	if len(kinds) == 0 || !slices.ContainsFunc(a.Loaded.Packages, converts) || testsRoundTrips(a.Place.Root()) {
		return nil
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// converts reports whether a package has handwritten conversions: functions for a scheme, or methods for controller-runtime.
func converts(pkg *load.Package) bool {
	return pkg.InMainModule() && slices.ContainsFunc(pkg.Files, func(file *load.File) bool {
		return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
			f, ok := decl.(*ast.FuncDecl)
			return ok && (strings.HasPrefix(f.Name.Name, "Convert_") || f.Recv != nil && f.Name.Name == "ConvertTo")
		})
	})
}

// testsRoundTrips reports whether a test below a directory uses conversiontest of the run-time library.
func testsRoundTrips(root string) (found bool) {
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error { // what cannot be read has no tests
		switch {
		case err != nil || found:
			return fs.SkipAll
		case d.IsDir() && name != root && module.Ignored(d.Name()):
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			content, _ := regular.ReadFile(name)
			found = bytes.Contains(content, []byte("conversiontest.RoundTrip["))
		}
		return nil
	})
	return found
}
