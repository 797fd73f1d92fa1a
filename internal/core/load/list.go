package load

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
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
