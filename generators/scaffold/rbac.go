package scaffold

import (
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/model"
)

// rule is a rule of a ClusterRole.
type rule struct {
	// Why is the reason for the rule.
	Why, Group, Resource string
	verbs                []string
}

// Verbs returns the verbs as a list in YAML.
func (r rule) Verbs() string { return "[" + strings.Join(r.verbs, ", ") + "]" }

// QuotedGroup returns the group in YAML, where the core group needs quotes.
func (r rule) QuotedGroup() string {
	if r.Group == "" {
		return `""`
	}
	return r.Group
}

// Rules returns the permissions that the wiring and the scaffolded reconciler need, and no more.
func (v view) Rules() []rule {
	kind := rule{Why: "Read the reconciled objects", Group: v.Version.Group.Name, Resource: v.Resource, verbs: []string{"list", "watch"}}
	if v.Finalizer != "" {
		kind.Why += ", and set their finalizer"
		kind.verbs = append(kind.verbs, "get", "patch")
	}
	rules := []rule{kind}
	if v.HasUpdateStatus() {
		rules = append(rules, rule{Why: "Update their status", Group: kind.Group, Resource: v.Resource + "/status", verbs: []string{"update"}})
	}
	if v.Maintains() {
		rules = append(rules, rule{
			Why:   "Set blockOwnerDeletion, which the admission plugin OwnerReferencesPermissionEnforcement checks",
			Group: kind.Group, Resource: v.Resource + "/finalizers", verbs: []string{"update"},
		})
	}
	for _, owned := range v.OwnedViews() {
		rules = append(rules, owned.rule())
	}
	return append(rules, rule{Why: "Record events", Group: "events.k8s.io", Resource: "events", verbs: []string{"create", "patch"}})
}

func (v ownedView) rule() rule {
	r := rule{Why: "Owned " + v.Resource, Group: v.Group, Resource: v.Resource, verbs: []string{"list", "watch"}}
	if v.Maintained() && v.verbs().Has(model.Get) { // to find out whether a name is taken
		r.verbs = append(r.verbs, "get")
	}
	if v.Maintained() { // apply requires it too if the object does not exist
		r.verbs = append(r.verbs, "create")
	}
	if v.Applied() {
		r.verbs = append(r.verbs, "patch")
	}
	if v.Maintained() && v.Deleted() {
		r.verbs = append(r.verbs, "delete")
	}
	return r
}

// Lease returns the rules of the role in the controller's own namespace.
func (v view) Lease() rule {
	return rule{Why: "Leader election", Group: "coordination.k8s.io", Resource: "leases",
		verbs: []string{"get", "list", "watch", "create", "update"}}
}
