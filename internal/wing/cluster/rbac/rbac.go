// Package rbac generates roles from what controllers need and from markers.
//
// It runs the generator of controller-gen from its library, so +kubebuilder:rbac means the same here. What controllers need, the library
// gets as if it were in such markers.
package rbac

import (
	"errors"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
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
			found = append(found, located(marker.FirstError(ofMarker), fset)...)
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
		for _, m := range marker.Scan(fset, file.Comments...) {
			text := m.Name + "=" + m.Value // the scanned name includes the name of the first argument
			if arguments, ok := strings.CutPrefix(text, rbac.RuleDefinition.Name+":"); ok {
				if p, role, err := marker.ParseRule(arguments); err == nil {
					all = append(all, Marked{p, role, m.Pos})
				}
			}
		}
	}
	return all
}
