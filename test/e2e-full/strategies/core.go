package main

import (
	"fmt"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/rest"
	api "k8s.io/kubernetes/pkg/apis/core"
	kubeletclient "k8s.io/kubernetes/pkg/kubelet/client"
	"k8s.io/kubernetes/pkg/registry/core/componentstatus"
	configmapstore "k8s.io/kubernetes/pkg/registry/core/configmap/storage"
	endpointstore "k8s.io/kubernetes/pkg/registry/core/endpoint/storage"
	eventstore "k8s.io/kubernetes/pkg/registry/core/event/storage"
	limitrangestore "k8s.io/kubernetes/pkg/registry/core/limitrange/storage"
	namespacestore "k8s.io/kubernetes/pkg/registry/core/namespace/storage"
	nodestore "k8s.io/kubernetes/pkg/registry/core/node/storage"
	pvstore "k8s.io/kubernetes/pkg/registry/core/persistentvolume/storage"
	pvcstore "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim/storage"
	podstore "k8s.io/kubernetes/pkg/registry/core/pod/storage"
	podtemplatestore "k8s.io/kubernetes/pkg/registry/core/podtemplate/storage"
	controllerstore "k8s.io/kubernetes/pkg/registry/core/replicationcontroller/storage"
	quotastore "k8s.io/kubernetes/pkg/registry/core/resourcequota/storage"
	secretstore "k8s.io/kubernetes/pkg/registry/core/secret/storage"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"
	accountstore "k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage"
)

// made collects storages and the first error.
type made struct {
	storages map[string]rest.Storage
	err      error
}

func (m *made) add(err error, name string, storage rest.Storage) {
	if err != nil && m.err == nil {
		m.err = fmt.Errorf("%s: %w", name, err)
	}
	m.storages[name] = storage
}

// coreStorage returns the storages of the core group. Its provider needs a client of a running server, so this function makes them one
// by one, as the provider does.
func coreStorage(allow authorizer.AuthorizerFunc) (map[string]rest.Storage, error) {
	m := &made{storages: map[string]rest.Storage{"componentstatuses": componentstatus.NewStorage(nil)}}
	addPods(m, allow)
	addServices(m)
	addPlain(m)
	namespaces, status, finalize, err := namespacestore.NewREST(options{})
	m.add(err, "namespaces", namespaces)
	m.add(err, "namespaces/status", status)
	m.add(err, "namespaces/finalize", finalize)
	volumes, volumeStatus, err := pvstore.NewREST(options{})
	m.add(err, "persistentvolumes", volumes)
	m.add(err, "persistentvolumes/status", volumeStatus)
	claims, claimStatus, err := pvcstore.NewREST(options{})
	m.add(err, "persistentvolumeclaims", claims)
	m.add(err, "persistentvolumeclaims/status", claimStatus)
	quotas, quotaStatus, err := quotastore.NewREST(options{})
	m.add(err, "resourcequotas", quotas)
	m.add(err, "resourcequotas/status", quotaStatus)
	controllers, err := controllerstore.NewStorage(options{})
	m.add(err, "replicationcontrollers", controllers.Controller)
	m.add(err, "replicationcontrollers/status", controllers.Status)
	m.add(err, "replicationcontrollers/scale", controllers.Scale)
	return m.storages, m.err
}

func addPods(m *made, allow authorizer.AuthorizerFunc) {
	nodes, err := nodestore.NewStorage(options{}, kubeletclient.KubeletClientConfig{}, nil)
	if err != nil {
		m.err = err
		return
	}
	m.add(nil, "nodes", nodes.Node)
	m.add(nil, "nodes/status", nodes.Status)
	m.add(nil, "nodes/proxy", nodes.Proxy)
	pods, err := podstore.NewStorage(options{}, nodes.KubeletConnectionInfo, nil, nil, allow)
	m.add(err, "pods", pods.Pod)
	m.add(err, "pods/attach", pods.Attach)
	m.add(err, "pods/binding", pods.Binding)
	m.add(err, "pods/ephemeralcontainers", pods.EphemeralContainers)
	m.add(err, "pods/eviction", pods.Eviction)
	m.add(err, "pods/exec", pods.Exec)
	m.add(err, "pods/log", pods.Log)
	m.add(err, "pods/portforward", pods.PortForward)
	m.add(err, "pods/proxy", pods.Proxy)
	m.add(err, "pods/resize", pods.Resize)
	m.add(err, "pods/status", pods.Status)
	m.add(err, "bindings", pods.LegacyBinding)
}

func addServices(m *made) {
	services, status, proxy, err := servicestore.NewREST(
		options{}, api.IPv4Protocol, map[api.IPFamily]ipallocator.Interface{}, nil, nil, nil, nil)
	m.add(err, "services", services)
	m.add(err, "services/status", status)
	m.add(err, "services/proxy", proxy)
	accounts, err := accountstore.NewREST(options{}, noTokens{}, nil, nil, 0, services, services, services, nil, nil, false, 0)
	m.add(err, "serviceaccounts", accounts)
	if err == nil {
		m.add(nil, "serviceaccounts/token", accounts.Token)
	}
}

func addPlain(m *made) {
	configMaps, err := configmapstore.NewREST(options{})
	m.add(err, "configmaps", configMaps)
	endpoints, err := endpointstore.NewREST(options{})
	m.add(err, "endpoints", endpoints)
	events, err := eventstore.NewREST(options{}, 0)
	m.add(err, "events", events)
	ranges, err := limitrangestore.NewREST(options{})
	m.add(err, "limitranges", ranges)
	templates, err := podtemplatestore.NewREST(options{})
	m.add(err, "podtemplates", templates)
	secrets, err := secretstore.NewREST(options{})
	m.add(err, "secrets", secrets)
}
