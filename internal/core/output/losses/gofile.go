package losses

import (
	"cmp"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lazy"
)

// License is the loss of a file's license header.
const License = "the license header"

// Go returns the parts of a Go file that the package would lose with its replacement: the names of exported declarations, methods and
// fields, build constraints, and a license header. Others are the other files that the package would have; they are only asked for if a
// name is missing in the file itself. Methods of types that the package lacks do not count. A file with a syntax error loses nothing.
func Go(before, after []byte, others func() [][]byte) (lost []string) {
	old, made := parse(before), parse(after)
	if old == nil || made == nil {
		return nil
	}
	had, kept := Declared(nil, old), Declared(nil, made)
	lacking := func() []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(had)), func(name string) bool {
			_, isKept := kept[name]
			return isKept || !token.IsExported(name)
		})
	}
	if lost = lacking(); len(lost) > 0 {
		for _, text := range others() {
			maps.Copy(kept, Declared(nil, parse(text)))
		}
		lost = slices.DeleteFunc(lacking(), func(name string) bool {
			owner, _, isMember := strings.Cut(name, ".")
			_, exists := kept[owner]
			return isMember && !exists
		})
	}
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
	return cmp.Or(current, strings.Join(old, " && "))
}

func isLicensed(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.Pos() < file.Package && license().MatchString(group.Text())
	})
}

var license = lazy.Regexp(`(?i)\b(copyright|licen[cs]ed?|spdx-license-identifier)\b`)

// Declared returns the positions of a file's declarations by name, and of the exported methods and fields of types, as in Robot.DeepCopy.
// Without a file, there are none; without a file set, positions are invalid.
func Declared(fset *token.FileSet, file *ast.File) map[string]token.Position {
	declared := map[string]token.Position{}
	if file == nil {
		return declared
	}
	add := func(prefix string, names ...*ast.Ident) {
		for _, name := range names {
			if prefix == "" || name.IsExported() {
				var pos token.Position
				if fset != nil {
					pos = fset.Position(name.Pos())
				}
				declared[prefix+name.Name] = pos
			}
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add("", decl.Name)
			} else if len(decl.Recv.List) == 1 {
				add(gotype.EmbeddedName(decl.Recv.List[0].Type)+".", decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					add("", s.Names...)
				case *ast.TypeSpec:
					add("", s.Name)
					for _, member := range members(s.Type) {
						add(s.Name.Name+".", member.Names...)
					}
				}
			}
		}
	}
	return declared
}

// members returns the fields of a struct or the methods of an interface.
func members(expr ast.Expr) []*ast.Field {
	switch t := expr.(type) {
	case *ast.StructType:
		return t.Fields.List
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}
