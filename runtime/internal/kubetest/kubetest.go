// Package kubetest has client-go's fake clientset for tests, with the answers of an API server.
package kubetest

import (
	kubeapply "k8s.io/client-go/applyconfigurations"
	kubefake "k8s.io/client-go/kubernetes/fake"
	kubescheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

// NewClientset returns client-go's fake clientset, which answers as an API server: no event between a list and a watch is lost. It panics
// if the clientset cannot be served.
func NewClientset(options ...strictfake.Option) *kubefake.Clientset {
	kube := kubefake.NewClientset()
	if err := strictfake.NewServer(options...).Serve(kube, kubescheme.Scheme, kubeapply.NewTypeConverter(kubescheme.Scheme)); err != nil {
		panic(err) //nolint:forbidigo // examples have no test to fail
	}
	return kube
}
