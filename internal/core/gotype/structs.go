package gotype

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// Pointee returns a type without its pointers. Aliases are resolved.
func Pointee(t types.Type) types.Type {
	t = types.Unalias(t)
	for pointer, ok := t.(*types.Pointer); ok; pointer, ok = t.(*types.Pointer) {
		t = types.Unalias(pointer.Elem())
	}
	return t
}

// Parts yields the types that values of an underlying type consist of: types of fields, keys and elements.
func Parts(underlying types.Type) iter.Seq[types.Type] {
	return func(yield func(types.Type) bool) {
		switch u := underlying.(type) {
		case *types.Struct:
			for field := range u.Fields() {
				if !yield(field.Type()) {
					return
				}
			}
		case *types.Map:
			_ = yield(u.Key()) && yield(u.Elem())
		case interface{ Elem() types.Type }:
			yield(u.Elem())
		}
	}
}

// FieldOf returns the field with this name that a struct declares itself. It returns nil for other types and names.
func (u *Universe) FieldOf(t types.Type, name string) *types.Var {
	structType, ok := u.Underlying(t).(*types.Struct)
	if !ok {
		return nil
	}
	for field := range structType.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}

// Promotes reports whether a struct, or a struct embedded in it, has a field with this name. If an embedded type cannot be resolved, it
// may have the field. Embedded fields that are called as one of the others are not searched.
func (u *Universe) Promotes(t types.Type, name string, others ...string) bool {
	field, unknown := u.Promoted(t, name, others...)
	return field != nil || unknown
}

// Promoted returns the field that Promotes finds, or unknown if an embedded type cannot be resolved.
func (u *Universe) Promoted(t types.Type, name string, others ...string) (found *types.Var, unknown bool) {
	level, seen := []types.Type{t}, map[types.Type]bool{}
	for len(level) > 0 {
		var next []types.Type
		for _, t := range level {
			switch structType := u.Underlying(Pointee(t)).(type) {
			case *Missing:
				return nil, true
			case *types.Struct:
				for field := range structType.Fields() {
					if field.Name() == name {
						return field, false
					}
					if field.Embedded() && !seen[field.Type()] && !slices.Contains(others, field.Name()) {
						seen[field.Type()] = true
						next = append(next, field.Type())
					}
				}
			}
		}
		level = next
	}
	return nil, false
}

// EmbedsOther reports whether a struct embeds types other than those with the given names.
func EmbedsOther(structType *ast.StructType, names ...string) bool {
	return slices.ContainsFunc(structType.Fields.List, func(f *ast.Field) bool {
		return len(f.Names) == 0 && !slices.Contains(names, EmbeddedName(f.Type))
	})
}

// FieldNames returns the names of the fields of a struct, including embedded fields.
func FieldNames(structType *ast.StructType) map[string]bool {
	names := map[string]bool{}
	for _, field := range structType.Fields.List {
		for _, name := range field.Names {
			names[name.Name] = true
		}
		if len(field.Names) == 0 {
			names[EmbeddedName(field.Type)] = true
		}
	}
	return names
}

// IsIdent reports whether an expression is one of the given identifiers.
func IsIdent(expr ast.Expr, names ...string) bool {
	ident, ok := expr.(*ast.Ident)
	return ok && slices.Contains(names, ident.Name)
}

// Method is a declared method of a type.
type Method struct {
	Name string
	// Pointer reports whether the receiver is a pointer.
	Pointer bool
	Type    *ast.FuncType
	// Body is nil in generated files, which are not fully parsed.
	Body *ast.BlockStmt
	File *load.File
	// Pos is the position of the method's name; token.NoPos in generated files.
	Pos token.Pos

	// header is the first line of a method in a generated file, from which Pointer and Type are read when they are needed: most types
	// do not have the requested methods.
	header string
}

// MethodNames returns the names of the methods of a type that files other than the named ones declare. It ignores embedded types.
// The named files are about to be regenerated, whatever their state.
func (d *Decl) MethodNames(except ...string) []string {
	d.Package.readHeaders()
	methods := lists.Filter(d.Package.methods[d.Name()], func(m *Method) bool { return !m.isIn(except) })
	return lists.Map(methods, func(m *Method) string { return m.Name })
}

// Method returns the method of a type with this name, if files other than the named ones declare it; see MethodNames.
func (d *Decl) Method(name string, except ...string) (Method, bool) {
	d.Package.readHeaders()
	for _, m := range d.Package.methods[d.Name()] {
		if m.Name == name && !m.isIn(except) && (m.header == "" || m.parseHeader()) {
			return *m, true
		}
	}
	return Method{}, false
}

// isIn reports whether one of the named files declares the method.
func (m *Method) isIn(files []string) bool {
	return len(files) > 0 && slices.Contains(files, filepath.Base(m.File.Name))
}

// newMethod returns a method and the name of its type; "" if the receiver is invalid.
func newMethod(file *load.File, d *ast.FuncDecl) (m *Method, receiver string) {
	m = &Method{Name: d.Name.Name, Type: d.Type, Body: d.Body, File: file, Pos: d.Name.Pos()}
	if len(d.Recv.List) == 1 {
		_, m.Pointer = ast.Unparen(d.Recv.List[0].Type).(*ast.StarExpr)
		receiver = EmbeddedName(d.Recv.List[0].Type)
	}
	return m, receiver
}

// readHeaders finds the methods in generated files that are not fully parsed, such as the deep copies of a dependency.
func (p *Package) readHeaders() {
	if p.headersRead {
		return
	}
	p.headersRead = true
	for _, file := range p.Unparsed {
		for _, line := range file.Methods {
			rest := strings.TrimPrefix(line, "func (")
			receiver, signature, _ := strings.Cut(rest, ") ")
			receiver, _, _ = strings.Cut(receiver, "[")
			base := receiver[strings.LastIndexAny(receiver, " *")+1:]
			name, _, _ := strings.Cut(signature, "(")
			p.methods[base] = append(p.methods[base], &Method{Name: name, File: file, header: line})
		}
	}
}

// parseHeader completes a method whose header is known. It returns false if the header is not a method's.
func (m *Method) parseHeader() bool {
	text := "package p;" + m.header
	if strings.HasSuffix(text, "{") {
		text += "}"
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return false
	}
	d, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok || d.Recv == nil {
		return false
	}
	parsed, _ := newMethod(m.File, d)
	m.Pointer, m.Type, m.header = parsed.Pointer, parsed.Type, "" // body and position belong to another file set
	return true
}
