package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apimachinery/pkg/util/uuid"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/controllers"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/internal/listener"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// drainTimeout is the time that requests in flight get when the server stops. Watches never finish on their own, so
// stopping takes this long while one is open.
const drainTimeout = 100 * time.Millisecond

// serve starts the API server in the background.
func (l *Local) serve() error {
	generic := genericapiserver.NewRecommendedConfig(apiextensions.Codecs)
	etcd := l.etcdOptions()
	run := genericoptions.NewServerRunOptions()
	err := errors.Join(
		run.Complete(),
		run.ApplyTo(&generic.Config),
		etcd.ApplyTo(&generic.Config),
		applyFeatures(generic),
		genericoptions.NewAPIEnablementOptions().ApplyTo(&generic.Config, apiextensions.DefaultAPIResourceConfigSource(), apiextensions.Scheme),
		l.applyAudit(&generic.Config),
	)
	if err != nil {
		return err
	}
	access := &access{rbac: l.options.RBAC}
	if err := access.applyTo(&generic.Config); err != nil {
		return err
	}
	applyOpenAPI(&generic.Config)
	roots := &discoveryRoots{wrap: l.wrap}
	roots.applyTo(&generic.Config)

	if err := l.listen(generic); err != nil {
		return err
	}
	server, err := l.newServer(generic, etcd, access)
	if err != nil {
		return errors.Join(err, l.connections.Close())
	}
	l.loopback = generic.LoopbackClientConfig
	roots.legacy = server.AggregatedLegacyDiscoveryGroupManager
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	go func() {
		defer close(l.done)
		l.err = server.PrepareRun().RunWithContext(ctx)
		server.Destroy()
		l.connections.Sever()
	}()
	return nil
}

// listen opens the port, with the certificate in the server's directory, and sets l.connections and l.config.
func (l *Local) listen(generic *genericapiserver.RecommendedConfig) error {
	connections, err := listener.Listen(l.options.Port)
	if err != nil {
		return err
	}
	l.connections, l.options.Port = connections, connections.Port()
	address := connections.Addr().(*net.TCPAddr).IP
	serving := genericoptions.NewSecureServingOptions()
	serving.BindAddress, serving.ExternalAddress, serving.BindPort = address, address, l.options.Port
	serving.Listener = l.connections
	cert, key := Certificate(l.options.Dir)
	serving.ServerCert.CertKey = genericoptions.CertKey{CertFile: cert, KeyFile: key}
	err = errors.Join(writeCertificate(l.options.Dir), serving.ApplyTo(&generic.SecureServing))
	var ca []byte
	if err == nil {
		ca, err = os.ReadFile(cert)
	}
	if err == nil {
		generic.LoopbackClientConfig, err = generic.SecureServing.NewLoopbackClientConfig(string(uuid.NewUUID()), ca)
	}
	if err != nil {
		return errors.Join(err, connections.Close())
	}
	l.config = program.ClientConfig("https://"+connections.Addr().String(), ca)
	return nil
}

func (l *Local) etcdOptions() *genericoptions.EtcdOptions {
	codec := apiextensions.Codecs.LegacyCodec(v1beta1.SchemeGroupVersion, apiextensionsv1.SchemeGroupVersion)
	etcd := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig(controllers.Prefix, codec))
	etcd.StorageConfig.Transport.ServerList = l.options.Etcd
	if l.options.Compaction != 0 {
		etcd.StorageConfig.CompactionInterval = l.options.Compaction
	}
	etcd.EnableWatchCache = !l.options.NoWatchCache
	return etcd
}

// applyFeatures disables API Priority and Fairness, which needs kinds that are not served here.
func applyFeatures(generic *genericapiserver.RecommendedConfig) error {
	features := genericoptions.NewFeatureOptions()
	features.EnablePriorityAndFairness = false
	return features.ApplyTo(&generic.Config, nil, nil)
}

// newServer returns the server of custom resources, with the built-in kinds and admission.
func (l *Local) newServer(
	generic *genericapiserver.RecommendedConfig,
	etcd *genericoptions.EtcdOptions,
	access *access,
) (*genericapiserver.GenericAPIServer, error) {
	admission := &admission{anyNamespace: l.options.AnyNamespace}
	if err := admission.applyTo(&generic.Config); err != nil {
		return nil, err
	}
	config := apiextensions.Config{
		GenericConfig: generic,
		ExtraConfig: apiextensions.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*etcd, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			MasterCount:          1,
			ServiceResolver:      noServices{},
			AuthResolverWrapper:  newAuthenticationResolver(generic.LoopbackClientConfig),
		},
	}
	server, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	server.GenericAPIServer.ShutdownTimeout = drainTimeout
	setSpec(&server.GenericAPIServer.StaticOpenAPISpec)
	access.stores, err = installBuiltins(server.GenericAPIServer, newGetters(generic, *etcd))
	admission.stores = access.stores
	return server.GenericAPIServer, err
}

// setSpec sets an empty OpenAPI v2 spec. If it were nil, OpenAPI v3 would not describe custom resources either. The type of the field
// depends on the release.
func setSpec(field any) {
	switch field := field.(type) {
	case **spec.Swagger:
		*field = &spec.Swagger{}
	case *cached.Value[*spec.Swagger]: // of later releases
		*field = cached.Static(&spec.Swagger{}, "")
	}
}

// newGetters returns the storage options of the built-in kinds. They are stored as JSON, which this module's
// controllers read too.
func newGetters(generic *genericapiserver.RecommendedConfig, etcd genericoptions.EtcdOptions) getters {
	storage := etcd.StorageConfig
	storage.Codec = codecs.LegacyCodec(scheme.PrioritizedVersionsAllGroups()...)
	storage.StorageObjectCountTracker = generic.StorageObjectCountTracker
	factory := &genericoptions.SimpleStorageFactory{StorageConfig: storage}
	direct := etcd
	direct.EnableWatchCache = false
	return getters{
		cached: etcd.CreateRESTOptionsGetter(factory, generic.ResourceTransformers),
		direct: direct.CreateRESTOptionsGetter(factory, generic.ResourceTransformers),
	}
}

// noServices resolves no Services: webhooks need a URL.
type noServices struct{}

func (noServices) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return nil, fmt.Errorf("service %s/%s: Services have no endpoints here, configure the webhook by URL", namespace, name)
}
