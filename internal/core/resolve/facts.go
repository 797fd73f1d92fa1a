package resolve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/load"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/source"
)

// Fact is a decision about a version or a kind, and the reason for it.
type Fact struct {
	Name, Value string
	// Because is the reason: a marker, a declaration, or a default. Pos is its position; defaults have none.
	Because string
	Pos     token.Position
}

// Facts are the decisions about a version or kind, in a readable order.
type Facts []Fact

func (f *Facts) add(name, value, because string, pos token.Position) {
	*f = append(*f, Fact{name, value, because, pos})
}

func (f *Facts) addMarker(name, value string, m marker.Marker) {
	f.add(name, value, "+"+m.Name, m.Pos)
}

// setCopies decides whether the lister of a kind returns deep copies.
func setCopies(kind *model.Kind, decl *source.Kind, facts *Facts, diags *diag.List) {
	m := decl.By.Lister
	if m == nil {
		return
	}
	value, ok := marker.As[string](*m, diags)
	switch {
	case !ok:
	case !kind.Version.Generate.Lister:
		diags.AddHint(m.Pos, "remove one of them", "+%s=%s has no effect in a package with +%s=false", m.Name, value, marker.ListerGen)
	case !kind.HasLister():
		diags.AddHint(m.Pos, "allow the verbs get and list", "type %s has no lister, so +%s=%s has no effect", kind.Name, m.Name, value)
	default:
		kind.ListsCopies = true
		facts.addMarker("lister", value, *m)
	}
}

// setScope determines whether a kind is namespaced.
func (r *resolver) setScope(kind *model.Kind, decl *source.Kind, facts *Facts, diags *diag.List) {
	m, marked := decl.By.NonNamespaced, decl.By.NonNamespaced != nil
	scope := decl.Kubebuilder.Scope
	kept := false
	switch {
	case marked && scope != nil && scope.Text == source.ScopeNamespaced:
		only(r.opts.Kinds, diags).AddHint(m.Pos, "keep the correct one",
			"+%s contradicts scope=%s at %s", marker.NonNamespaced, scope.Text, diag.Line(scope.Pos))
	case marked:
		facts.addMarker("scope", source.ScopeCluster, *m)
	case scope != nil && scope.Text == source.ScopeCluster && keepsNamespaced(kind, r.opts.Existing):
		kept = true
		facts.add("scope", source.ScopeNamespaced, "the checked-in client", token.Position{})
		hint := "add // +" + marker.NonNamespaced + " to change the exported API of the client"
		if kind.HasLister() {
			hint += "; its lister cannot find objects by name"
		}
		diags.Warn(scope.Pos, hint, "kind %s is cluster-scoped, but its checked-in client is namespaced: the client is not changed", kind.Name)
	case scope != nil && (scope.Text == source.ScopeCluster || scope.Text == source.ScopeNamespaced):
		facts.add("scope", scope.Text, "+"+marker.Resource+":scope", scope.Pos)
	case scope != nil:
		diags.AddHint(scope.Pos, "use "+source.ScopeCluster+" or "+source.ScopeNamespaced, "unknown scope %q", scope.Text)
	default:
		facts.add("scope", source.ScopeNamespaced, "default", token.Position{})
	}
	kind.Namespaced = kept || !marked && (scope == nil || scope.Text != source.ScopeCluster)
}

// keepsNamespaced reports whether the existing client of the kind takes a namespace. code-generator does not read kubebuilder's
// markers, so a checked-in client may ignore its scope. Code that calls such a client must continue to compile.
func keepsNamespaced(kind *model.Kind, existing Existing) bool {
	accessor := kind.Plural + "(namespace string) " + kind.Name + "Interface"
	return existing != nil && bytes.Contains(existing.Client(kind), []byte(accessor))
}

// setNames determines the kind in the API and the plural in API paths.
func (r *resolver) setNames(kind *model.Kind, pkg *source.Package, decl *source.Kind, facts *Facts, diags *diag.List) {
	if m := decl.By.Kind; m != nil {
		kind.Renamed, _ = marker.As[string](*m, diags)
		facts.addMarker("kind", kind.Renamed, *m)
	}
	m, marked := decl.By.ResourceName, decl.By.ResourceName != nil
	path := decl.Kubebuilder.Path
	_, exception := r.opts.Plurals[kind.Name]
	switch {
	case marked && path != nil && path.Text != m.Value && r.opts.Kinds:
		diags.AddHint(m.Pos, "keep the correct one",
			"+%s=%s contradicts path=%s at %s", marker.ResourceName, m.Value, path.Text, diag.Line(path.Pos))
		kind.Resource = m.Value
	case marked && (path == nil || path.Text == m.Value):
		kind.Resource = m.Value
		checkResource(m.Value, m.ValuePos(0), diags)
		facts.addMarker("resource", kind.Resource, *m)
	case path != nil:
		kind.Resource = path.Text
		checkResource(path.Text, path.Pos, diags)
		facts.add("resource", kind.Resource, "+"+marker.Resource+":path", path.Pos)
	case exception:
		facts.add("resource", kind.Resource, "--plural-exceptions", token.Position{})
	case pkg.Kubebuilder():
		kind.Resource = marker.DefaultResource(kind.Name)
		facts.add("resource", kind.Resource, "controller-gen's default", token.Position{})
	default:
		facts.add("resource", kind.Resource, "default", token.Position{})
		// A definition has the same resource, or is reported.
		defined := r.opts.Defines || slices.ContainsFunc(r.opts.CRDs, func(crd CRD) bool { return crd.defines(kind) })
		if other := marker.DefaultResource(kind.Name); other != kind.Resource && r.opts.Clients && pkg.InMainModule() && !defined {
			diags.Warn(decl.Pos, "add // +"+marker.ResourceName+"="+other+", or "+kind.Resource+": whichever the server has",
				"the resource of kind %s is %s here, but %s in definitions by controller-gen", kind.Name, kind.Resource, other)
		}
	}
}

// setStatus determines whether the client may update the status separately.
func setStatus(kind *model.Kind, decl *source.Kind, facts *Facts) {
	hasField, noStatus := decl.Fields["Status"], decl.By.NoStatus
	switch {
	case noStatus != nil:
		kind.NoStatus = true
		facts.addMarker("status", "no", *noStatus)
	case decl.Kubebuilder.Status != nil && (hasField || decl.By.GenClient == nil): // upstream requires the field
		kind.HasStatus = true
		facts.addMarker("status", "yes", *decl.Kubebuilder.Status)
	case decl.By.GenClient == nil: // for controller-gen's root types, the marker is sufficient
		facts.add("status", "no", "no +"+marker.StatusSubresource, decl.Pos)
	case hasField:
		kind.HasStatus = true
		facts.add("status", "yes", "field Status", decl.Pos)
	default:
		facts.add("status", "no", "no field Status", decl.Pos)
	}
}

// addVerbFacts records the reason for the verbs, and the subresources and methods that markers declare.
func addVerbFacts(kind *model.Kind, decl *source.Kind, methods []marker.ClientMethod, facts *Facts) {
	because := "default"
	var pos token.Position
	if m := cmp.Or(decl.By.NoVerbs, decl.By.ReadOnly, decl.By.OnlyVerbs, decl.By.SkipVerbs); m != nil {
		because, pos = "+"+m.Name, m.Pos
	}
	facts.add("verbs", strings.Join(kind.ClientVerbs(true).Strings(), ","), because, pos)
	if scale := decl.Kubebuilder.Scale; scale != nil {
		facts.add("subresource", "scale", "+"+marker.ScaleSubresource, scale.Pos)
	}
	for _, selectable := range decl.Kubebuilder.SelectableFields {
		facts.add("selectable field", selectable.Text, "+"+marker.SelectableField, selectable.Pos)
	}
	for i, m := range decl.By.Indexes {
		if i < len(kind.Indexes) {
			facts.addMarker("lookup", kind.Indexes[i].Method, m)
		}
	}
	for _, m := range methods {
		value := m.Name + " (" + string(m.Verb)
		if m.Subresource != "" {
			value += " " + m.Subresource
		}
		facts.add("method", value+")", "+"+marker.Method, m.Pos)
	}
}

func checkResource(resource string, pos token.Position, diags *diag.List) {
	if !isDNSLabel(resource) {
		diags.AddHint(pos, "use a lowercase DNS label, such as networkpolicies", "invalid resource name %q", resource)
	}
}

// Runtime is the decision whether the output uses the run-time library.
type Runtime struct {
	Used bool
	// Because and Pos say why: an option, a marker with its position, or a default.
	Because string
	Pos     token.Position
}

// String returns "yes" or "no".
func (u Runtime) String() string {
	if u.Used {
		return "yes"
	}
	return "no"
}

// needRuntime records the markers of a type that need the run-time library. It reports the markers that cannot have it.
func (r *resolver) needRuntime(by source.KindMarkers, diags *diag.List) {
	if !r.opts.Clients {
		return
	}
	for _, m := range by.Library {
		declared, _ := marker.Lookup(m.Name)
		switch {
		case r.opts.Runtime != nil && !*r.opts.Runtime:
			diags.AddHint(m.Pos, "remove the marker, or the setting runtime: false", "+%s needs the run-time library, which is disabled", m.Name)
		case r.opts.Target.Minor < declared.ClientGo.Minor:
			diags.AddHint(m.Pos, UpgradeForRuntime, "+%s needs the run-time library, %s", m.Name, LacksRuntime(r.opts.Target))
		case !r.result.Runtime.Used:
			r.result.Runtime = Runtime{Used: true, Because: "+" + m.Name, Pos: m.Pos}
		}
	}
}

// UpgradeForRuntime is the hint for releases of client-go that the run-time library does not support.
var UpgradeForRuntime = fmt.Sprintf("upgrade with go get k8s.io/client-go@%s", model.OldestRuntimeTarget)

// LacksRuntime says why output for a release cannot use the run-time library.
func LacksRuntime(target model.Target) string {
	return fmt.Sprintf("which supports client-go %s and later, not %s", model.OldestRuntimeTarget, target)
}

// ErrNothing is the cause of diagnostics that there is nothing to generate.
var ErrNothing = errors.New("nothing to generate")

// nothing returns diagnostics that explain why there is nothing to generate; none if there is something.
func (r *resolver) nothing(loaded *load.Result) diag.List {
	if len(r.groups)+len(r.packages) > 0 {
		return nil
	}
	result := r.result
	var diags diag.List
	if result.Internal > 0 {
		diags.AddHint(token.Position{}, "add the tag `json:\"metadata,omitempty\"` to ObjectMeta, and set the version in SchemeGroupVersion",
			"internal versions in %d of %d packages: "+
				"ObjectMeta has no json tag, or SchemeGroupVersion has runtime.APIVersionInternal",
			result.Internal, len(loaded.Packages))
	}
	if result.OptedOut > 0 {
		diags.Add(token.Position{}, "%d of %d packages opt out of every generator", result.OptedOut, len(loaded.Packages))
	}
	if n := len(result.Unregistered); n > 0 {
		diags.AddHint(token.Position{},
			"put // +"+marker.DeepCopyInterfaces+"=k8s.io/apimachinery/pkg/runtime.Object above the types to register",
			"%s have no deep copies, which registration requires", strings.Join(result.Unregistered, ", "))
	}
	if d, ok := r.kindsWithoutClients(); ok {
		diags = append(diags, d)
	}
	if len(diags) == 0 {
		diags = append(diags, loaded.Nested()...)
	}
	if len(diags) == 0 {
		diags.AddHint(token.Position{}, "put // +genclient above the types to generate clients for",
			"no type with +genclient (packages: %d, files: %d)", len(loaded.Packages), loaded.FilesParsed)
	}
	for i := range diags {
		diags[i].Message, diags[i].Cause = "nothing to generate: "+diags[i].Message, ErrNothing
	}
	return diags
}

// kindsWithoutClients returns a diagnostic at the first kind for controller-gen if no such kind has a client, because their
// markers do not request one.
func (r *resolver) kindsWithoutClients() (diag.Diagnostic, bool) {
	if !r.opts.Kinds || r.opts.Roots || len(r.groups) > 0 {
		return diag.Diagnostic{}, false
	}
	var kinds []string
	var first token.Position
	for _, s := range r.all {
		for _, name := range s.Roots() {
			if kinds = append(kinds, name); len(kinds) == 1 {
				first = s.Decls[name].Pos
			}
		}
	}
	return diag.Diagnostic{
		Pos: first, Message: "no type has +" + marker.GenClient + ", so no clients for " + strings.Join(kinds, ", "),
		Hint: "set --kinds=roots (kinds: [roots] in .informer-gen.yaml) to generate clients for all of them, " +
			"or put // +" + marker.GenClient + " above some of the types",
	}, len(kinds) > 0
}
