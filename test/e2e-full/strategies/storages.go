package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"gopkg.in/go-jose/go-jose.v2/jwt"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	admissionregistrationrest "k8s.io/kubernetes/pkg/registry/admissionregistration/rest"
	apiserverinternalrest "k8s.io/kubernetes/pkg/registry/apiserverinternal/rest"
	appsrest "k8s.io/kubernetes/pkg/registry/apps/rest"
	authenticationrest "k8s.io/kubernetes/pkg/registry/authentication/rest"
	authorizationrest "k8s.io/kubernetes/pkg/registry/authorization/rest"
	autoscalingrest "k8s.io/kubernetes/pkg/registry/autoscaling/rest"
	batchrest "k8s.io/kubernetes/pkg/registry/batch/rest"
	certificatesrest "k8s.io/kubernetes/pkg/registry/certificates/rest"
	coordinationrest "k8s.io/kubernetes/pkg/registry/coordination/rest"
	discoveryrest "k8s.io/kubernetes/pkg/registry/discovery/rest"
	eventsrest "k8s.io/kubernetes/pkg/registry/events/rest"
	flowcontrolrest "k8s.io/kubernetes/pkg/registry/flowcontrol/rest"
	lifecyclerest "k8s.io/kubernetes/pkg/registry/lifecycle/rest"
	networkingrest "k8s.io/kubernetes/pkg/registry/networking/rest"
	noderest "k8s.io/kubernetes/pkg/registry/node/rest"
	policyrest "k8s.io/kubernetes/pkg/registry/policy/rest"
	rbacrest "k8s.io/kubernetes/pkg/registry/rbac/rest"
	resourcerest "k8s.io/kubernetes/pkg/registry/resource/rest"
	schedulingrest "k8s.io/kubernetes/pkg/registry/scheduling/rest"
	storagerest "k8s.io/kubernetes/pkg/registry/storage/rest"
	storagemigrationrest "k8s.io/kubernetes/pkg/registry/storagemigration/rest"
)

// provider is a group of kube-apiserver.
type provider interface {
	NewRESTStorage(serverstorage.APIResourceConfigSource, generic.RESTOptionsGetter) (genericapiserver.APIGroupInfo, error)
}

// storages returns the storages of all versions, by resource or subresource.
func storages() (map[schema.GroupVersion]map[string]rest.Storage, error) {
	clients := kubefake.NewClientset()
	allow := authorizer.AuthorizerFunc(func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
		return authorizer.DecisionAllow, "", nil
	})
	core, err := coreStorage(allow)
	if err != nil {
		return nil, err
	}
	all := map[schema.GroupVersion]map[string]rest.Storage{{Version: "v1"}: core}
	for _, p := range []provider{
		admissionregistrationrest.RESTStorageProvider{Authorizer: allow, DiscoveryClient: clients.Discovery()},
		apiserverinternalrest.StorageProvider{},
		appsrest.StorageProvider{},
		authenticationrest.RESTStorageProvider{Authenticator: authenticator.RequestFunc(
			func(*http.Request) (*authenticator.Response, bool, error) { return nil, false, nil })},
		authorizationrest.RESTStorageProvider{Authorizer: allow, RuleResolver: noRules{}},
		autoscalingrest.RESTStorageProvider{},
		batchrest.RESTStorageProvider{},
		certificatesrest.RESTStorageProvider{Authorizer: allow},
		coordinationrest.RESTStorageProvider{},
		discoveryrest.StorageProvider{},
		eventsrest.RESTStorageProvider{TTL: time.Hour},
		flowcontrolrest.RESTStorageProvider{InformerFactory: informers.NewSharedInformerFactory(clients, 0)},
		lifecyclerest.RESTStorageProvider{},
		networkingrest.RESTStorageProvider{},
		noderest.RESTStorageProvider{},
		policyrest.RESTStorageProvider{},
		rbacrest.RESTStorageProvider{Authorizer: allow},
		resourcerest.RESTStorageProvider{NamespaceClient: clients.CoreV1().Namespaces(), Authorizer: allow},
		schedulingrest.RESTStorageProvider{},
		storagerest.RESTStorageProvider{},
		storagemigrationrest.RESTStorageProvider{},
	} {
		info, err := p.NewRESTStorage(everything{}, options{})
		if err != nil {
			return nil, fmt.Errorf("%T: %w", p, err)
		}
		for version, resources := range info.VersionedResourcesStorageMap {
			all[schema.GroupVersion{Group: info.PrioritizedVersions[0].Group, Version: version}] = resources
		}
	}
	return all, nil
}

// noRules is an authorizer.RuleResolver without rules.
type noRules struct{ authorizer.RuleResolver }

// everything enables all versions, those that are off by default, too.
type everything struct{}

func (everything) ResourceEnabled(schema.GroupVersionResource) bool           { return true }
func (everything) ResourceExplicitlyEnabled(schema.GroupVersionResource) bool { return true }
func (everything) VersionExplicitlyEnabled(schema.GroupVersion) bool          { return true }
func (everything) AnyResourceForGroupEnabled(string) bool                     { return true }

// options are options of storages that store nothing.
type options struct{}

func (options) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	decorator := func(
		*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object, func() runtime.Object,
		storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers,
	) (storage.Interface, factory.DestroyFunc, error) {
		return nil, func() {}, nil
	}
	return generic.RESTOptions{
		StorageConfig: &storagebackend.ConfigForResource{GroupResource: resource}, Decorator: decorator, ResourcePrefix: resource.Resource,
	}, nil
}

// noTokens makes no tokens.
type noTokens struct{}

func (noTokens) GenerateToken(context.Context, *jwt.Claims, any) (string, error) { return "", nil }
