// Package served asks API servers which resources they serve.
package served

import (
	"context"
	"fmt"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
)

// discoverer is the part of discovery that is needed.
type discoverer interface {
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
}

// discoveryOf calls the method Discovery of a clientset. The type of its result depends on the release of client-go that the
// clientset was generated for, so no interface describes all clientsets.
func discoveryOf(clientset any) (discoverer, bool) {
	if clientset == nil {
		return nil, false
	}
	method := reflect.ValueOf(clientset).MethodByName("Discovery")
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return nil, false
	}
	return reflect.TypeAssert[discoverer](method.Call(nil)[0])
}

// By returns a function that asks the API server of a clientset whether it serves a resource. It returns an error if the clientset
// has no discovery.
func By(clientset any, resource schema.GroupVersionResource) (func() (bool, error), error) {
	client, ok := discoveryOf(clientset)
	if !ok {
		return nil, fmt.Errorf("cannot find out whether %s is served: a %T has no method Discovery; make the source with a clientset",
			resource.GroupResource(), clientset)
	}
	return func() (bool, error) {
		list, err := client.ServerResourcesForGroupVersion(resource.GroupVersion().String())
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		for _, served := range list.APIResources {
			if served.Name == resource.Resource {
				return true, nil
			}
		}
		return false, nil
	}, nil
}

// The backoff of requests that check whether the API server serves a resource.
const (
	backoffBase = 250 * time.Millisecond
	backoffMax  = 5 * time.Second
)

// Await asks until the resource is served, and returns false if ctx is done first. It calls told with each answer.
func Await(ctx context.Context, ask func() (bool, error), told func(served bool, err error)) bool {
	backoff := wait.Backoff{Duration: backoffBase, Cap: backoffMax, Steps: 20, Factor: 2, Jitter: 0.1}
	for ctx.Err() == nil {
		is, err := ask()
		if told(is, err); is {
			return true
		}
		select {
		case <-ctx.Done():
		case <-time.After(backoff.Step()):
		}
	}
	return false
}
