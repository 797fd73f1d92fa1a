package module

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// Copy is a copy of the main module's go.mod and go.sum. If the go command refuses to continue before these are updated, the
// copy is updated, and the user's files stay unchanged.
type Copy struct {
	// dir is where the go command runs, with these build tags.
	dir  string
	tags []string

	file *modfile.File
	// graph are the modules that the copy requires: at first those in the file, after readGraph all of them.
	graph     []module.Version
	graphRead bool
	// goMod and goSum are the contents of the copy. The go command adds to them.
	goMod, goSum []byte
}

// errNoModule reports that there is no main module to copy: outside a module, or in a workspace, for which the go command finds
// missing modules on its own.
var errNoModule = errors.New("no main module outside of a workspace")

// NewCopy copies the go.mod and go.sum that apply to a directory, and lets complete, if it is not nil, add requirements. Packages are
// listed with build tags.
func NewCopy(ctx context.Context, dir string, tags []string, complete func(*modfile.File) error) (*Copy, error) {
	out, err := Go(ctx, dir, []string{"env", "-json", "GOMOD", "GOWORK"})
	if err != nil {
		return nil, err
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return nil, fmt.Errorf("go env: unexpected output: %w", err)
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull || env.GOWORK != "" && env.GOWORK != "off" {
		return nil, errNoModule
	}
	c := &Copy{dir: dir, tags: tags}
	if c.goMod, err = regular.ReadFile(env.GOMOD); err != nil {
		return nil, err
	}
	if c.goSum, err = regular.ReadFile(strings.TrimSuffix(env.GOMOD, ".mod") + ".sum"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if c.file, err = modfile.Parse(env.GOMOD, c.goMod, nil); err != nil {
		return nil, err
	}
	if c.file.Module == nil {
		return nil, errNoModule
	}
	if complete != nil {
		if err := complete(c.file); err != nil {
			return nil, err
		}
	}
	c.graph = append(c.graph, lists.Map(c.file.Require, func(r *modfile.Require) module.Version { return r.Mod })...)
	c.goMod, err = c.file.Format()
	return c, err
}

// Use calls f with flags that make the go command use the copy as go.mod and complete it.
func (c *Copy) Use(f func(flags []string) error) error {
	dir, err := os.MkdirTemp("", "informer-gen-lite-")
	if err != nil {
		return err
	}
	goMod, goSum := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	err = errors.Join(os.WriteFile(goMod, c.goMod, 0o666), os.WriteFile(goSum, c.goSum, 0o666))
	if err == nil {
		err = f([]string{"-mod=mod", "-modfile=" + goMod})
	}
	if err == nil { // otherwise it may be incomplete
		var errMod, errSum error
		c.goMod, errMod = regular.ReadFile(goMod)
		c.goSum, errSum = regular.ReadFile(goSum)
		err = errors.Join(errMod, errSum)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// List lists packages using the copy.
func (c *Copy) List(ctx context.Context, patterns ...string) (found []Package, err error) {
	err = c.Use(func(flags []string) error {
		found, err = Command(ctx, c.dir, c.tags, flags, patterns)
		return err
	})
	return found, err
}

// ListLocal lists packages of the main module. The go command needs no dependencies for these, so it gets a go.mod without
// requirements: wrong ones cannot stop it, and nothing is looked up.
func (c *Copy) ListLocal(ctx context.Context, patterns ...string) (found []Package, err error) {
	bare := "module " + modfile.AutoQuote(c.file.Module.Mod.Path) + "\n"
	if c.file.Go != nil {
		bare += "go " + c.file.Go.Version + "\n"
	}
	err = (&Copy{goMod: []byte(bare)}).Use(func(flags []string) error {
		flags[0] = "-mod=readonly"
		found, err = Command(ctx, c.dir, c.tags, flags, patterns)
		return err
	})
	return found, err
}

// Owner returns the required module whose path is a prefix of a package or pattern, and whether there is one. The main module has no
// version.
func (c *Copy) Owner(importPath string) (owner module.Version, ok bool) {
	for _, m := range append(c.graph, c.file.Module.Mod) {
		if MayHave(m.Path, importPath) && len(m.Path) > len(owner.Path) {
			owner, ok = m, true
		}
	}
	return owner, ok
}

// ReadGraph adds the transitive requirements, as far as the go command can find them.
func (c *Copy) ReadGraph(ctx context.Context) {
	if c.graphRead {
		return
	}
	c.graphRead = true
	// Without the graph, packages of these modules are reported as not found.
	_ = c.Use(func(flags []string) error {
		out, err := Go(ctx, c.dir, append(append([]string{"list"}, flags...), "-m", "all"))
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); len(fields) > 1 {
				c.graph = append(c.graph, module.Version{Path: fields[0], Version: fields[1]})
			}
		}
		return err
	})
}

// Split returns the patterns that can match packages of the main module only, and the others.
func (c *Copy) Split(patterns []string) (local, other []string) {
	for _, pattern := range patterns {
		owner, ok := c.Owner(pattern)
		if build.IsLocalImport(filepath.ToSlash(pattern)) || filepath.IsAbs(pattern) || ok && owner.Version == "" {
			local = append(local, pattern)
		} else {
			other = append(other, pattern)
		}
	}
	return local, other
}

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

// KubernetesVersion returns the version of k8s.io modules that fits a go.mod: the version that it already requires, or else the given
// one. It ignores versions that only some of the modules have: development versions and versions of forks.
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
