package render

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Target describes the package that run-time code is emitted into.
type Target interface {
	Capabilities
	// Package returns the name of the package.
	Package() string
	// ImportPaths maps import paths in emitted files to those in the result.
	ImportPaths() map[string]string
}

// Capabilities are the features of the client-go that a package is emitted for; see model.Target.
type Capabilities interface {
	// Has reports whether a feature exists. It fails for names that no release knows.
	Has(capability string) (bool, error)
}

// Runtime returns the jobs that emit files as a separate package, which imports no generated package.
func Runtime(files []string, dir string, target Capabilities) []Job {
	view := runtimePackage{path.Base(dir), target}
	jobs := make([]Job, 0, len(files))
	for _, file := range files {
		jobs = append(jobs, Job{Path: path.Join(dir, path.Base(file)), Emit: file, View: view})
	}
	return jobs
}

// runtimePackage is the Target of Runtime.
type runtimePackage struct {
	name string
	Capabilities
}

// Package implements Target.
func (p runtimePackage) Package() string { return p.name }

// ImportPaths implements Target.
func (runtimePackage) ImportPaths() map[string]string { return nil }

// onlyIf ends the code of lines that need a capability of the target. Its name follows.
const onlyIf = "//emit:if "

// Capable returns an emitted file without the lines that need a capability that the target lacks.
func Capable(src []byte, target Capabilities) ([]byte, error) {
	if !bytes.Contains(src, []byte(onlyIf)) {
		return src, nil
	}
	var kept []byte
	for line := range bytes.Lines(src) {
		code, capability, conditional := bytes.Cut(line, []byte(onlyIf))
		if !conditional {
			kept = append(kept, line...)
			continue
		}
		has, err := target.Has(string(bytes.TrimSpace(capability)))
		if err != nil {
			return nil, err
		}
		if has {
			kept = append(append(kept, bytes.TrimRight(code, " \t")...), '\n')
		}
	}
	return kept, nil
}

// emit renders a file of run-time code.
func (r *Renderer) emit(job Job) (File, error) {
	src, err := fs.ReadFile(r.emitted, job.Emit)
	if err != nil {
		return File{}, fmt.Errorf("internal error: %s: %w", job.Path, err)
	}
	target, ok := job.View.(Target)
	if !ok {
		return File{}, fmt.Errorf("internal error: %s: %T is not the target of an emitted file", job.Path, job.View)
	}
	if src, err = Capable(src, target); err != nil {
		return File{}, fmt.Errorf("internal error: %s: %w", job.Emit, err)
	}
	content, err := moved(slices.Concat(r.boilerplate, r.mark, src), target)
	if err != nil {
		return File{}, fmt.Errorf("internal error: %s: %w", job.Path, err)
	}
	return File{Path: job.Path, Content: content}, nil
}

// moved returns a Go file for another package. Only the package clause and the imports are printed. The rest is copied, because emitted
// files are formatted.
func moved(src []byte, target Target) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	end := file.Name.End()
	if len(file.Decls) > 0 {
		end = file.Decls[len(file.Decls)-1].End()
	}
	// The parser may have read a comment after the imports, which is copied with the rest.
	file.Comments = slices.DeleteFunc(file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() >= end })
	if file.Doc != nil {
		first := file.Doc.List[0]
		if rest, ok := strings.CutPrefix(first.Text, "// Package "+file.Name.Name+" "); ok {
			first.Text = "// Package " + target.Package() + " " + rest
		}
	}
	file.Name.Name = target.Package()
	paths := target.ImportPaths()
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if to, ok := paths[importPath]; ok {
			spec.Path.Value = strconv.Quote(to)
		}
	}
	ast.SortImports(fset, file)
	rest := src[fset.Position(end).Offset:]
	var b bytes.Buffer
	b.Grow(len(src) + 256)
	if err := gofmt.Fprint(&b, fset, file); err != nil {
		return nil, err
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), rest...), nil
}
