package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-helpers/auth/rbac/validation"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// access configures authentication and authorization: the administrator's token allows everything; other users need a
// role if rbac is set. Kubernetes' own code evaluates rules. Looking them up is our code, because k8s.io/kubernetes
// cannot be imported.
type access struct {
	rbac   bool
	stores stores // set before the server runs
}

func (a *access) applyTo(generic *genericapiserver.Config) (err error) {
	users := tokenfile.New(map[string]*user.DefaultInfo{
		program.Token: {Name: "admin", UID: "admin", Groups: []string{user.SystemPrivilegedGroup}},
	})
	generic.Authentication.Authenticator = group.NewAuthenticatedGroupAdder(bearertoken.New(authenticator.Token(users)))
	generic.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	if a.rbac {
		generic.Authorization.Authorizer, err = union.New(
			union.NamedAuthorizer{AuthorizerName: "masters", Authorizer: authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)},
			union.NamedAuthorizer{AuthorizerName: "rbac", Authorizer: authorizer.AuthorizerFunc(a.authorize)},
		)
	}
	return err
}

// discoveryRules are the permissions of every authenticated user.
var discoveryRules = []rbacv1.PolicyRule{{
	Verbs: []string{"get"},
	NonResourceURLs: []string{
		"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/",
	},
}}

// authorize is an authorizer.AuthorizerFunc.
func (a *access) authorize(ctx context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	rules, err := a.rulesFor(ctx, attributes.GetUser(), attributes.GetNamespace())
	if ok, _ := validation.Covers(rules, []rbacv1.PolicyRule{ruleOf(attributes)}); ok {
		return authorizer.DecisionAllow, "", nil
	}
	if err != nil {
		return authorizer.DecisionNoOpinion, fmt.Sprintf("RBAC: %v", err), nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// ruleOf returns the rule that allows only this request.
func ruleOf(attributes authorizer.Attributes) rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{Verbs: []string{attributes.GetVerb()}}
	if !attributes.IsResourceRequest() {
		rule.NonResourceURLs = []string{attributes.GetPath()}
		return rule
	}
	resource := attributes.GetResource()
	if subresource := attributes.GetSubresource(); subresource != "" {
		resource += "/" + subresource
	}
	rule.APIGroups, rule.Resources = []string{attributes.GetAPIGroup()}, []string{resource}
	if name := attributes.GetName(); name != "" {
		rule.ResourceNames = []string{name}
	}
	return rule
}

// rulesFor returns the rules that bindings grant to a user in a namespace or cluster-wide, and errors about bindings to
// missing roles.
func (a *access) rulesFor(ctx context.Context, who user.Info, namespace string) ([]rbacv1.PolicyRule, error) {
	roles, err := a.readRoles(ctx, namespace)
	if err != nil {
		return nil, err
	}
	rules := slices.Clone(discoveryRules)
	if !slices.Contains(who.GetGroups(), user.AllAuthenticated) {
		rules = nil
	}
	var errs []error
	bind := func(subjects []rbacv1.Subject, ref rbacv1.RoleRef, bindingNamespace string) {
		if !slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool { return isSubject(s, who, bindingNamespace) }) {
			return
		}
		granted, ok := roles.rules(ref)
		if !ok {
			errs = append(errs, fmt.Errorf("%s %q not found", ref.Kind, ref.Name))
		}
		rules = append(rules, granted...)
	}
	for _, binding := range roles.clusterBindings.Items {
		bind(binding.Subjects, binding.RoleRef, "")
	}
	for _, binding := range roles.bindings.Items {
		bind(binding.Subjects, binding.RoleRef, binding.Namespace)
	}
	return rules, errors.Join(errs...)
}

// isSubject reports whether the subject of a binding matches a user.
func isSubject(subject rbacv1.Subject, who user.Info, bindingNamespace string) bool {
	switch subject.Kind {
	case rbacv1.UserKind:
		return who.GetName() == subject.Name
	case rbacv1.GroupKind:
		return slices.Contains(who.GetGroups(), subject.Name)
	case rbacv1.ServiceAccountKind:
		namespace := subject.Namespace
		if namespace == "" {
			namespace = bindingNamespace
		}
		return serviceaccount.MatchesUsername(namespace, subject.Name, who.GetName())
	}
	return false
}

// roleSet has the roles and bindings for a namespace. Without a namespace, it has only cluster roles and cluster role
// bindings.
type roleSet struct {
	clusterRoles    rbacv1.ClusterRoleList
	clusterBindings rbacv1.ClusterRoleBindingList
	roles           rbacv1.RoleList
	bindings        rbacv1.RoleBindingList
}

func (a *access) readRoles(ctx context.Context, namespace string) (*roleSet, error) {
	set := &roleSet{}
	err := errors.Join(
		list(ctx, a.stores, "clusterroles", "", &set.clusterRoles),
		list(ctx, a.stores, "clusterrolebindings", "", &set.clusterBindings),
	)
	if namespace != "" {
		err = errors.Join(err,
			list(ctx, a.stores, "roles", namespace, &set.roles),
			list(ctx, a.stores, "rolebindings", namespace, &set.bindings),
		)
	}
	return set, err
}

// list reads all objects of a resource into a list.
func list[List any](ctx context.Context, stores stores, resource, namespace string, into *List) error {
	ctx = request.WithNamespace(ctx, namespace)
	all, err := stores[rbacv1.Resource(resource)].List(ctx, &internalversion.ListOptions{})
	if err != nil {
		return err
	}
	*into = *any(all).(*List)
	return nil
}

// rules returns the rules of the role that a binding refers to.
func (s *roleSet) rules(ref rbacv1.RoleRef) ([]rbacv1.PolicyRule, bool) {
	if ref.Kind == "Role" {
		for i := range s.roles.Items {
			if s.roles.Items[i].Name == ref.Name {
				return s.roles.Items[i].Rules, true
			}
		}
		return nil, false
	}
	for i := range s.clusterRoles.Items {
		if role := &s.clusterRoles.Items[i]; role.Name == ref.Name {
			return s.aggregate(role), true
		}
	}
	return nil, false
}

// aggregate returns the rules of a role and of the roles that it aggregates. In a cluster, a controller copies these.
func (s *roleSet) aggregate(role *rbacv1.ClusterRole) []rbacv1.PolicyRule {
	if role.AggregationRule == nil {
		return role.Rules
	}
	rules := slices.Clone(role.Rules)
	for i := range role.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&role.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			continue // an invalid selector selects nothing
		}
		for j := range s.clusterRoles.Items {
			if other := &s.clusterRoles.Items[j]; other.Name != role.Name && selector.Matches(labels.Set(other.Labels)) {
				rules = append(rules, other.Rules...)
			}
		}
	}
	return rules
}
