package manifests

import (
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
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

// String names what the access is to, without its verb.
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

// allows reports whether what is allowed in a scope is allowed where it is needed.
func (s scope) allows(need scope) bool {
	return s.all || !need.all && (s.open || s.namespace == need.namespace)
}

// needs reports whether what is needed in a scope is needed where it is allowed.
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
