package module

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

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
	for _, r := range c.file.Require {
		c.graph = append(c.graph, r.Mod)
	}
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
