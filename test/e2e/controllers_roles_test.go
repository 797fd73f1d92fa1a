package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// systemNamespace is the controller's namespace in examples/config.
const systemNamespace = "fleet-system"

// onlyReal is a permission that an admission plugin of kube-apiserver asks for. The server of apiservertest does not have it.
const onlyReal = "update workloads/finalizers.fleet.example.com"

// TestRoles makes a controller do everything that it can do, as the service account of its Deployment: with the roles in
// examples/config, nothing is denied, and without any one of their permissions, exactly that is denied.
func TestRoles(t *testing.T) {
	// Not parallel: under the race detector, the servers of other tests delay requests for longer than the one-second timeout of
	// lease requests.
	c := start(t, apiservertest.Options{RBAC: true})
	lives := &lives{cluster: c, world: startWorld(t, c), team: newTeam(t, "")}
	granted := readManifests(t, "../../examples/config/rbac/role.yaml", "../../examples/config/rbac/fleet-operator.yaml")
	granted.apply(t, c.Config())
	account := only[appsv1.Deployment](t, readManifests(t, "../../examples/config/deploy/fleet-operator.yaml"), "Deployment")[0].
		Spec.Template.Spec.ServiceAccountName
	roles := rolesOf(t, granted, account)

	t.Run("all", func(t *testing.T) {
		eventually(t, func() bool { return lives.isBound(t, account) }, "the account does not get its roles")
		assert.Empty(t, lives.live(t, account, ""))
		assertNoneForbidden(t, c.Server, program, accountName(account))
	})
	shared := *lives
	shared.team = &team{binary: lives.team.binary, options: []string{"--kube-api-qps=-1", "--workers=4", "--shards=8"}}
	t.Run("all, with shards", func(t *testing.T) {
		assert.Empty(t, shared.live(t, account, ""))
		assertNoneForbidden(t, c.Server, program, accountName(account))
	})
	t.Run("without update of the Leases of members", func(t *testing.T) {
		fewer := roles.where(func(rule rbacv1.PolicyRule) bool { return !slices.Contains(rule.ResourceNames, program+"-member-0") })
		fewer.create(t, lives.world, "-members")
		const updates = "update leases.coordination.k8s.io"
		assert.Contains(t, shared.live(t, account+"-members", updates), updates)
	})
	for i, permission := range roles.permissions() {
		t.Run("without "+permission, func(t *testing.T) {
			if permission == onlyReal && !realCluster {
				t.Skip("the server has no admission plugin OwnerReferencesPermissionEnforcement")
			}
			suffix := fmt.Sprint("-", i)
			roles.without(permission).create(t, lives.world, suffix)
			assert.Contains(t, lives.live(t, account+suffix, permission), permission)
		})
	}
}

// accountName returns the user name of a service account in the controller's namespace.
func accountName(account string) string {
	return "system:serviceaccount:" + systemNamespace + ":" + account
}

// roles are the roles of a service account and their bindings.
type roles struct {
	roles     []rbacv1.ClusterRole
	inCluster []*rbacv1.ClusterRoleBinding
	inSystem  []*rbacv1.RoleBinding
}

// rolesOf returns the roles that are bound to a service account. Each has rules of one permission.
func rolesOf(t *testing.T, all manifests, account string) *roles {
	t.Helper()
	subjects := []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: systemNamespace, Name: account}}
	r := &roles{inCluster: only[rbacv1.ClusterRoleBinding](t, all, "ClusterRoleBinding"), inSystem: only[rbacv1.RoleBinding](t, all, "RoleBinding")}
	bound := map[string]bool{}
	for _, binding := range r.inCluster {
		require.Equal(t, subjects, binding.Subjects)
		bound[binding.RoleRef.Name] = true
	}
	for _, binding := range r.inSystem {
		require.Equal(t, subjects, binding.Subjects)
		bound[binding.RoleRef.Name] = true
	}
	for _, role := range only[rbacv1.ClusterRole](t, all, "ClusterRole") {
		if bound[role.Name] {
			r.roles = append(r.roles, rbacv1.ClusterRole{ObjectMeta: role.ObjectMeta, Rules: split(role.Rules)})
		}
	}
	require.Len(t, r.roles, len(bound))
	return r
}

// split returns the same rules as rules of one permission.
func split(rules []rbacv1.PolicyRule) (single []rbacv1.PolicyRule) {
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					single = append(single, rbacv1.PolicyRule{
						APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{verb}, ResourceNames: rule.ResourceNames,
					})
				}
			}
		}
	}
	return single
}

// permission names a permission as "verb resource.group".
func permission(verb, resource, group string) string {
	return strings.TrimSuffix(verb+" "+resource+"."+group, ".")
}

func permissionOf(single rbacv1.PolicyRule) string {
	return permission(single.Verbs[0], single.Resources[0], single.APIGroups[0])
}

// permissions returns all permissions that the roles grant.
func (r *roles) permissions() (all []string) {
	for _, role := range r.roles {
		for _, rule := range role.Rules {
			if one := permissionOf(rule); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// without returns copies that do not grant a permission.
func (r *roles) without(permission string) *roles {
	return r.where(func(rule rbacv1.PolicyRule) bool { return permissionOf(rule) != permission })
}

// where returns copies with some of the rules.
func (r *roles) where(keep func(rbacv1.PolicyRule) bool) *roles {
	fewer := *r
	fewer.roles = nil
	for _, role := range r.roles {
		role.Rules = slices.DeleteFunc(slices.Clone(role.Rules), func(rule rbacv1.PolicyRule) bool { return !keep(rule) })
		fewer.roles = append(fewer.roles, role)
	}
	return &fewer
}

// create creates the roles and their bindings until the test ends, with a suffix at all names and that of the service account.
func (r *roles) create(t *testing.T, w *world, suffix string) {
	t.Helper()
	renamed := func(subjects []rbacv1.Subject) []rbacv1.Subject {
		subjects = slices.Clone(subjects)
		subjects[0].Name += suffix
		return subjects
	}
	for _, role := range r.roles {
		role.Name += suffix
		create(t, w.kube.RbacV1().ClusterRoles(), &role)
	}
	for _, binding := range r.inCluster {
		binding = binding.DeepCopy()
		binding.Name, binding.RoleRef.Name, binding.Subjects = binding.Name+suffix, binding.RoleRef.Name+suffix, renamed(binding.Subjects)
		create(t, w.kube.RbacV1().ClusterRoleBindings(), binding)
	}
	for _, binding := range r.inSystem {
		binding = binding.DeepCopy()
		binding.Name, binding.RoleRef.Name, binding.Subjects = binding.Name+suffix, binding.RoleRef.Name+suffix, renamed(binding.Subjects)
		create(t, w.kube.RbacV1().RoleBindings(binding.Namespace), binding)
	}
}

// create creates an object until the test ends.
func create[T metav1.Object](t *testing.T, client interface {
	Create(ctx context.Context, object T, options metav1.CreateOptions) (T, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
}, object T) {
	t.Helper()
	_, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, client.Delete(context.WithoutCancel(t.Context()), object.GetName(), metav1.DeleteOptions{}))
	})
}
