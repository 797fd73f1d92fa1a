package losses

import (
	"go/ast"
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
)

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
