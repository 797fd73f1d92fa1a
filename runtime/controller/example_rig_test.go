package controller_test

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/testapi/generated/clientset/versioned/scheme"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
)

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
