// The typecheck command type-checks generated code for tests, without compiling anything, and compares it with the output of gofmt:
//
//	typecheck DIR LIBRARY=DIR MODULE=DIR…
//
// It checks all packages below the directories of the modules, with their tests. The first directory has the module whose
// requirements select their dependencies, of which only declarations are checked. The library is another dependency, for which that
// module needs no requirement. It is a program because tests run with the race
// detector, which makes type checking six times slower.
package main

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/heap"
)

func main() {
	heap.Pace(1 << 30)
	if err := check(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(requirements, library string, modules []string) error {
	u := newUniverse()
	var own []*pkg
	for _, module := range modules {
		path, dir, _ := strings.Cut(module, "=")
		found, err := u.parseModule(path, dir)
		if err != nil {
			return err
		}
		own = append(own, found...)
	}
	libraryPath, libraryDir, _ := strings.Cut(library, "=")
	used, err := u.parseLibrary(libraryPath, libraryDir, own)
	if err != nil {
		return err
	}
	if err := u.parseDependencies(requirements, append(own, used...)); err != nil {
		return err
	}
	var problems []error
	u.report = func(err error) { problems = append(problems, err) }
	for _, path := range slices.Sorted(maps.Keys(u.packages)) {
		_, _ = u.Import(path) // report has the errors
	}
	if len(problems) > 0 {
		texts := make([]string, len(problems))
		for i, problem := range problems {
			texts[i] = problem.Error()
		}
		return fmt.Errorf("%s\n%d errors", strings.Join(texts, "\n"), len(problems))
	}
	return nil
}

// Import implements types.Importer.
func (u *universe) Import(path string) (*types.Package, error) {
	p := u.packages[path]
	if p == nil {
		return nil, fmt.Errorf("no package %s", path)
	}
	if p.types == nil {
		config := types.Config{Importer: mapped{u, p.importMap}, IgnoreFuncBodies: p.module == "" || u.repeats(p), Error: u.report}
		p.types, _ = config.Check(path, u.fset, p.files, nil) // report has the errors
	}
	return p.types, nil
}

// mapped imports the vendored packages of the standard library by the paths that it uses for them.
type mapped struct {
	u         *universe
	importMap map[string]string
}

func (m mapped) Import(path string) (*types.Package, error) {
	if vendored, ok := m.importMap[path]; ok {
		path = vendored
	}
	return m.u.Import(path)
}
