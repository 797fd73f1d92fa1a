package load

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/golist"
	"github.com/informer-gen-lite/informer-gen-lite/internal/gomod"
	"github.com/informer-gen-lite/informer-gen-lite/internal/regular"
)

// Unavailable is the reason why a package is not available.
type Unavailable struct {
	// Module is the module that should have the package, as path@version; "" if go.mod has none.
	Module string
	// Reason is the go command's reason.
	Reason string
}

// Unavailable returns the reason why Find did not find a package, and whether there is one.
func (r *Result) Unavailable(importPath string) (Unavailable, bool) {
	u, ok := r.unavailable[importPath]
	return u, ok
}

// listPackages lists the packages that match the patterns: using go.mod if it leads to all of them, otherwise using a copy.
func (r *Result) listPackages(ctx context.Context) ([]golist.Package, error) {
	found, err := r.goList(ctx, r.cfg.Patterns...)
	if err != nil {
		return r.relist(ctx, err)
	}
	for i, p := range found {
		if p.Error == nil || p.Dir != "" || gomod.Standard(p.ImportPath) || r.copyModule(ctx) != nil {
			continue
		}
		if owner := r.copied.owner(p.ImportPath); owner == nil || owner.Version == "" {
			continue
		}
		again := r.cfg
		again.Patterns = []string{p.ImportPath}
		if better, err := r.copied.list(ctx, again); err != nil {
			found[i].Error.Err = reason(err)
		} else if len(better) == 1 {
			found[i] = better[0]
		}
	}
	return found, nil
}

// relist lists the packages using a copy of go.mod after the go command has refused to use go.mod itself. If that fails too, the
// error is the refusal.
func (r *Result) relist(ctx context.Context, refusal error) ([]golist.Package, error) {
	if errors.Is(refusal, regular.ErrNot) || r.copyModule(ctx) != nil {
		return nil, cmp.Or(ctx.Err(), refusal)
	}
	local, other := r.cfg, r.cfg
	local.Patterns, other.Patterns = r.copied.split(r.cfg.Patterns)
	var found []golist.Package
	if len(local.Patterns) > 0 {
		var err error
		if found, err = r.copied.listLocal(ctx, local); err != nil {
			return nil, cmp.Or(ctx.Err(), refusal)
		}
	}
	if len(other.Patterns) == 0 {
		return found, nil
	}
	more, err := r.copied.list(ctx, other)
	return append(found, more...), err
}

// listByGoMod lists packages using go.mod, and returns those that need more requirements.
func (r *Result) listByGoMod(ctx context.Context, importPaths []string) (left []string) {
	found, err := r.goList(ctx, importPaths...)
	if err != nil {
		for _, p := range importPaths {
			r.unavailable[p] = Unavailable{Reason: reason(err)}
		}
		return importPaths
	}
	r.record(found, "")
	for _, p := range found {
		if p.Dir == "" && !gomod.Standard(p.ImportPath) {
			left = append(left, p.ImportPath)
		}
	}
	return left
}

// listByCopy lists packages using a copy of go.mod. It asks only for packages of modules that the copy requires: import paths may
// be misspelt, and searching for them takes seconds. If one of the packages keeps the go command from listing the others, it asks
// only for the needed one.
func (r *Result) listByCopy(ctx context.Context, needed string, importPaths []string) {
	if r.copyModule(ctx) != nil {
		if found, err := r.goList(ctx, needed); err == nil {
			r.record(found, "")
		}
		return
	}
	local, other := r.copied.split(importPaths)
	if len(local) > 0 {
		if found, err := r.copied.listLocal(ctx, r.only(local...)); err == nil {
			r.record(found, "")
		}
	}
	if slices.ContainsFunc(other, func(p string) bool { return !gomod.Standard(p) && r.copied.owner(p) == nil }) {
		r.copied.readGraph(ctx, r.cfg)
	}
	var required []string
	for _, p := range other {
		if gomod.Standard(p) || r.copied.owner(p) != nil {
			required = append(required, p)
		} else {
			r.unavailable[p] = Unavailable{Reason: "no required module provides package " + p + "; to add it: go get " + p}
		}
	}
	if len(required) == 0 {
		return
	}
	found, err := r.copied.list(ctx, r.only(required...))
	if err != nil && len(required) > 1 {
		found, err = r.copied.list(ctx, r.only(needed))
	}
	if err != nil {
		for _, p := range required {
			r.unavailable[p] = Unavailable{Module: r.copied.moduleOf(p), Reason: reason(err)}
		}
	}
	for _, p := range found {
		r.record([]golist.Package{p}, r.copied.moduleOf(p.ImportPath))
	}
}

// only returns the configuration with different patterns.
func (r *Result) only(patterns ...string) Config {
	cfg := r.cfg
	cfg.Patterns = patterns
	return cfg
}

// record keeps the go command's answer about packages, which belong to module according to go.mod.
func (r *Result) record(found []golist.Package, module string) {
	for _, p := range found {
		r.listed[p.ImportPath] = p
		delete(r.unavailable, p.ImportPath)
		if p.Error != nil && p.Dir == "" {
			r.unavailable[p.ImportPath] = Unavailable{Module: module, Reason: reason(errors.New(p.Error.Err))}
		}
	}
}

// WithModules calls f with build flags that make the go command find all packages that the main module can import, whatever the
// state of its go.mod. The go command does not change go.mod.
func (r *Result) WithModules(ctx context.Context, f func(flags []string) error) error {
	if err := r.copyModule(ctx); err != nil {
		return err
	}
	return r.copied.use(f)
}

// copyModule creates the copy of go.mod, once.
func (r *Result) copyModule(ctx context.Context) error {
	if r.copied != nil {
		return nil
	}
	var err error
	r.copied, err = newModCopy(ctx, r.cfg)
	return err
}

// reason formats an error of the go command on one line.
func reason(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "go list: "), "go: ")
	return strings.Join(strings.Fields(text), " ")
}
