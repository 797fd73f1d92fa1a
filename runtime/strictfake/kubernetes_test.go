package strictfake

import (
	"reflect"
	"strings"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeapply "k8s.io/client-go/applyconfigurations"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/builtin"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake/internal/codec"
)

// newKube returns client-go's clientset, served by a new server.
func newKube(t stdtesting.TB, options ...Option) (*kubefake.Clientset, *Server) {
	t.Helper()
	server, kube := NewServer(options...), kubefake.NewClientset()
	require.NoError(t, server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	return kube, server
}

// kubeClient is a client that the interface of client-go's clientset declares.
type kubeClient struct {
	group, name string
	namespaced  bool
	declared    reflect.Type
}

// has reports whether the client has a method.
func (c kubeClient) has(name string) bool {
	_, ok := c.declared.MethodByName(name)
	return ok
}

// kubeClients returns the clients that the source of client-go declares: for each kind, there is an interface with getters.
func kubeClients() (clients []kubeClient) {
	clientset := reflect.TypeFor[kubernetes.Interface]()
	for getter := range clientset.Methods() {
		if getter.Name == "Discovery" {
			continue
		}
		for method := range getter.Type.Out(0).Methods() {
			if method.Name == "RESTClient" {
				continue
			}
			c := kubeClient{getter.Name, method.Name, method.Type.NumIn() == 1, method.Type.Out(0)}
			if c.has("Get") || c.has("Create") || c.has("List") { // evictions have none
				clients = append(clients, c)
			}
		}
	}
	return clients
}

// TestKubernetesKinds compares the kinds with the methods of client-go's interface, and with what its fakes say about themselves.
func TestKubernetesKinds(t *stdtesting.T) {
	kube := kubefake.NewClientset()
	kinds, err := kindsOf(kube, &kube.Fake, kubescheme.Scheme)
	require.NoError(t, err)
	byKind := map[schema.GroupVersionKind]codec.Description{}
	for _, kind := range kinds {
		byKind[kind.GroupVersionKind] = kind
	}
	clients := kubeClients()
	assert.Len(t, kinds, len(clients))
	assert.GreaterOrEqual(t, len(kinds), 151, "client-go v0.36.6 has 151, v0.37.2 has 160")
	assert.Len(t, byKind, len(kinds), "each kind once")
	for _, client := range clients {
		var arguments []reflect.Value
		if client.namespaced {
			arguments = append(arguments, reflect.ValueOf("shop"))
		}
		group := reflect.ValueOf(kube).MethodByName(client.group).Call(nil)[0]
		of := group.MethodByName(client.name).Call(arguments)[0].Interface().(interface {
			Kind() schema.GroupVersionKind
			Resource() schema.GroupVersionResource
		})
		kind, ok := byKind[of.Kind()]
		if !assert.True(t, ok, of.Kind()) {
			continue
		}
		assert.Equal(t, of.Resource().Resource, kind.Resource, of.Kind())
		assert.Equal(t, client.namespaced, kind.Namespaced, "scope of %s", of.Kind())
		assert.True(t, kind.HasStatus || !client.has("UpdateStatus"), "status of %s", of.Kind())
		assert.True(t, kind.HasScale || !client.has("UpdateScale"), "scale of %s", of.Kind())
		assert.True(t, kind.BuiltIn, "%s is built in", of.Kind())
		assert.Equal(t, client.has("Create") && !client.has("Get"), kind.Virtual, "%s is not stored", of.Kind())
	}
}

// TestKubernetesIsUntouched checks that finding the kinds leaves no traces.
func TestKubernetesIsUntouched(t *stdtesting.T) {
	kube := kubefake.NewClientset()
	_, err := kube.CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{LabelSelector: "a=b"})
	require.NoError(t, err)
	w, err := kube.CoreV1().Pods("shop").Watch(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	actions, chain, watchChain := kube.Actions(), kube.ReactionChain, kube.WatchReactionChain
	_, err = kindsOf(kube, &kube.Fake, kubescheme.Scheme)
	require.NoError(t, err)
	assert.Equal(t, actions, kube.Actions())
	assert.Equal(t, reflect.ValueOf(chain).Pointer(), reflect.ValueOf(kube.ReactionChain).Pointer())
	assert.Equal(t, reflect.ValueOf(watchChain).Pointer(), reflect.ValueOf(kube.WatchReactionChain).Pointer())
}

// TestKubernetesTable checks that the table has the kinds of client-go, apart from those that servers no longer have.
func TestKubernetesTable(t *stdtesting.T) {
	kube := kubefake.NewClientset()
	kinds, err := kindsOf(kube, &kube.Fake, kubescheme.Scheme)
	require.NoError(t, err)
	known := 0
	for _, kind := range kinds {
		assert.True(t, builtin.IsGroup(kind.Group), kind.Group)
		if kind.Rules == nil {
			continue
		}
		known++
		assert.Equal(t, kind.Resource, kind.Rules.Resource)
		assert.Equal(t, kind.Namespaced, kind.Rules.Namespaced, kind.Resource)
	}
	assert.GreaterOrEqual(t, known, 140, "of %d", len(kinds))
}

// TestKubernetesGeneration covers a kind with a generation and a kind without.
func TestKubernetesGeneration(t *stdtesting.T) {
	kube, _ := newKube(t)
	deployments := kube.AppsV1().Deployments("shop")
	deployment, err := deployments.Create(t.Context(), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, deployment.Generation)
	deployment.Spec.Paused = true
	deployment, err = deployments.Update(t.Context(), deployment, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 2, deployment.Generation)

	configMaps := kube.CoreV1().ConfigMaps("shop")
	configMap, err := configMaps.Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "web", Finalizers: []string{"example.com/wait"}}}, metav1.CreateOptions{})
	require.NoError(t, err)
	configMap.Data = map[string]string{"a": "b"}
	_, err = configMaps.Update(t.Context(), configMap, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NoError(t, configMaps.Delete(t.Context(), "web", metav1.DeleteOptions{}))
	configMap, err = configMaps.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	assert.NotNil(t, configMap.DeletionTimestamp)
	assert.Zero(t, configMap.Generation)
}

// TestKubernetesFields selects by fields that a server knows.
func TestKubernetesFields(t *stdtesting.T) {
	kube, server := newKube(t)
	placed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "placed"}, Spec: corev1.PodSpec{NodeName: "n1"}}
	require.NoError(t, server.Add(placed, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "pending"}}))
	for selector, want := range map[string]string{
		"spec.nodeName=n1": "placed", "spec.nodeName=": "pending", "spec.hostNetwork=false": "pending placed", "spec.hostNetwork=true": "",
		"status.phase!=Running,metadata.name=placed": "placed", "spec.priority=1": "400",
	} {
		list, err := kube.CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		assert.Equal(t, want, namesOrCode(list.Items, err, func(i int) string { return list.Items[i].Name }), selector)
	}
}

// TestKubernetesNamespaceField selects objects outside of namespaces by their namespace. Kinds with fields of their own do not know it.
func TestKubernetesNamespaceField(t *stdtesting.T) {
	kube, server := newKube(t)
	require.NoError(t, server.Add(&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "r"}}))
	for selector, want := range map[string]string{"metadata.namespace=shop": "", "metadata.namespace=": "r", "metadata.namespace!=shop": "r", "spec.a=b": "400"} {
		list, err := kube.RbacV1().ClusterRoles().List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		assert.Equal(t, want, namesOrCode(list.Items, err, func(i int) string { return list.Items[i].Name }), selector)
	}
	_, err := kube.RbacV1().ClusterRoles().List(t.Context(), metav1.ListOptions{FieldSelector: "spec.a=b"})
	require.EqualError(t, err, `"spec.a" is not a known field selector: only "metadata.name", "metadata.namespace"`)
	_, err = kube.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{FieldSelector: "metadata.namespace=shop"})
	require.EqualError(t, err, "field label not supported: metadata.namespace")
}

// TestReviews leaves kinds that servers do not store to the other reactors, and lists them in discovery.
func TestReviews(t *stdtesting.T) {
	kube := kubefake.NewClientset()
	kube.PrependReactor("create", "subjectaccessreviews", func(action testing.Action) (bool, runtime.Object, error) {
		review := action.(testing.CreateAction).GetObject().(*authorizationv1.SubjectAccessReview)
		review.Status.Allowed = true
		return true, review, nil
	})
	server := NewServer()
	require.NoError(t, server.Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	review, err := kube.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{},
		metav1.CreateOptions{})
	require.NoError(t, err)
	assert.True(t, review.Status.Allowed)
	resources, err := kube.Discovery().ServerResourcesForGroupVersion("authorization.k8s.io/v1")
	require.NoError(t, err)
	for _, resource := range resources.APIResources {
		assert.Equal(t, metav1.Verbs{"create"}, resource.Verbs, resource.Name)
	}
	assert.EqualError(t, server.Add(review), "servers do not store objects of kind SubjectAccessReview")
	err = server.Tracker().Create(authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews"), review, "")
	assert.ErrorContains(t, err, "the clientset has no client for")
}

// TestNames creates built-in objects with names that a server refuses, or accepts for few kinds.
func TestNames(t *stdtesting.T) {
	kube, _ := newKube(t)
	long := strings.Repeat("n", 254)
	_, err := kube.CoreV1().ConfigMaps("shop").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: long}}, metav1.CreateOptions{})
	require.EqualError(t, err, `ConfigMap "`+long+`" is invalid: metadata.name: Invalid value: "`+long+`": must be no more than 253 characters`)
	_, err = kube.CoreV1().ConfigMaps("shop").Apply(t.Context(), corev1apply.ConfigMap(long, "shop"), metav1.ApplyOptions{FieldManager: "m"})
	require.True(t, apierrors.IsInvalid(err), err)
	_, err = kube.CoreV1().Services("shop").Create(t.Context(), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "a.b"}}, metav1.CreateOptions{})
	require.True(t, apierrors.IsInvalid(err), err)
	_, err = kube.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "system:Node"}}, metav1.CreateOptions{})
	require.NoError(t, err)
}
