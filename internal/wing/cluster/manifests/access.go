package manifests

import (
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/manifest"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/sys/lists"
)

// access is one thing that a rule allows: a verb on a resource, or on a path of the API server. Each may be a wildcard.
type access struct {
	group, resource, name, url, verb string
}

// accesses returns everything that a rule allows.
func accesses(rule rbacv1.PolicyRule) (all []access) {
	names := rule.ResourceNames
	if len(names) == 0 {
		names = []string{""}
	}
	for _, verb := range rule.Verbs {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, name := range names {
					all = append(all, access{group: group, resource: resource, name: name, verb: verb})
				}
			}
		}
		for _, url := range rule.NonResourceURLs {
			all = append(all, access{url: url, verb: verb})
		}
	}
	return all
}

// allows reports whether a rule allows an access, as RBAC evaluates it.
func allows(rule rbacv1.PolicyRule, a access) bool {
	if !has(rule.Verbs, a.verb) {
		return false
	}
	if a.url != "" {
		return slices.ContainsFunc(rule.NonResourceURLs, func(url string) bool {
			prefix, wildcard := strings.CutSuffix(url, "*")
			return url == a.url || wildcard && strings.HasPrefix(a.url, prefix)
		})
	}
	_, subresource, isSub := strings.Cut(a.resource, "/")
	resource := has(rule.Resources, a.resource) || isSub && slices.Contains(rule.Resources, "*/"+subresource)
	named := len(rule.ResourceNames) == 0 || a.name != "" && slices.Contains(rule.ResourceNames, a.name)
	return has(rule.APIGroups, a.group) && resource && named
}

// has reports whether a list has a value or a wildcard.
func has(list []string, value string) bool {
	return slices.Contains(list, value) || slices.Contains(list, rbacv1.VerbAll)
}

// String names the resource or the URL of the access, without the verb.
func (a access) String() string {
	if a.url != "" {
		return a.url
	}
	resource := a.resource
	if a.group != "" {
		resource += "." + a.group
	}
	if a.name != "" {
		resource += " " + strconv.Quote(a.name)
	}
	return resource
}

// scope is where an access is allowed or needed.
type scope struct {
	// all is true for all namespaces, and objects without one. Otherwise, there is one namespace, "" if the stream does not name it.
	all       bool
	namespace string
	// open is true if only an installation chooses the namespaces.
	open bool
}

// covers reports whether a grant in the scope applies in another scope, where an access is needed.
func (s scope) covers(need scope) bool {
	return s.all || !need.all && (s.open || s.namespace == need.namespace)
}

// needs reports whether an access that is needed in the scope justifies a grant in another scope.
func (s scope) needs(grant scope) bool {
	return grant.open || s.all || !grant.all && s.namespace == grant.namespace
}

// String names the scope in messages.
func (s scope) String() string {
	switch {
	case s.open:
		return "in the namespaces of the installation"
	case s.all:
		return "in all namespaces"
	case s.namespace == "":
		return "in the unnamed namespace"
	}
	return "in namespace " + s.namespace
}

// rule is a permission with its position in the stream.
type rule struct {
	rbacv1.PolicyRule

	object *manifest.Object
	path   manifest.Path
}

// grant is a rule that holds for an account.
type grant struct {
	rule  rule
	scope scope
	// shared is true if the rule also holds for accounts that are not named.
	shared bool
}

// grants returns the rules that hold for an account, and the roles that are bound to it but not in the stream.
func (s *Stream) grants(a account) (all []grant, unknown []string) {
	for _, b := range s.bindings {
		if !slices.ContainsFunc(b.value.Subjects, a.isSubject) {
			continue
		}
		shared := !slices.ContainsFunc(b.value.Subjects, func(s rbacv1.Subject) bool { return s.Kind != rbacv1.GroupKind && a.isSubject(s) })
		in := scope{all: b.object.Kind == "ClusterRoleBinding", namespace: b.object.Metadata.Namespace}
		rules, found := s.bound(b)
		if !found {
			unknown = append(unknown, b.value.RoleRef.Kind+"/"+b.value.RoleRef.Name)
		}
		all = append(all, lists.Map(rules, func(r rule) grant { return grant{r, in, shared} })...)
	}
	for _, b := range s.bundles {
		if a.namespace == s.unnamed {
			all = slices.Concat(all, b.grants(a, "permissions", b.permissions, scope{all: b.everywhere, open: true}),
				b.grants(a, "clusterPermissions", b.clusterPermissions, scope{all: true}))
		}
	}
	return all, unknown
}

// grants returns the rules of a bundle for an account, which are in a list of the bundle.
func (b bundle) grants(a account, list string, permissions []permission, in scope) (all []grant) {
	for i, p := range permissions {
		if p.ServiceAccountName != a.name {
			continue
		}
		for j, r := range p.Rules {
			at := manifest.Path{"spec", "install", "spec", list, manifest.Element{Index: i}, "rules", manifest.Element{Index: j}}
			all = append(all, grant{rule{r, b.object, at}, in, false})
		}
	}
	return all
}

// isSubject reports whether a subject of a binding is the account or one of its groups.
func (a account) isSubject(subject rbacv1.Subject) bool {
	switch subject.Kind {
	case rbacv1.ServiceAccountKind:
		return account{subject.Namespace, subject.Name} == a
	case rbacv1.UserKind:
		return subject.Name == "system:serviceaccount:"+a.namespace+":"+a.name
	}
	groups := []string{"system:authenticated", "system:serviceaccounts", "system:serviceaccounts:" + a.namespace}
	return subject.Kind == rbacv1.GroupKind && slices.Contains(groups, subject.Name)
}

// bound returns the rules of the role of a binding, and whether the role is known.
func (s *Stream) bound(b decoded[rbacv1.RoleBinding]) ([]rule, bool) {
	ref := b.value.RoleRef
	for i, r := range s.roles {
		isRole := r.object.Kind == "Role" && r.object.Metadata.Namespace == b.object.Metadata.Namespace
		if ref.Kind == r.object.Kind && ref.Name == r.object.Metadata.Name && (isRole || ref.Kind == "ClusterRole") {
			return s.rules(i, map[int]bool{}), true
		}
	}
	if ref.Kind == "ClusterRole" && ref.Name == "cluster-admin" { // every cluster has it
		all, at := []string{rbacv1.VerbAll}, manifest.Path{"roleRef"}
		return []rule{
			{rbacv1.PolicyRule{Verbs: all, APIGroups: all, Resources: all}, b.object, at},
			{rbacv1.PolicyRule{Verbs: all, NonResourceURLs: all}, b.object, at},
		}, true
	}
	return nil, false
}

// rules returns the rules of a role. A controller of the cluster sets them for aggregated roles. Seen has the aggregated roles so far.
func (s *Stream) rules(i int, seen map[int]bool) (all []rule) {
	r := s.roles[i]
	if r.value.AggregationRule == nil {
		for j, value := range r.value.Rules {
			all = append(all, rule{value, r.object, manifest.Path{"rules", manifest.Element{Index: j}}})
		}
		return all
	}
	seen[i] = true
	for _, selector := range r.value.AggregationRule.ClusterRoleSelectors {
		selects, err := metav1.LabelSelectorAsSelector(&selector)
		if err != nil {
			continue // the controller skips it, too
		}
		for j, other := range s.roles {
			if !seen[j] && other.object.Kind == "ClusterRole" && selects.Matches(labels.Set(other.value.Labels)) {
				all = append(all, s.rules(j, seen)...)
			}
		}
	}
	return all
}

// nameNamespace gives the unnamed namespace the name that bindings use for accounts there: charts omit the namespace of the release in
// metadata, and need it in subjects.
func (s *Stream) nameNamespace() {
	var names []string
	for _, b := range s.bindings {
		for _, subject := range b.value.Subjects {
			here := func(w workload) bool { return w.runs == account{"", subject.Name} }
			if subject.Kind == rbacv1.ServiceAccountKind && subject.Namespace != "" && slices.ContainsFunc(s.workloads, here) {
				names = append(names, subject.Namespace)
			}
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 1 {
		return
	}
	s.unnamed = names[0]
	for i := range s.workloads {
		s.complete(&s.workloads[i].runs.namespace)
	}
	for _, o := range s.Objects {
		s.complete(&o.Metadata.Namespace)
	}
}

// complete sets a namespace that is missing.
func (s *Stream) complete(namespace *string) {
	if *namespace == "" {
		*namespace = s.unnamed
	}
}
