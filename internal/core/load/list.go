package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// goList returns the packages that match the patterns, without changing go.mod. It runs the go command only if nothing else has the answer.
func (r *Result) goList(ctx context.Context, patterns ...string) ([]module.Package, error) {
	if r.local != nil {
		if found, err := r.local.Match(ctx, patterns); err == nil || errors.Is(err, regular.ErrNot) {
			return found, err // the go command would block on a named pipe
		}
	}
	return module.Command(ctx, r.cfg.Dir, r.cfg.BuildTags, nil, patterns)
}

// Unmatched is the cause of a diagnostic about a pattern that matches no package.
type Unmatched struct {
	Pattern string
	// Reason is the message.
	Reason string
}

// Error returns the reason.
func (u *Unmatched) Error() string { return u.Reason }

// otherClause returns the position of the package name in the first file that does not belong to the package of the other files
// in its directory.
func otherClause(p module.Package) (pos token.Position, found bool) {
	fset := token.NewFileSet()
	for _, name := range p.InvalidGoFiles {
		name = filepath.Join(p.Dir, name)
		src, err := regular.ReadFile(name)
		if err != nil {
			continue
		}
		if file, err := parser.ParseFile(fset, name, src, parser.PackageClauseOnly); err == nil && file.Name.Name != p.Name {
			return fset.Position(file.Name.Pos()), true
		}
	}
	return token.Position{}, false
}

// diagnose reports a package that the go command could not read. A directory without Go files for this platform is not a problem,
// as patterns match such directories all the time. Errors within files are left to the parser.
func diagnose(p module.Package, dir string, diags *diag.List) {
	files := len(p.GoFiles) + len(p.CgoFiles)
	withoutFiles := p.Dir != "" && files+len(p.InvalidGoFiles) == 0 // packages that were not found have no directory
	if p.Error == nil || withoutFiles || p.Error.Pos != "" && files > 0 {
		return
	}
	message := strings.ReplaceAll(strings.TrimSpace(p.Error.Err), dir+string(filepath.Separator), "")
	pos := diag.ParsePosition(p.Error.Pos)
	if pos.IsValid() {
		pos.Filename = diag.Absolute(dir, pos.Filename) // relative to the directory that the go command ran in
	} else {
		pos = token.Position{}
	}
	if p.Dir == "" {
		diags.Add(pos, "%w", &Unmatched{p.ImportPath, message})
	} else if clause, found := otherClause(p); found {
		diags.AddHint(clause, "move the file to a directory of its own, or rename its package", "%s", message)
	} else {
		diags.Add(pos, "%s", message)
	}
}

// explainSyntax returns the syntax errors of a package. The parser is from the Go release that built this program. If the module requires
// a newer release, its syntax may be newer too: then the first error says so and replaces all others.
func explainSyntax(pkg *Package, errors diag.List) diag.List {
	built := version.Lang(runtime.Version())
	if len(errors) == 0 || pkg.Module == nil || built == "" || version.Compare("go"+pkg.Module.GoVersion, built) <= 0 ||
		version.Lang("go"+pkg.Module.GoVersion) == built {
		return errors
	}
	wanted := pkg.Module.GoVersion
	toolchain := "go" + wanted
	if strings.Count(wanted, ".") == 1 {
		toolchain += ".0" // the name of the first release of a language version
	}
	d := errors[0]
	d.Message = fmt.Sprintf("%s: this program was built with %s, but module %s requires go %s", d.Message, built, pkg.Module.Path, wanted)
	d.Hint = "rebuild it with " + version.Lang(toolchain) + " or later: set GOTOOLCHAIN=" + toolchain + " when you go run or go install it"
	return diag.List{d}
}

// Unavailable is the reason why a package is not available.
type Unavailable struct {
	// Module is the module that should have the package, as path@version; "" if go.mod has none.
	Module string
	// Reason is the go command's reason, or ours if it was not asked. Remedy is how to add the package, if that is known.
	Reason, Remedy string
}

// Unavailable returns the reason why Find did not find a package, and whether there is one.
func (r *Result) Unavailable(importPath string) (Unavailable, bool) {
	u, ok := r.unavailable[importPath]
	return u, ok
}

// listPackages lists the packages that match the patterns: using go.mod if it leads to all of them, otherwise using a copy.
func (r *Result) listPackages(ctx context.Context) ([]module.Package, error) {
	found, err := r.goList(ctx, r.cfg.Patterns...)
	if err != nil {
		return r.relist(ctx, err)
	}
	for i, p := range found {
		if p.Error == nil || p.Dir != "" || module.Standard(p.ImportPath) || r.copyModule(ctx) != nil {
			continue
		}
		if owner, _ := r.copied.Owner(p.ImportPath); owner.Version == "" {
			continue
		}
		if better, err := r.copied.List(ctx, p.ImportPath); err != nil {
			found[i].Error.Err = reason(err)
		} else if len(better) == 1 {
			found[i] = better[0]
		}
	}
	return found, nil
}

// relist lists the packages using a copy of go.mod after the go command has refused to use go.mod itself. If that fails too, the
// error is the refusal.
func (r *Result) relist(ctx context.Context, refusal error) ([]module.Package, error) {
	if errors.Is(refusal, regular.ErrNot) || r.copyModule(ctx) != nil {
		return nil, cmp.Or(ctx.Err(), refusal)
	}
	local, other := r.copied.Split(r.cfg.Patterns)
	var found []module.Package
	if len(local) > 0 {
		var err error
		if found, err = r.copied.ListLocal(ctx, local...); err != nil {
			return nil, cmp.Or(ctx.Err(), refusal)
		}
	}
	if len(other) == 0 {
		return found, nil
	}
	more, err := r.copied.List(ctx, other...)
	return append(found, more...), err
}

// listByGoMod lists packages using go.mod, and returns the packages that need more requirements.
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
		if p.Dir == "" && !module.Standard(p.ImportPath) {
			left = append(left, p.ImportPath)
		}
	}
	return left
}

// listByCopy lists packages using a copy of go.mod. It asks only for packages of modules that the copy requires: import paths may
// be misspelled, and searching for them takes seconds. If one of the packages keeps the go command from listing the others, it asks
// only for the needed one.
func (r *Result) listByCopy(ctx context.Context, needed string, importPaths []string) {
	if r.copyModule(ctx) != nil {
		if found, err := r.goList(ctx, needed); err == nil {
			r.record(found, "")
		}
		return
	}
	local, other := r.copied.Split(importPaths)
	if len(local) > 0 {
		if found, err := r.copied.ListLocal(ctx, local...); err == nil {
			r.record(found, "")
		}
	}
	available := func(p string) bool {
		_, ok := r.copied.Owner(p)
		return ok || module.Standard(p)
	}
	if slices.ContainsFunc(other, func(p string) bool { return !available(p) }) {
		r.copied.ReadGraph(ctx)
	}
	var required []string
	for _, p := range other {
		if available(p) {
			required = append(required, p)
		} else {
			r.unavailable[p] = Unavailable{Reason: "no required module provides package " + p, Remedy: "run go get " + p}
		}
	}
	if len(required) == 0 {
		return
	}
	found, err := r.copied.List(ctx, required...)
	if err != nil && len(required) > 1 {
		found, err = r.copied.List(ctx, needed)
	}
	if err != nil {
		for _, p := range required {
			r.unavailable[p] = Unavailable{Module: r.moduleOf(p), Reason: reason(err)}
		}
	}
	for _, p := range found {
		r.record([]module.Package{p}, r.moduleOf(p.ImportPath))
	}
}

// moduleOf returns the required module whose path is a prefix of a package, as path@version; "" for packages of other modules.
func (r *Result) moduleOf(importPath string) string {
	if owner, _ := r.copied.Owner(importPath); owner.Version != "" {
		return owner.String()
	}
	return ""
}

// record keeps the go command's answer about packages, which belong to a module according to go.mod.
func (r *Result) record(found []module.Package, owner string) {
	for _, p := range found {
		r.listed[p.ImportPath] = p
		delete(r.unavailable, p.ImportPath)
		if p.Error != nil && p.Dir == "" {
			r.unavailable[p.ImportPath] = Unavailable{Module: owner, Reason: reason(errors.New(p.Error.Err))}
		}
	}
}

// copyModule creates the copy of go.mod, once.
func (r *Result) copyModule(ctx context.Context) error {
	if r.copied != nil {
		return nil
	}
	var err error
	r.copied, err = module.NewCopy(ctx, r.cfg.Dir, r.cfg.BuildTags, r.cfg.Complete)
	return err
}

// reason formats an error of the go command on one line.
func reason(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "go list: "), "go: ")
	return strings.Join(strings.Fields(text), " ")
}
