package resolve

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"

	validation "k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// versionLike matches what a folder or package is called when it is called after a version.
var versionLike = regexp.MustCompile(`^v[0-9]+[a-z0-9]*$`)

// versionOf reads what a package says about its group and version. It returns a version without kinds, in a group
// that holds nothing else yet.
func (s *source) versionOf(diags *diag.List) (*model.Version, Facts) {
	variable, declared := s.groupVersionVar()
	var facts Facts
	v := &model.Version{
		Group: &model.Group{Name: s.groupName(variable, declared.Group, diags, &facts)},
		Source: model.Source{
			Path: s.Path, GroupVersion: variable,
			AddToScheme: s.addToScheme(), Resource: s.hasResourceFunc(),
		},
		Generate: model.Activation{
			Client:   s.activated(marker.ClientGen),
			Lister:   s.activated(marker.ListerGen),
			Informer: s.activated(marker.InformerGen),
			Apply:    s.activated(marker.ApplyConfigurationGen),
		},
	}
	s.setFolders(v, declared.Version, diags)
	v.Package = model.PackageName(v.Folder)
	because := "folder or package name"
	if declared.Version != "" {
		because = "variable " + variable
	}
	facts.add("version", v.Name, because, s.start())
	return v, facts
}

// groupName returns the group by the first that speaks: the +groupName tag, the package's GroupVersion variable, the
// folder above the version, which is code-generator's rule.
func (s *source) groupName(variable, declared string, diags *diag.List, facts *Facts) string {
	tag, tagged := s.tags.Get(marker.GroupName)
	name := declared
	if tagged {
		name = tag.Value
		facts.addMarker("group", name, tag)
		if declared != "" && declared != name {
			diags.AddHint(tag.Pos, "make both the same", "+groupName=%s contradicts the group %q of this package's GroupVersion variable", name, declared)
		}
	}
	if !tagged && name == "" {
		name = folderAbove(s.Path)
		if name == "" {
			diags.AddHint(s.start(), "add a comment // +groupName=<group> above the package clause", "the API group of package %s is not known", s.Path)
			return "unknown"
		}
		facts.add("group", name, "folder", s.start())
	} else if !tagged {
		facts.add("group", name, "variable "+variable, s.start())
	}
	if name != "" && len(validation.IsDNS1123Subdomain(name)) > 0 {
		pos := s.start()
		if tagged {
			pos = tag.ValuePos(0)
		}
		diags.AddHint(pos, "a group is a DNS name in lower case, such as apps or fleet.example.com", "invalid API group %q", name)
	}
	return name
}

// setFolders derives the names of the version. Folders are named by code-generator's rule, after the folders of the
// source, as far as these are named after a group and a version at all.
func (s *source) setFolders(v *model.Version, declared string, diags *diag.List) {
	leaf := path.Base(s.Path)
	v.Folder = leaf
	v.GroupFolder = folderAbove(s.Path)
	if !versionLike.MatchString(leaf) {
		v.Folder = s.unnamedVersion(declared)
		if v.GroupFolder = leaf; leaf == "api" || leaf == "apis" || !strings.Contains(s.Path, "/") {
			v.GroupFolder = ""
		}
	}
	if v.GroupFolder == "" {
		v.GroupFolder = v.Group.FirstLabel()
	}
	v.GroupFolder, v.Folder = strings.ToLower(v.GroupFolder), strings.ToLower(v.Folder)
	v.GoName = model.UpperFirst(v.Folder)
	v.Name = v.Folder
	if declared != "" {
		v.Name = declared
	}
	if len(validation.IsDNS1123Label(v.Name)) > 0 || !token.IsIdentifier(v.GoName) {
		diags.AddHint(s.start(), "name the package after the version, as in package v1alpha1", "package %s: %q is not a version of an API", s.Path, v.Name)
	}
}

// unnamedVersion finds the version of a package whose folder is not named after one.
func (s *source) unnamedVersion(declared string) string {
	if declared != "" {
		return declared
	}
	if versionLike.MatchString(s.Name) {
		return s.Name
	}
	return path.Base(s.Path)
}

// folderAbove returns the name of the folder above the version, or "" where there is none that could be a group's.
func folderAbove(importPath string) string {
	parent := path.Base(path.Dir(importPath))
	if parent == "." || parent == "/" || parent == "api" || parent == "apis" {
		return ""
	}
	return parent
}

// activated tells whether the package has not opted out of a generator.
func (s *source) activated(tag string) bool {
	m, ok := s.tags.Get(tag)
	return !ok || m.Value != "false"
}

// groupVersionVar finds the package's variable of type schema.GroupVersion, and the group and version in it as far as
// they can be read without evaluating expressions of other packages. register-gen's GroupVersion is of another type
// (metav1.GroupVersion), so the type matters.
func (s *source) groupVersionVar() (name string, declared struct{ Group, Version string }) {
	for _, candidate := range []string{"SchemeGroupVersion", "GroupVersion"} {
		spec, ok := s.Values[candidate]
		if !ok {
			continue
		}
		literal := valueOf(spec, candidate)
		selector, ok := literalType(literal).(*ast.SelectorExpr)
		if ok && (selector.Sel.Name != "GroupVersion" || isIdent(selector.X, "metav1", "v1")) {
			continue
		}
		if ok {
			declared.Group, declared.Version = s.stringField(literal, "Group"), s.stringField(literal, "Version")
		}
		return candidate, declared
	}
	return "", declared
}

// valueOf returns the expression that the named variable or constant of the declaration is initialized with.
func valueOf(spec *ast.ValueSpec, name string) ast.Expr {
	if spec == nil {
		return nil
	}
	for i, ident := range spec.Names {
		if ident.Name == name && i < len(spec.Values) {
			return spec.Values[i]
		}
	}
	return nil
}

func literalType(expr ast.Expr) ast.Expr {
	if literal, ok := expr.(*ast.CompositeLit); ok {
		return literal.Type
	}
	return nil
}

func isIdent(expr ast.Expr, names ...string) bool {
	ident, ok := expr.(*ast.Ident)
	if !ok {
		return false
	}
	for _, name := range names {
		if ident.Name == name {
			return true
		}
	}
	return false
}

// stringField returns the string that a field of a composite literal is set to, or "" if it is not a string literal or
// a constant of this package.
func (s *source) stringField(expr ast.Expr, field string) string {
	for _, element := range expr.(*ast.CompositeLit).Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok && isIdent(pair.Key, field) {
			return s.stringValue(pair.Value)
		}
	}
	return ""
}

func (s *source) stringValue(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if value, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return value
		}
	case *ast.Ident:
		if spec, ok := s.Values[e.Name]; ok {
			if literal, ok := valueOf(spec, e.Name).(*ast.BasicLit); ok {
				return s.stringValue(literal)
			}
		}
	}
	return ""
}

// addToScheme returns the name of what adds the package's types to a scheme: a variable, or a function that returns
// an error. Functions without a result belong to internal versions' install packages.
func (s *source) addToScheme() string {
	for _, name := range []string{"AddToScheme", "Install"} {
		if _, ok := s.Values[name]; ok {
			return name
		}
		if f, ok := s.Funcs[name]; ok && f.Type.Results.NumFields() == 1 && f.Type.Params.NumFields() == 1 {
			return name
		}
	}
	return ""
}

func (s *source) hasResourceFunc() bool {
	f, ok := s.Funcs["Resource"]
	return ok && f.Type.Params.NumFields() == 1 && f.Type.Results.NumFields() == 1
}
