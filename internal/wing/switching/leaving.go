package switching

import (
	"bytes"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/module"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/regular"
)

// codeGenerator is the module that a complete switch does without.
const codeGenerator = "k8s.io/code-generator"

// requirers are modules that require code-generator and that repositories with APIs often require themselves.
var requirers = []string{"sigs.k8s.io/controller-tools", "knative.dev/pkg"}

// leaving names what keeps code-generator in the go.mod of the module with a directory, after a switch that no call survives: imports in
// tools.go, tool directives, and modules that require it.
func leaving(dir string) (diags diag.List) {
	owner, err := module.Owner(dir)
	if err != nil {
		return nil
	}
	name := filepath.Join(owner.Dir, "go.mod")
	text, err := regular.ReadFile(name)
	if err != nil {
		return nil
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil
	}
	required := func(path string) *modfile.Require {
		i := slices.IndexFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
		if i < 0 {
			return nil
		}
		return file.Require[i]
	}
	if required(codeGenerator) == nil {
		return nil
	}
	const message, hint = "nothing needs " + codeGenerator + " any more", "remove this line when the calls are gone, and run go mod tidy"
	at := func(line int) token.Position { return token.Position{Filename: name, Line: line, Column: 1} }
	imports, used := importsOf(owner.Dir)
	if used.IsValid() {
		diags.Warn(used, "", "%s stays in go.mod: this file imports it", codeGenerator)
		return diags
	}
	for _, pos := range imports {
		diags.Warn(pos, hint, message)
	}
	for _, tool := range file.Tool {
		if tool.Path == codeGenerator || strings.HasPrefix(tool.Path, codeGenerator+"/") {
			diags.Warn(at(tool.Syntax.Start.Line), hint, message)
		}
	}
	for _, path := range requirers {
		if r := required(path); r != nil && len(diags) > 0 {
			diags.Warn(at(r.Syntax.Start.Line), "it stays as an indirect requirement", "%s requires %s", path, codeGenerator)
		}
	}
	return diags
}

// importsOf returns the blank imports of code-generator below a directory, and the first of other imports.
func importsOf(dir string) (blank []token.Position, used token.Position) {
	repo := repository.At(dir)
	for name := range repo.Files(dir) {
		text, ok := repo.Read(name)
		if filepath.Ext(name) != ".go" || !ok || !bytes.Contains(text, []byte(`"`+codeGenerator)) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			switch pos := fset.Position(spec.Pos()); {
			case path != codeGenerator && !strings.HasPrefix(path, codeGenerator+"/"):
			case spec.Name != nil && spec.Name.Name == "_":
				blank = append(blank, pos)
			case !used.IsValid():
				used = pos
			}
		}
	}
	return blank, used
}
