package strict

import (
	"reflect"
	"strings"
	stdtesting "testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeapply "k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
)

// TestKubernetesKinds compares resources, scopes and subresources with the clients of client-go.
func TestKubernetesKinds(t *stdtesting.T) {
	kinds := map[schema.GroupVersionKind]Kind{}
	for _, kind := range Kubernetes(kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)).Kinds {
		kinds[kind.GroupVersionKind] = kind
	}
	compared := 0
	for _, group := range clients(reflect.ValueOf(fake.NewClientset())) {
		for _, client := range clients(group.Value) {
			if !client.has("List") {
				continue
			}
			of := client.Interface().(interface {
				Kind() schema.GroupVersionKind
				Resource() schema.GroupVersionResource
			})
			kind, ok := kinds[of.Kind()]
			if !assert.True(t, ok, of.Kind()) {
				continue
			}
			compared++
			assert.Equal(t, of.Resource().Resource, kind.Resource, of.Kind())
			assert.Equal(t, client.namespaced, kind.Namespaced, "scope of %s", of.Kind())
			assert.True(t, kind.HasStatus || !client.has("UpdateStatus"), "status of %s", of.Kind())
			assert.True(t, kind.HasScale || !client.has("UpdateScale"), "scale of %s", of.Kind())
		}
	}
	assert.Greater(t, compared, 100)
}

// client is the result of a method of another client.
type client struct {
	reflect.Value
	declared   reflect.Type
	namespaced bool
}

// has reports whether the interface has a method. The fake behind it may have more.
func (c client) has(method string) bool {
	_, ok := c.declared.MethodByName(method)
	return ok
}

// clients returns the clients that methods without arguments return, and those with a namespace.
func clients(of reflect.Value) (found []client) {
	for i := range of.NumMethod() {
		method := of.Method(i)
		t := method.Type()
		if t.NumOut() != 1 || !strings.Contains(t.Out(0).PkgPath(), "client-go/kubernetes/typed/") {
			continue
		}
		switch {
		case t.NumIn() == 0:
			found = append(found, client{method.Call(nil)[0].Elem(), t.Out(0), false})
		case t.NumIn() == 1 && t.In(0).Kind() == reflect.String:
			found = append(found, client{method.Call([]reflect.Value{reflect.ValueOf("shop")})[0].Elem(), t.Out(0), true})
		}
	}
	return found
}

// TestKubernetesGeneration covers a kind with a generation and a kind without.
func TestKubernetesGeneration(t *stdtesting.T) {
	server := NewServer(Kubernetes(kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)))
	client := &fake.Clientset{}
	server.AddTo(&client.Fake)

	deployments := client.AppsV1().Deployments("shop")
	deployment, err := deployments.Create(t.Context(), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, deployment.Generation)
	deployment.Spec.Paused = true
	deployment, err = deployments.Update(t.Context(), deployment, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.EqualValues(t, 2, deployment.Generation)

	configMaps := client.CoreV1().ConfigMaps("shop")
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
