package controller_test

import (
	"k8s.io/apimachinery/pkg/runtime"
	kubeapply "k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// strictKubernetes returns client-go's fake clientset, which answers as an API server: no event between a list and a watch is lost.
func strictKubernetes() *kubefake.Clientset {
	kube := kubefake.NewClientset()
	if err := strictfake.NewServer().Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)); err != nil {
		panic(err) //nolint:forbidigo // examples cannot fail in another way
	}
	return kube
}

// strictClientset returns a fake clientset that answers as an API server.
func strictClientset(objects ...runtime.Object) *fake.Clientset {
	client, server := fake.NewClientset(), strictfake.NewServer()
	if err := server.Serve(client, scheme.Scheme, applyconfiguration.NewTypeConverter(scheme.Scheme)); err != nil {
		panic(err) //nolint:forbidigo // examples cannot fail in another way
	}
	if err := server.Add(objects...); err != nil {
		panic(err) //nolint:forbidigo // examples cannot fail in another way
	}
	return client
}
