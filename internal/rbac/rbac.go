// Package rbac generates roles from what controllers need and from markers.
//
// It runs the generator of controller-gen from its library, so +kubebuilder:rbac means the same here. What controllers need, the library
// gets as if it were in such markers.
package rbac

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"

	"github.com/informer-gen-lite/informer-gen-lite/internal/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// Config configures Generate.
type Config struct {
	// Sources are the files with markers, by package.
	Sources [][]*ast.File
	Fset    *token.FileSet
	// Controllers have permissions that follow from the API.
	Controllers []Controller
	// Namespaces restrict these permissions, except for objects without a namespace; none for all namespaces.
	Namespaces []string
	Options    Options
}

// Controller is the controller of one kind.
type Controller struct {
	// Role is the name of its roles.
	Role        string
	Permissions []model.Permission
}

// Options are the options of controller-gen's generator rbac.
type Options struct{ generator rbac.Generator }

// FileName returns the name of the file with the roles.
func (o Options) FileName() string { return cmp.Or(o.generator.FileName, "role.yaml") }

// ParseOptions reads options in the syntax of controller-gen's command line, such as fileName=role.yaml, without the name of the role. File
// names are relative to dir.
func ParseOptions(dir, roleName string, options []string) (Options, error) {
	generator, err := crd.Parse[rbac.Generator]("rbac", []string{"roleName=" + roleName}, options)
	if generator.HeaderFile != "" {
		generator.HeaderFile = diag.Absolute(dir, generator.HeaderFile)
	}
	return Options{generator}, err
}

// Generate returns the manifests with the roles: one file, or none if no permissions are needed. Invalid markers are a diag.List.
func Generate(cfg Config) ([]crd.Definition, error) {
	registry := &markers.Registry{}
	if err := cfg.Options.generator.RegisterMarkers(registry); err != nil {
		return nil, err
	}
	files := crd.Artifacts{}
	ctx := genall.GenerationContext{
		Collector: &markers.Collector{Registry: registry}, OutputRule: files, InputRule: genall.InputFromFileSystem,
	}
	var problems diag.List
	for _, sources := range append(cfg.Sources, []*ast.File{{Name: ast.NewIdent("derived")}}) {
		root := &loader.Package{Package: &packages.Package{Syntax: sources}}
		if _, err := ctx.Collector.MarkersInPackage(root); err != nil {
			problems = append(problems, located(err, cfg.Fset)...)
		}
		ctx.Roots = append(ctx.Roots, root)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	derived := ctx.Roots[len(ctx.Roots)-1]
	nodes, err := ctx.Collector.MarkersInPackage(derived) // the collector keeps the map, so more can be added
	if err != nil {
		return nil, err
	}
	nodes[derived.Syntax[0]] = markers.MarkerValues{rbac.RuleDefinition.Name: cfg.rules()}
	if err := cfg.Options.generator.Generate(&ctx); err != nil {
		return nil, err
	}
	return files.Definitions(), nil
}

// rules returns the permissions of the controllers as values of markers.
func (c Config) rules() (rules []any) {
	for _, controller := range c.Controllers {
		for _, p := range controller.Permissions {
			rule := rbac.Rule{
				Groups: p.Groups, Resources: p.Resources, ResourceNames: p.Names, Verbs: p.Verbs, URLs: p.URLs,
				RoleName: controller.Role,
			}
			if p.Lease {
				rule.RoleName = model.LeaseRole(controller.Role)
				if len(p.Names) > 0 && !slices.Contains(p.Names, controller.Role) {
					// The lease of a command has the name of its role. With manager.LeasePerController, each controller has its own.
					rule.ResourceNames = append([]string{controller.Role}, p.Names...)
				}
				rules = append(rules, rule)
				continue
			}
			for _, rule.Namespace = range p.In(c.Namespaces) {
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

// located returns the errors of invalid markers with their positions. The further errors of a marker follow from its first one.
func located(err error, fset *token.FileSet) (found diag.List) {
	if all, ok := err.(loader.ErrList); ok { //nolint:errorlint // lists are not wrapped
		for _, ofMarker := range all {
			found = append(found, located(crd.First(ofMarker), fset)...)
		}
		return found
	}
	var pos token.Position
	if positioned, ok := errors.AsType[loader.PositionedError](err); ok {
		pos = fset.Position(positioned.Pos)
	}
	found.Add(pos, "%s", err)
	return found
}

// Marked is a permission that a marker asks for.
type Marked struct {
	model.Permission

	// Role is the name of the role that the marker names; "" if it names none.
	Role string
	Pos  token.Position
}

// Markers returns the permissions of valid +kubebuilder:rbac markers with their positions.
func Markers(sources [][]*ast.File, fset *token.FileSet) (all []Marked) {
	for _, file := range slices.Concat(sources...) {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
				if !strings.HasPrefix(text, marker) {
					continue
				}
				if parsed, err := rbac.RuleDefinition.Parse(text); err == nil {
					rule := parsed.(rbac.Rule)
					plus := comment.Pos() + token.Pos(strings.Index(comment.Text, marker))
					all = append(all, Marked{permission(rule), rule.RoleName, fset.Position(plus)})
				}
			}
		}
	}
	return all
}

// Unread warns about markers for packages that controller-gen ignores because of their place, in files with markers for roles: those in
// the comment of a declaration, or within one. Its library decides that, about a numbered rule instead of each marker.
func Unread(sources [][]*ast.File, fset *token.FileSet) (warnings diag.List) {
	const remedy = "separate it from the declaration by an empty line, or move it out"
	ofPackages := regexp.MustCompile(`^//\s*(\+kubebuilder:(?:rbac|webhook|webhookconfiguration|skip))(?:[:=]|\s*$)`)
	registry := &markers.Registry{}
	_ = registry.Register(rbac.RuleDefinition) // it has no other markers
	for _, file := range slices.Concat(sources...) {
		var all []*ast.Comment
		var texts []string
		for _, group := range file.Comments {
			for _, c := range group.List {
				if ofPackages.MatchString(c.Text) {
					all, texts = append(all, c), append(texts, c.Text)
					c.Text = "// " + marker + "verbs=" + strconv.Itoa(len(texts)-1)
				}
			}
		}
		root := &loader.Package{Package: &packages.Package{Syntax: []*ast.File{file}}}
		nodes, _ := (&markers.Collector{Registry: registry}).MarkersInPackage(root) // these rules are valid
		for i, c := range all {
			c.Text = texts[i]
			isRead := func(rule any) bool { return rule.(rbac.Rule).Verbs[0] == strconv.Itoa(i) }
			if !slices.ContainsFunc(nodes[file][rbac.RuleDefinition.Name], isRead) {
				name := ofPackages.FindStringSubmatch(c.Text)[1]
				plus := c.Pos() + token.Pos(strings.Index(c.Text, name))
				warnings.Warn(fset.Position(plus), remedy, "marker %s has no effect here: it describes the package", name)
			}
		}
	}
	return warnings
}

var marker = "+" + rbac.RuleDefinition.Name + ":"

// ParsePermission reads a permission in the syntax of +kubebuilder:rbac.
func ParsePermission(value string) (model.Permission, error) {
	parsed, err := rbac.RuleDefinition.Parse(marker + value)
	rule, _ := parsed.(rbac.Rule)
	switch {
	case err != nil:
		return model.Permission{}, crd.First(err)
	case len(rule.Resources) == 0 && len(rule.URLs) == 0:
		return model.Permission{}, errors.New("neither resources nor urls")
	case len(rule.Resources) > 0 && len(rule.Groups) == 0:
		return model.Permission{}, errors.New(`no groups: write groups=core for Kubernetes' core group`)
	case rule.RoleName != "":
		return model.Permission{}, fmt.Errorf("roleName=%s: the role is that of the controller", rule.RoleName)
	case slices.Contains(rule.Verbs, ""):
		return model.Permission{}, errors.New("an empty verb")
	}
	return permission(rule), nil
}

func permission(rule rbac.Rule) model.Permission {
	return model.Permission{
		Groups: rule.Groups, Resources: rule.Resources, Verbs: rule.Verbs, Names: rule.ResourceNames, URLs: rule.URLs,
		Namespaced: len(rule.URLs) == 0, Namespace: rule.Namespace,
	}
}
