package apiservertest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestRBAC grants permissions through every form of binding and checks which requests are allowed.
func TestRBAC(t *testing.T) {
	server := apiservertest.Start(t, apiservertest.Options{RBAC: true})
	admin, namespace := connect(t, server.Config()), server.Namespace(t)
	grant(t, admin, namespace)
	alice, bob, robot := server.As("alice"), server.As("bob", "readers"), server.As("system:serviceaccount:"+namespace+":robot")
	for name, test := range map[string]struct {
		as      *rest.Config
		try     func(kubernetes.Interface) error
		allowed bool
	}{
		"admin":                 {server.Config(), listConfigs("default"), true},
		"role":                  {alice, listConfigs(namespace), true},
		"role elsewhere":        {alice, listConfigs("default"), false},
		"other verb":            {alice, createConfig(namespace), false},
		"resource name":         {alice, getSecret(namespace, "hers"), true},
		"other resource name":   {alice, getSecret(namespace, "his"), false},
		"group, everywhere":     {bob, listConfigs("default"), true},
		"aggregated":            {bob, getSecret("default", "his"), true},
		"nobody":                {server.As("carol"), listConfigs(namespace), false},
		"service account":       {robot, createConfig(namespace), true},
		"subresource":           {robot, updatePodStatus(namespace), true},
		"without subresource":   {robot, getPod(namespace), false},
		"another account":       {server.As("system:serviceaccount:default:robot"), createConfig(namespace), false},
		"missing role":          {server.As("dave"), listConfigs(namespace), false},
		"discovery for anybody": {alice, func(k kubernetes.Interface) error { _, err := k.Discovery().ServerVersion(); return err }, true},
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, test.as)
			if test.allowed { // kube-apiserver learns about bindings through watches
				eventually(t, func() bool { return !apierrors.IsForbidden(test.try(client)) }, "it is not allowed")
				return
			}
			err := test.try(client)
			assert.True(t, apierrors.IsForbidden(err), "%v", err)
		})
	}
	stranger := rest.AnonymousClientConfig(server.Config())
	_, err := connect(t, stranger).CoreV1().ConfigMaps(namespace).List(t.Context(), metav1.ListOptions{})
	assert.True(t, apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err), "%v", err)

	path := t.TempDir() + "/kubeconfig"
	require.NoError(t, apiservertest.WriteKubeconfig(alice, path))
	config, err := clientcmd.BuildConfigFromFlags("", path)
	require.NoError(t, err)
	assert.NoError(t, listConfigs(namespace)(connect(t, config)))
	assert.True(t, apierrors.IsForbidden(createConfig(namespace)(connect(t, config))))
	for want, user := range map[string]*rest.Config{"default": alice, namespace: robot} {
		require.NoError(t, apiservertest.WriteKubeconfig(user, path))
		file, err := clientcmd.LoadFromFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, file.Contexts[file.CurrentContext].Namespace)
	}

	require.NoError(t, admin.RbacV1().RoleBindings(namespace).Delete(t.Context(), "alice", metav1.DeleteOptions{}))
	eventually(t, func() bool { return apierrors.IsForbidden(listConfigs(namespace)(connect(t, alice))) }, "alice still may")
}

// grant writes roles and bindings.
func grant(t *testing.T, admin kubernetes.Interface, namespace string) {
	t.Helper()
	rule := func(verb, resource string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: []string{verb}, APIGroups: []string{""}, Resources: []string{resource}, ResourceNames: names}
	}
	role := func(name string, rules ...rbacv1.PolicyRule) {
		_, err := admin.RbacV1().Roles(namespace).Create(t.Context(), &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	bind := func(name, role string, subject rbacv1.Subject) {
		_, err := admin.RbacV1().RoleBindings(namespace).Create(t.Context(), &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Subjects: []rbacv1.Subject{subject},
			RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	user := func(name string) rbacv1.Subject {
		return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}
	}
	role("alice", rule("list", "configmaps"), rule("get", "secrets", "hers"))
	bind("alice", "alice", user("alice"))
	bind("dave", "missing", user("dave"))
	role("robot", rule("create", "configmaps"), rule("update", "pods/status"))
	bind("robot", "robot", rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Name: "robot", Namespace: namespace})

	for _, clusterRole := range []*rbacv1.ClusterRole{
		{ObjectMeta: metav1.ObjectMeta{Name: "secret-reader", Labels: map[string]string{"to": "readers"}}, Rules: []rbacv1.PolicyRule{rule("get", "secrets")}},
		{ObjectMeta: metav1.ObjectMeta{Name: "config-reader", Labels: map[string]string{"to": "readers"}}, Rules: []rbacv1.PolicyRule{rule("list", "configmaps")}},
		{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, AggregationRule: &rbacv1.AggregationRule{
			ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"to": "readers"}}},
		}},
	} {
		_, err := admin.RbacV1().ClusterRoles().Create(t.Context(), clusterRole, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	_, err := admin.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "readers"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "readers"}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "reader"},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
}

func listConfigs(namespace string) func(kubernetes.Interface) error {
	return func(k kubernetes.Interface) error {
		_, err := k.CoreV1().ConfigMaps(namespace).List(context.Background(), metav1.ListOptions{})
		return err
	}
}

func createConfig(namespace string) func(kubernetes.Interface) error {
	return func(k kubernetes.Interface) error {
		config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "c-"}}
		_, err := k.CoreV1().ConfigMaps(namespace).Create(context.Background(), config, metav1.CreateOptions{})
		return err
	}
}

func getSecret(namespace, name string) func(kubernetes.Interface) error {
	return func(k kubernetes.Interface) error {
		_, err := k.CoreV1().Secrets(namespace).Get(context.Background(), name, metav1.GetOptions{})
		return err
	}
}

func getPod(namespace string) func(kubernetes.Interface) error {
	return func(k kubernetes.Interface) error {
		_, err := k.CoreV1().Pods(namespace).Get(context.Background(), "p", metav1.GetOptions{})
		return err
	}
}

func updatePodStatus(namespace string) func(kubernetes.Interface) error {
	return func(k kubernetes.Interface) error {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		_, err := k.CoreV1().Pods(namespace).UpdateStatus(context.Background(), pod, metav1.UpdateOptions{})
		return err
	}
}
