package controllertest

import (
	"testing"

	kubeapply "k8s.io/client-go/applyconfigurations"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
)

// serve makes the clientset for built-in kinds as strict as the other, with shared resource versions and garbage collection.
func serve(t testing.TB, clients Clients) {
	t.Helper()
	err := fake.ServeKubernetes(clients.Client, &clients.Kube.Fake, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme))
	if err != nil {
		t.Fatalf("fake clientset for built-in kinds: %v", err)
	}
}
