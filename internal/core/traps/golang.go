package traps

import (
	"go/ast"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
)

// newer is the first release of Go with encoding/json/v2, and whose go fix knows kubebuilder's markers.
const newer = "go1.27"

// isNewer reports whether the module of a package requires this release.
func isNewer(pkg *gotype.Package) bool {
	return pkg.Module != nil && version.Compare("go"+pkg.Module.GoVersion, newer) >= 0
}

const jsonV2 = "encoding/json/v2"

// jsonV2 finds fields that encoding/json/v2 encodes in another way than encoding/json, in packages that use it or whose importers do.
func (c *checker) jsonV2() {
	users, importers := map[*gotype.Package]string{}, map[string][]importer{}
	for _, f := range c.fields {
		pkg := f.of.Package
		user, known := users[pkg]
		if !known {
			user = c.userOfV2(pkg, importers)
			users[pkg] = user
		}
		if user == "" {
			continue
		}
		if difference, hint := c.differs(f); difference != "" {
			c.warn(f.Pos(), hint, "%s with %s, which %s imports, %s", f, jsonV2, user, difference)
		}
	}
}

// differs describes how encoding/json/v2 encodes a field; "" if it encodes it as encoding/json does.
func (c *checker) differs(f field) (difference, hint string) {
	basic := c.basic(f.Type())
	_, isPointer := types.Unalias(f.Type()).(*types.Pointer)
	array, isArray := c.Underlying(f.Type()).(*types.Array)
	d := c.Decl(gotype.Pointee(f.Type()))
	switch {
	case d != nil && d.Package.Path == "time" && d.Name() == "Duration":
		return "cannot be encoded", "use metav1.Duration"
	case basic != nil && f.tag.Has("string") && basic.Info()&types.IsString != 0:
		return "cannot be encoded", "remove the option string"
	case basic != nil && !isPointer && f.tag.Has("omitempty") && !f.tag.Has("omitzero") &&
		basic.Info()&(types.IsNumeric|types.IsBoolean) != 0:
		return "is not omitted if it is zero", "encode it with encoding/json or apimachinery, or add the option omitzero"
	case isArray && c.isByte(array.Elem()) && c.Encoding(f.Type()) == gotype.Structured:
		return "is a string in base64 instead of an array", "encode it with encoding/json or apimachinery"
	}
	return "", ""
}

// importer is a file that imports encoding/json/v2, with its name in the module.
type importer struct {
	*ast.File

	name string
}

// userOfV2 returns a file that imports encoding/json/v2: a file of the package, or a file of the module that imports the package, too.
// Earlier releases of Go lack encoding/json/v2 unless an experiment is on. The files of each module are read once.
func (c *checker) userOfV2(pkg *gotype.Package, importers map[string][]importer) string {
	for _, file := range pkg.Files {
		if imports(file.File, jsonV2) {
			return filepath.Base(file.Name)
		}
	}
	if !isNewer(pkg) || pkg.Module.Dir == "" {
		return ""
	}
	of, known := importers[pkg.Module.Dir]
	if !known {
		// Directories that cannot be read have no importers.
		packages, fset, _ := load.Containing(c.ctx, *pkg.Module, pkg.Module.Dir, nil, strconv.Quote(jsonV2))
		for _, file := range slices.Concat(packages...) {
			of = append(of, importer{file, filepath.ToSlash(diag.Relative(pkg.Module.Dir, fset.Position(file.Package).Filename))})
		}
		importers[pkg.Module.Dir] = of
	}
	for _, file := range of {
		if imports(file.File, jsonV2) && imports(file.File, pkg.Path) {
			return file.name
		}
	}
	return ""
}

// imports reports whether a file imports a package.
func imports(file *ast.File, importPath string) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(importPath) })
}

// goFix finds fields that become required in definitions once go fix has removed omitempty from their tags. It leaves packages with
// kubebuilder's markers alone.
func (c *checker) goFix() {
	for _, f := range c.fields {
		_, isStruct := c.Underlying(f.Type()).(*types.Struct)
		if !isNewer(f.of.Package) || !isStruct || !f.tag.Has("omitempty") || f.tag.Has("omitzero") || f.tag.Inline {
			continue
		}
		decided := slices.ContainsFunc([]string{"optional", "required", "k8s:optional", "k8s:required"}, c.markers(f).Has)
		if decided || mentionsKubebuilder(f.of.Package) {
			continue
		}
		c.warn(f.Pos(), "put // +optional above it, or run go fix -omitzero=false",
			"%s is required in the definition once go fix has removed omitempty, because the field is a struct", f)
	}
}

// mentionsKubebuilder reports whether a comment of a package has a marker of kubebuilder.
func mentionsKubebuilder(pkg *gotype.Package) bool {
	return slices.ContainsFunc(pkg.Files, func(file *load.File) bool {
		return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool { return mentions(group, "+kubebuilder:") })
	})
}
