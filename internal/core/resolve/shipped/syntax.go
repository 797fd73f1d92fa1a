package shipped

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/goname"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
)

// client is the client of a type, as the source of its clientset describes it.
type client struct {
	clientset string
	// group is the method of the clientset that returns the client of the group, plural the method of that client.
	group, plural string
	namespaced    bool
	verbs         model.Verbs
	// apply is the import path of the apply configuration; "" without one.
	apply string
	// resource may be "".
	resource string
}

// syntax is a package with complete files: loaded packages lack the bodies of functions.
type syntax struct {
	sources [][]byte
	// interfaces are the interface types by name, with their files.
	interfaces map[string]declared
}

type declared struct {
	*ast.InterfaceType
	file *ast.File
}

// read returns the syntax of a package, which is empty if there is no such package.
func (f *Finder) read(importPath string) *syntax {
	if s := f.packages[importPath]; s != nil {
		return s
	}
	s := &syntax{interfaces: map[string]declared{}}
	f.packages[importPath] = s
	pkg := f.universe.Package(importPath)
	if pkg == nil {
		return s
	}
	fset, files := token.NewFileSet(), []*load.File(nil)
	for _, of := range slices.Concat(pkg.Files, pkg.Unparsed) { // the compiler reports files that cannot be read or parsed
		src, _ := of.Read()
		if file, err := parser.ParseFile(fset, of.Name, src, parser.SkipObjectResolution); err == nil {
			s.sources, files = append(s.sources, src), append(files, &load.File{Name: of.Name, File: file})
		}
	}
	for name, decl := range gotype.NewPackage(fset, &load.Package{Files: files}).Types {
		if i, ok := decl.Spec.Type.(*ast.InterfaceType); ok {
			s.interfaces[name] = declared{i, decl.File.File}
		}
	}
	return s
}

// declares reports whether a package declares a function.
func (f *Finder) declares(importPath, function string) bool {
	return importPath != "" && slices.ContainsFunc(f.read(importPath).sources, func(src []byte) bool {
		return bytes.Contains(src, []byte("\nfunc "+function+"("))
	})
}

// clientIn returns the client that a clientset has for a type.
func (f *Finder) clientIn(clientset, importPath, name string) (client, bool) {
	methods, ok := f.read(clientset).interfaces["Interface"]
	if !ok || !f.declares(clientset, "NewForConfig") {
		return client{}, false
	}
	for _, group := range methods.Methods.List {
		function, ok := group.Type.(*ast.FuncType)
		if !ok {
			continue
		}
		typed, groupClient := methods.result(function)
		if typed == "" {
			continue
		}
		if c, ok := f.read(typed).clientOf(groupClient, importPath, name); ok {
			c.clientset, c.group = clientset, group.Names[0].Name
			return c, true
		}
	}
	return client{}, false
}

// clientOf returns the client for a type that the client of a group has. Its interface embeds one for each kind, with one method.
func (s *syntax) clientOf(groupClient, importPath, name string) (client, bool) {
	for _, embedded := range s.interfaces[groupClient].methods() {
		getter, ok := embedded.Type.(*ast.Ident)
		if !ok {
			continue
		}
		for _, method := range s.interfaces[getter.Name].methods() {
			function, ok := method.Type.(*ast.FuncType)
			if !ok || function.Results.NumFields() != 1 {
				continue
			}
			result, _ := function.Results.List[0].Type.(*ast.Ident)
			if result == nil || !s.interfaces[result.Name].isClientOf(importPath, name) {
				continue
			}
			c := s.interfaces[result.Name].client()
			c.plural, c.namespaced = method.Names[0].Name, function.Params.NumFields() > 0
			return c, true
		}
	}
	return client{}, false
}

// methods returns the methods and embedded types of an interface.
func (d declared) methods() []*ast.Field {
	if d.InterfaceType == nil {
		return nil
	}
	return d.Methods.List
}

// isClientOf reports whether the interface is for the client of a type. Custom methods may return other types.
func (d declared) isClientOf(importPath, name string) bool {
	return slices.ContainsFunc(d.methods(), func(method *ast.Field) bool {
		function, ok := method.Type.(*ast.FuncType)
		if !ok || !slices.Contains([]string{"Get", "Create", "List"}, method.Names[0].Name) {
			return false
		}
		p, n := d.result(function)
		return p == importPath && (n == name || n == name+"List")
	})
}

// client returns the client that an interface and its file describe.
func (d declared) client() client {
	c := client{resource: resource(d.file)}
	for _, method := range d.methods() {
		function, ok := method.Type.(*ast.FuncType)
		if !ok {
			continue
		}
		verb := model.Verb(goname.LowerFirst(method.Names[0].Name))
		if slices.Contains(model.AllVerbs, verb) {
			c.verbs = append(c.verbs, verb)
		}
		if verb == model.Apply && len(function.Params.List) > 1 {
			c.apply, _ = d.qualified(function.Params.List[1].Type)
		}
	}
	return c
}

// result returns the package and name of the first result of a method, if it is a type of another package or a pointer to one.
func (d declared) result(function *ast.FuncType) (importPath, name string) {
	if function.Results.NumFields() == 0 {
		return "", ""
	}
	return d.qualified(function.Results.List[0].Type)
}

// qualified returns the package and name of a type of another package, or of the type that a pointer to it points to.
func (d declared) qualified(expr ast.Expr) (importPath, name string) {
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	qualifier, ok := selector.X.(*ast.Ident)
	if !ok {
		return "", ""
	}
	for _, spec := range d.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (spec.Name == nil && path.Base(imported) == qualifier.Name || spec.Name != nil && spec.Name.Name == qualifier.Name) {
			return imported, selector.Sel.Name
		}
	}
	return "", ""
}

// resource returns the resource that the client in a file requests: the first string that it passes to a constructor of package gentype or,
// in older clients, to the method Resource of a request; "" without one.
func resource(file *ast.File) (found string) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || found != "" {
			return found == ""
		}
		literal, ok := call.Args[0].(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		function := call.Fun
		switch indexed := function.(type) {
		case *ast.IndexExpr:
			function = indexed.X
		case *ast.IndexListExpr:
			function = indexed.X
		}
		if selector, ok := function.(*ast.SelectorExpr); ok {
			if qualifier, _ := selector.X.(*ast.Ident); selector.Sel.Name == "Resource" || qualifier != nil && qualifier.Name == "gentype" {
				found, _ = strconv.Unquote(literal.Value) // the parser accepts valid literals only
			}
		}
		return found == ""
	})
	return found
}
