package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/securemetrics"
)

// TestSecureMetrics reads metrics with the tokens of service accounts, which the API server reviews.
func TestSecureMetrics(t *testing.T) {
	if !realCluster {
		t.Skip("the server does not review tokens")
	}
	t.Parallel()
	c := start(t, apiservertest.Options{RBAC: true})
	httpClient, err := rest.HTTPClientFor(c.Config())
	require.NoError(t, err)
	defer httpClient.CloseIdleConnections()
	kube, err := kubernetes.NewForConfigAndClient(c.Config(), httpClient)
	require.NoError(t, err)
	namespace := c.Namespace(t)
	tokens := map[string]string{"invented": "invented", "nobody": ""}
	for _, name := range []string{"controller", "prometheus", "guest"} {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := kube.CoreV1().ServiceAccounts(namespace).Create(t.Context(), account, metav1.CreateOptions{})
		require.NoError(t, err)
		token, err := kube.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
		require.NoError(t, err)
		tokens[name] = token.Status.Token
	}
	bind := func(role, account string) {
		_, err := kube.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: account},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, handler, err := securemetrics.New(securemetrics.Options{}).Protect(ctx, c.As("system:serviceaccount:"+namespace+":controller"),
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	require.NoError(t, err)
	get := func(client string) int {
		request, response := httptest.NewRequest(http.MethodGet, "/metrics", nil), httptest.NewRecorder()
		if tokens[client] != "" {
			request.Header.Set("Authorization", "Bearer "+tokens[client])
		}
		handler.ServeHTTP(response, request)
		return response.Code
	}
	assert.Equal(t, http.StatusUnauthorized, get("prometheus"), "the controller may not ask yet")
	bind("system:auth-delegator", "controller")
	eventually(t, func() bool { return get("prometheus") == http.StatusForbidden }, "the controller may not ask")
	_, err = kube.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "metrics-reader"},
		Rules:      []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	bind("metrics-reader", "prometheus")
	eventually(t, func() bool { return get("prometheus") == http.StatusOK }, "Prometheus may not read")
	assert.Equal(t, http.StatusForbidden, get("guest"))
	assert.Equal(t, http.StatusUnauthorized, get("invented"))
	assert.Equal(t, http.StatusUnauthorized, get("nobody"))
}
