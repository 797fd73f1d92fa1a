package losses

import (
	"go/ast"
	"go/token"

	"github.com/informer-gen-lite/informer-gen-lite/internal/gotype"
)

// Declared returns the positions of a file's declarations by name, and of the exported methods and fields of types, as in Robot.DeepCopy.
// Without a file, there are none; without a file set, positions are invalid.
func Declared(fset *token.FileSet, file *ast.File) map[string]token.Position {
	d := declared{fset, map[string]token.Position{}}
	if file == nil {
		return d.names
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				d.add("", decl.Name)
			} else if len(decl.Recv.List) == 1 {
				d.add(gotype.EmbeddedName(decl.Recv.List[0].Type), decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.spec(spec)
			}
		}
	}
	return d.names
}

type declared struct {
	fset  *token.FileSet
	names map[string]token.Position
}

// add adds a name, which may be a member of a type.
func (d declared) add(owner string, name *ast.Ident) {
	var pos token.Position
	if d.fset != nil {
		pos = d.fset.Position(name.Pos())
	}
	if owner == "" {
		d.names[name.Name] = pos
	} else if name.IsExported() {
		d.names[owner+"."+name.Name] = pos
	}
}

func (d declared) spec(spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			d.add("", name)
		}
	case *ast.TypeSpec:
		d.add("", s.Name)
		var members ast.FieldList
		switch t := s.Type.(type) {
		case *ast.StructType:
			members = *t.Fields
		case *ast.InterfaceType:
			members = *t.Methods
		}
		for _, field := range members.List {
			for _, name := range field.Names {
				d.add(s.Name.Name, name)
			}
		}
	}
}
