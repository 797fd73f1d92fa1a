package manifests

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Needs describes the controllers of an output: their workloads, and the roles that they need.
type Needs struct {
	// Deployments are the names of the Deployments, StatefulSets and DaemonSets that run the controllers, maybe with a kind: StatefulSet/x.
	Deployments []string
	// Roles is the stream of the generated roles.
	Roles *Stream
	// Controllers are the names of controllers that have roles of their own, which have these names.
	Controllers []string
	// Leases maps each role for leases to the role that it belongs to, by name. Roles for leases are needed where the controller runs.
	Leases map[string]string
	// Reasons say, in this order, what in the source asks for permissions.
	Reasons []Reason
}

// Reason is a permission that a marker asks for.
type Reason struct {
	// Role is the name of the controller; "" for all.
	Role string
	Rule rbacv1.PolicyRule
	Pos  token.Position
}

// need is an access that a controller needs.
type need struct {
	access access
	scope  scope
	role   string
}

// Lacking returns the names of workloads that the stream lacks.
func (s *Stream) Lacking(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(s.workloads, func(w workload) bool { return w.isOf(name) })
	})
}

// Workloads returns the names of all Deployments, StatefulSets and DaemonSets, with the kind if two kinds have a name.
func (s *Stream) Workloads() []string {
	var names []string
	for _, w := range s.workloads {
		if slices.ContainsFunc(s.workloads, func(other workload) bool { return other.name == w.name && other.kind != w.kind }) {
			w.name = w.kind + "/" + w.name
		}
		names = append(names, w.name)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// CheckRoles compares the permissions of workloads' accounts with the needs of the controllers of all outputs. Missing permissions are
// errors at the markers that ask for them, superfluous ones are warnings in the stream.
func (s *Stream) CheckRoles(outputs []Needs) (diags diag.List) {
	var accounts []account
	needed := map[account][]need{}
	var reasons []Reason
	for _, needs := range outputs {
		reasons = append(reasons, needs.Reasons...)
		for _, w := range s.workloads {
			if !slices.ContainsFunc(needs.Deployments, w.isOf) {
				continue
			}
			if !slices.Contains(accounts, w.runs) {
				accounts = append(accounts, w.runs)
			}
			needed[w.runs] = append(needed[w.runs], needs.neededBy(w)...)
		}
	}
	for _, a := range accounts {
		granted, unknown := s.grants(a)
		diags = append(diags, missing(a, granted, unknown, needed[a], reasons)...)
		diags = append(diags, superfluous(a, granted, needed[a])...)
	}
	return diags
}

// controller returns the controller that a workload is named after, maybe with a prefix; "" for none.
func (n Needs) controller(workload string) (longest string) {
	workload = workload[strings.IndexByte(workload, '/')+1:]
	for _, name := range n.Controllers {
		if (workload == name || strings.HasSuffix(workload, "-"+name)) && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

// neededBy returns the needs of a workload. If it is named after a controller, it runs only this one. Otherwise, it runs all controllers
// without a workload of their name. Other roles apply to every workload.
func (n Needs) neededBy(w workload) (all []need) {
	own := n.controller(w.name)
	elsewhere := map[string]bool{}
	for _, name := range n.Controllers {
		elsewhere[name] = own != "" && name != own
	}
	for _, other := range n.Deployments {
		if name := n.controller(other); name != own {
			elsewhere[name] = true
		}
	}
	for _, r := range n.Roles.roles {
		name, in := r.object.Metadata.Name, scope{all: r.object.Kind == "ClusterRole", namespace: r.object.Metadata.Namespace}
		if of, isLeases := n.Leases[name]; isLeases {
			name, in = of, scope{namespace: w.runs.namespace}
		}
		if elsewhere[name] {
			continue
		}
		for _, value := range r.value.Rules {
			for _, a := range accesses(value) {
				all = append(all, need{a, in, name})
			}
		}
	}
	return all
}

// position returns the position of what asks for an access.
func (n need) position(reasons []Reason) token.Position {
	asks := func(r Reason) bool { return allows(r.Rule, n.access) }
	i := slices.IndexFunc(reasons, func(r Reason) bool { return r.Role == n.role && asks(r) })
	if i < 0 {
		i = slices.IndexFunc(reasons, asks)
	}
	if i < 0 {
		return token.Position{}
	}
	return reasons[i].Pos
}

// missing reports permissions that an account lacks.
func missing(a account, granted []grant, unknown []string, needs []need, reasons []Reason) (diags diag.List) {
	type subject struct { // of one diagnostic
		pos   token.Position
		to    access
		scope scope
	}
	var subjects []subject
	verbs := map[subject][]string{}
	for _, n := range needs {
		allowed := func(g grant) bool { return g.scope.covers(n.scope) && allows(g.rule.PolicyRule, n.access) }
		if slices.ContainsFunc(granted, allowed) {
			continue
		}
		of := subject{n.position(reasons), n.access, n.scope}
		of.to.verb = ""
		if verbs[of] == nil {
			subjects = append(subjects, of)
		}
		verbs[of] = append(verbs[of], n.access.verb)
	}
	for _, of := range subjects {
		hint := advice(granted, list(verbs[of]), of.to, of.scope)
		if len(unknown) > 0 {
			hint += "; not in the stream, and so unknown: " + strings.Join(unknown, ", ")
		}
		diags.AddHint(of.pos, hint, "service account %s cannot %s %s %s", a, list(verbs[of]), of.to, of.scope)
	}
	return diags
}

// advice says where an access could be allowed: in a rule for the same resource, or else in a role of the same scope.
func advice(granted []grant, verbs string, to access, in scope) string {
	same := func(g grant) bool {
		p := g.rule.PolicyRule
		return slices.Contains(p.APIGroups, to.group) && slices.Contains(p.Resources, to.resource) &&
			(to.name == "" && len(p.ResourceNames) == 0 || to.name != "" && slices.Contains(p.ResourceNames, to.name))
	}
	i := slices.IndexFunc(granted, func(g grant) bool { return g.scope.covers(in) && same(g) && to.url == "" })
	if i >= 0 {
		return fmt.Sprintf("add %s to %s.verbs of %s", verbs, granted[i].rule.path, granted[i].rule.object)
	}
	i = slices.IndexFunc(granted, func(g grant) bool { return g.scope == in || g.scope.open && g.scope.covers(in) })
	if i >= 0 && len(granted[i].rule.path) > 1 {
		r := granted[i].rule
		return fmt.Sprintf("add a rule to %s of %s", r.path[:len(r.path)-1], r.object)
	}
	kind := "RoleBinding"
	if in.all {
		kind = "ClusterRoleBinding"
	}
	return "bind a role to the account with a " + kind + " " + in.String()
}

// superfluous reports permissions of an account that no controller needs.
func superfluous(a account, granted []grant, needs []need) (diags diag.List) {
	for _, g := range granted {
		var order []access
		verbs := map[access][]string{}
		for _, may := range accesses(g.rule.PolicyRule) {
			needed := func(n need) bool { return n.scope.needs(g.scope) && allows(n.access.rule(), may) }
			if g.shared || slices.ContainsFunc(needs, needed) {
				continue
			}
			to := may
			to.verb = ""
			if verbs[to] == nil {
				order = append(order, to)
			}
			verbs[to] = append(verbs[to], may.verb)
		}
		for _, to := range order {
			diags.Warn(g.rule.object.At(g.rule.path...), "remove it, or add a marker +informergen:rbac for it",
				"%s: %s allows service account %s to %s %s %s, which no controller needs", g.rule.object, g.rule.path, a, list(verbs[to]), to, g.scope)
		}
	}
	return diags
}

// rule returns a rule that allows exactly this.
func (a access) rule() rbacv1.PolicyRule {
	r := rbacv1.PolicyRule{Verbs: []string{a.verb}}
	if a.url != "" {
		r.NonResourceURLs = []string{a.url}
		return r
	}
	r.APIGroups, r.Resources = []string{a.group}, []string{a.resource}
	if a.name != "" {
		r.ResourceNames = []string{a.name}
	}
	return r
}

// list joins verbs: list, watch.
func list(verbs []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(verbs))), ", ")
}
