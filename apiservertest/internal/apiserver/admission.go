package apiserver

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	webhookinit "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// admission configures the plugins of k8s.io/apiserver: NamespaceLifecycle, webhooks and validating policies.
type admission struct {
	anyNamespace bool
	stores       stores // set before the server runs
}

func (a *admission) applyTo(generic *genericapiserver.Config) error {
	// The plugins read from the server itself.
	kube, err := kubernetes.NewForConfig(generic.LoopbackClientConfig)
	if err != nil {
		return err
	}
	objects, err := dynamic.NewForConfig(generic.LoopbackClientConfig)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(kube, 0)
	plugins := genericoptions.NewAdmissionOptions()
	// The plugin for mutating policies builds the OpenAPI of all groups at once, which takes a fifth of the start time.
	plugins.DisablePlugins = []string{mutating.PluginName}
	if a.anyNamespace {
		plugins.DisablePlugins = append(plugins.DisablePlugins, lifecycle.PluginName)
	}
	webhooks := webhookinit.NewPluginInitializer(newAuthenticationResolver(generic.LoopbackClientConfig), noServices{})
	if err := plugins.ApplyTo(generic, factory, kube, objects, generic.FeatureGate, generic.EffectiveVersion, webhooks); err != nil {
		return err
	}
	return generic.AddPostStartHook("admission-informers", func(hook genericapiserver.PostStartHookContext) error {
		if err := a.waitStores(hook); err != nil {
			return err
		}
		factory.StartWithContext(hook)
		return factory.WaitForCacheSyncWithContext(hook).AsError()
	})
}

// waitStores waits until all stores are ready. Earlier lists would fail with "try again in a second".
func (a *admission) waitStores(ctx context.Context) error {
	return wait.PollUntilContextCancel(ctx, 5*time.Millisecond, true, func(context.Context) (bool, error) {
		for _, store := range a.stores {
			if store.ReadinessCheck() != nil {
				return false, nil
			}
		}
		return true, nil
	})
}

func newAuthenticationResolver(loopback *rest.Config) webhook.AuthenticationInfoResolverWrapper {
	return webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, loopback, noop.NewTracerProvider())
}
