// Package roles makes the roles that controllers need, from the API and from markers.
//
// It runs the generator of controller-gen from its library, so +kubebuilder:rbac means the same here. What controllers need, the library
// gets as if it were in such markers.
package roles

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/run"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/crd"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/cluster/manifests"
)

// Options returns controller-gen's generator for the roles of an output, whose packages are in a directory, with its options.
func Options(dir string, values option.Values) (rbac.Generator, error) {
	name := "roleName=" + cmp.Or(values.RBACRoleName, option.DefaultRoleName)
	generator, err := crd.Parse[rbac.Generator]("rbac", []string{name}, values.RBACOptions)
	if generator.HeaderFile != "" {
		generator.HeaderFile = diag.Absolute(dir, generator.HeaderFile)
	}
	return generator, err
}

// Make returns the manifests with the roles that the controllers of an API and markers need, and warnings about markers that do not count.
func Make(ctx context.Context, api *run.API) ([]crd.Definition, diag.List, error) {
	sources, fset, err := containing(ctx, api, marked)
	if err != nil {
		return nil, nil, err
	}
	values := api.Options.Values
	generator, _ := Options(api.Options.Load.Dir, values) // they have been checked
	controllers := lists.Map(api.Resolved.API.WithControllers(), func(kind *model.Kind) controller {
		return controller{cmp.Or(values.RBACRoleName, kind.ControllerName()), api.Layout.Permissions(kind)}
	})
	made, err := generate(generator, sources, fset, rules(controllers, values.RBACNamespaces))
	unread := marker.Unread(slices.Concat(sources...), fset)
	if err != nil || len(made) == 0 {
		return made, unread, err
	}
	unrecorded, err := unrecorded(ctx, api, controllers, requests(sources, fset))
	return made, append(unread, unrecorded...), err
}

// marked is in files with markers for roles.
const marked = "+kubebuilder:rbac"

// Needs returns the permissions of the generated roles for the controllers of an API, and the markers that ask for the permissions.
func Needs(ctx context.Context, api *run.API) (needs manifests.Needs, err error) {
	needs.Deployments = api.Options.Values.ManifestsDeployments
	made, _, err := Make(ctx, api)
	if err != nil || len(made) == 0 {
		return needs, err
	}
	var text bytes.Buffer
	for _, d := range made {
		text.WriteString("\n---\n")
		text.Write(d.Content)
	}
	if needs.Roles, err = manifests.Parse("generated roles", text.Bytes()); err != nil {
		return needs, err
	}
	needs.Leases = map[string]string{}
	for _, kind := range api.Resolved.API.WithControllers() {
		name := api.Options.Values.RBACRoleName
		role := cmp.Or(name, kind.ControllerName())
		needs.Leases[model.LeaseRole(role)] = role
		if name == "" {
			needs.Controllers = append(needs.Controllers, kind.ControllerName())
		}
		needs.Reasons = append(needs.Reasons, reasons(api, kind)...)
	}
	sources, fset, err := containing(ctx, api, marked)
	for _, m := range requests(sources, fset) {
		needs.Reasons = append(needs.Reasons, manifests.Reason{Role: m.role, Rule: rule(m.Permission), Pos: m.pos})
	}
	return needs, err
}

// reasons returns the marker for the controller of a kind, and the markers that add permissions.
func reasons(api *run.API, kind *model.Kind) (all []manifests.Reason) {
	markers := api.Resolved.Kinds[kind].Source.Decls[kind.Name].Markers
	requested, _ := markers.Get(marker.Controller)
	for _, p := range api.Layout.Permissions(kind) {
		pos := requested.Pos
		if p.Pos.IsValid() {
			pos = p.Pos
		}
		all = append(all, manifests.Reason{Role: kind.ControllerName(), Rule: rule(p), Pos: pos})
	}
	return all
}

// rule returns a permission as a rule, in which the core group has no name.
func rule(p model.Permission) rbacv1.PolicyRule {
	groups := slices.Clone(p.Groups)
	for i, group := range groups {
		if group == "core" {
			groups[i] = ""
		}
	}
	return rbacv1.PolicyRule{Verbs: p.Verbs, APIGroups: groups, Resources: p.Resources, ResourceNames: p.Names, NonResourceURLs: p.URLs}
}

// controller is the controller of one kind.
type controller struct {
	// role is the name of its roles.
	role        string
	permissions []model.Permission
}

// generate returns the manifests with the roles: one file, or none if no permissions are needed. The files with markers are given by
// package, and what controllers need as if it were in such markers. Invalid markers are a diag.List.
func generate(generator rbac.Generator, files [][]*ast.File, fset *token.FileSet, needed []any) ([]crd.Definition, error) {
	registry := &markers.Registry{}
	if err := generator.RegisterMarkers(registry); err != nil {
		return nil, err
	}
	var out output
	ctx := genall.GenerationContext{
		Collector: &markers.Collector{Registry: registry}, OutputRule: &out, InputRule: genall.InputFromFileSystem,
	}
	var problems diag.List
	for _, sources := range append(files, []*ast.File{{Name: ast.NewIdent("derived")}}) {
		root := &loader.Package{Package: &packages.Package{Syntax: sources}}
		if _, err := ctx.Collector.MarkersInPackage(root); err != nil {
			problems = append(problems, located(err, fset)...)
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
	nodes[derived.Syntax[0]] = markers.MarkerValues{rbac.RuleDefinition.Name: needed}
	if err := generator.Generate(&ctx); err != nil || out.name == "" {
		return nil, err
	}
	return []crd.Definition{{File: out.name, Content: out.Bytes()}}, nil
}

// output is the file that the generator writes. It implements genall.OutputRule.
type output struct {
	name string
	bytes.Buffer
}

// Open implements genall.OutputRule.
func (o *output) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	o.name = name
	return o, nil
}

// Close implements io.Closer.
func (o *output) Close() error { return nil }

// rules returns the permissions of controllers as values of markers: in the namespaces, or in all if there are none.
func rules(controllers []controller, namespaces []string) (rules []any) {
	lists := map[string]bool{}
	for _, controller := range controllers {
		lists[controller.role] = lists[controller.role] || slices.ContainsFunc(controller.permissions, model.Permission.OfGroup)
	}
	for _, controller := range controllers {
		for _, p := range controller.permissions {
			rule := rbac.Rule{
				Groups: p.Groups, Resources: p.Resources, ResourceNames: p.Names, Verbs: p.Verbs, URLs: p.URLs, RoleName: controller.role,
			}
			if p.Lease {
				rule.RoleName = model.LeaseRole(controller.role)
				rule.ResourceNames, rule.Verbs = p.LeaseNames(controller.role), p.LeaseVerbs(lists[controller.role])
				rules = append(rules, rule)
				continue
			}
			for _, rule.Namespace = range p.In(namespaces) {
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

// request is a permission that a marker asks for.
type request struct {
	model.Permission

	// role is the name of the role that the marker names; "" if it names none.
	role string
	pos  token.Position
}

// requests returns the permissions of valid +kubebuilder:rbac markers with their positions.
func requests(sources [][]*ast.File, fset *token.FileSet) (all []request) {
	for _, file := range slices.Concat(sources...) {
		for _, m := range marker.Scan(fset, file.Comments...) {
			text := m.Name + "=" + m.Value // the scanned name includes the name of the first argument
			if arguments, ok := strings.CutPrefix(text, rbac.RuleDefinition.Name+":"); ok {
				if p, role, err := marker.ParseRule(arguments); err == nil {
					all = append(all, request{p, role, m.Pos})
				}
			}
		}
	}
	return all
}
