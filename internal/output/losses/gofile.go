package losses

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// License is the loss of a file's license header.
const License = "the license header"

// Go returns what a Go file has and the package would lack if it were replaced by another one: the names of exported declarations, methods
// and fields, build constraints, and a license header. Others are the other files that the package would have; they are only asked for if
// a name is missing in the file itself. Methods of types that the package lacks do not count. A file with a syntax error loses nothing.
func Go(before, after []byte, others func() [][]byte) (lost []string) {
	old, made := parse(before), parse(after)
	if old == nil || made == nil {
		return nil
	}
	kept := names{}
	kept.add(made)
	had := names{}
	had.add(old)
	had.without(kept)
	if len(had) > 0 {
		for _, text := range others() {
			if file := parse(text); file != nil {
				kept.add(file)
			}
		}
		had.without(kept)
	}
	for name := range had {
		owner, _, isMember := strings.Cut(name, ".")
		if token.IsExported(name) && (!isMember || kept[owner]) {
			lost = append(lost, name)
		}
	}
	slices.Sort(lost)
	if built := constraints(old); built != "" && built != constraints(made) {
		lost = append(lost, "the build constraint "+built)
	}
	if isLicensed(old) && !isLicensed(made) {
		lost = append(lost, License)
	}
	return lost
}

func parse(text []byte) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return file
}

// names are the names of declarations, and those of exported methods and fields below their types, as in Robot.DeepCopy.
type names map[string]bool

func (n names) without(others names) {
	for name := range others {
		delete(n, name)
	}
}

// add adds the names in a file.
func (n names) add(file *ast.File) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				n[d.Name.Name] = true
			} else if len(d.Recv.List) == 1 {
				n.member(base(d.Recv.List[0].Type), d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				n.spec(spec)
			}
		}
	}
}

func (n names) spec(spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			n[name.Name] = true
		}
	case *ast.TypeSpec:
		n[s.Name.Name] = true
		var fields *ast.FieldList
		switch t := s.Type.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default:
			return
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				n.member(s.Name.Name, name)
			}
		}
	}
}

func (n names) member(of string, name *ast.Ident) {
	if name.IsExported() {
		n[of+"."+name.Name] = true
	}
}

// base returns the name of a receiver's type.
func base(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return base(t.X)
	case *ast.IndexExpr:
		return base(t.X)
	case *ast.IndexListExpr:
		return base(t.X)
	}
	return ""
}

// constraints returns the build constraints of a file as one expression, also if they have the form of before Go 1.17.
func constraints(file *ast.File) string {
	var current string
	var old []string
	for _, group := range file.Comments {
		for _, comment := range group.List {
			expr, err := constraint.Parse(comment.Text)
			switch {
			case comment.Pos() > file.Package || err != nil:
			case constraint.IsGoBuild(comment.Text):
				current = expr.String()
			default:
				old = append(old, expr.String())
			}
		}
	}
	if current != "" {
		return current
	}
	return strings.Join(old, " && ")
}

func isLicensed(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.Pos() < file.Package && license().MatchString(group.Text())
	})
}

var license = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(copyright|licen[cs]ed?|spdx-license-identifier)\b`)
})
