package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"github.com/informer-gen-lite/informer-gen-lite/internal/golist"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gomod"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// modCopy is a copy of the main module's go.mod and go.sum. If the go command refuses to continue before these are updated, the
// copy is updated, and the user's files stay unchanged.
type modCopy struct {
	file *modfile.File
	// graph are the modules that the copy requires: at first those in the file, after readGraph all of them.
	graph     []modpath.Version
	graphRead bool
	// goMod and goSum are the contents of the copy. The go command adds to them.
	goMod, goSum []byte
}

// errNoModule reports that there is no main module to copy: outside a module, or in a workspace, for which the go command finds
// missing modules on its own.
var errNoModule = errors.New("no main module outside of a workspace")

// newModCopy copies the go.mod and go.sum that apply to the directory of cfg.
func newModCopy(ctx context.Context, cfg Config) (*modCopy, error) {
	out, err := golist.Go(ctx, cfg.Dir, []string{"env", "-json", "GOMOD", "GOWORK"})
	if err != nil {
		return nil, err
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return nil, fmt.Errorf("go env: unexpected output: %w", err)
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull || env.GOWORK != "" {
		return nil, errNoModule
	}
	c := &modCopy{}
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
	if cfg.Complete != nil {
		if err := cfg.Complete(c.file); err != nil {
			return nil, err
		}
	}
	for _, r := range c.file.Require {
		c.graph = append(c.graph, r.Mod)
	}
	c.goMod, err = c.file.Format()
	return c, err
}

// use calls f with flags that make the go command use the copy as go.mod and complete it.
func (c *modCopy) use(f func(flags []string) error) error {
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

// list lists packages using the copy.
func (c *modCopy) list(ctx context.Context, cfg Config) (found []golist.Package, err error) {
	err = c.use(func(flags []string) error {
		found, err = golist.Command(ctx, cfg.Dir, cfg.BuildTags, flags, cfg.Patterns)
		return err
	})
	return found, err
}

// listLocal lists packages of the main module. The go command needs no dependencies for these, so it gets a go.mod without
// requirements: wrong ones cannot stop it, and nothing is looked up.
func (c *modCopy) listLocal(ctx context.Context, cfg Config) ([]golist.Package, error) {
	bare := &modfile.File{}
	if err := bare.AddModuleStmt(c.file.Module.Mod.Path); err != nil {
		return nil, err
	}
	if c.file.Go != nil {
		if err := bare.AddGoStmt(c.file.Go.Version); err != nil {
			return nil, err
		}
	}
	goMod, err := bare.Format()
	if err != nil {
		return nil, err
	}
	var found []golist.Package
	err = (&modCopy{goMod: goMod}).use(func(flags []string) error {
		flags[0] = "-mod=readonly"
		found, err = golist.Command(ctx, cfg.Dir, cfg.BuildTags, flags, cfg.Patterns)
		return err
	})
	return found, err
}

// owner returns the required module whose path is a prefix of a package or pattern; nil for packages of other modules. The main
// module has no version.
func (c *modCopy) owner(importPath string) *modpath.Version {
	var owner *modpath.Version
	for _, m := range append(c.graph, c.file.Module.Mod) {
		if gomod.Within(m.Path, importPath) && (owner == nil || len(m.Path) > len(owner.Path)) {
			owner = &m
		}
	}
	return owner
}

// readGraph adds the transitive requirements, as far as the go command can find them.
func (c *modCopy) readGraph(ctx context.Context, cfg Config) {
	if c.graphRead {
		return
	}
	c.graphRead = true
	// Without the graph, packages of these modules are reported as not found.
	_ = c.use(func(flags []string) error {
		out, err := golist.Go(ctx, cfg.Dir, append(append([]string{"list"}, flags...), "-m", "all"))
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); len(fields) > 1 {
				c.graph = append(c.graph, modpath.Version{Path: fields[0], Version: fields[1]})
			}
		}
		return err
	})
}

// local reports whether a pattern can match packages of the main module only.
func (c *modCopy) local(pattern string) bool {
	if pattern == "." || pattern == ".." || filepath.IsAbs(pattern) ||
		slices.ContainsFunc([]string{"./", "../", `.\`, `..\`}, func(p string) bool { return strings.HasPrefix(pattern, p) }) {
		return true
	}
	owner := c.owner(pattern)
	return owner != nil && owner.Version == ""
}

// split returns the patterns that are local, and the others.
func (c *modCopy) split(patterns []string) (local, other []string) {
	for _, pattern := range patterns {
		if c.local(pattern) {
			local = append(local, pattern)
		} else {
			other = append(other, pattern)
		}
	}
	return local, other
}

// moduleOf returns the required module whose path is a prefix of a package, as path@version; "" for packages of other modules.
func (c *modCopy) moduleOf(importPath string) string {
	if owner := c.owner(importPath); owner != nil && owner.Version != "" {
		return owner.String()
	}
	return ""
}
