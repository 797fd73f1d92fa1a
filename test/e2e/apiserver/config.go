package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/webhook"
)

// drainTimeout is what requests under way get when the server stops. A watch never finishes by itself, so that stopping
// takes all of this time while one is open.
const drainTimeout = 100 * time.Millisecond

// certName is what a server calls its certificate, kube-apiserver as well.
const certName = "apiserver"

// CertificateDir is where a server keeps its certificate and key, in its own directory.
func CertificateDir(dir string) string { return filepath.Join(dir, "pki") }

// certificate returns the files of the certificate and the key.
func certificate(dir string) (cert, key string) {
	path := filepath.Join(CertificateDir(dir), certName)
	return path + ".crt", path + ".key"
}

// serve starts the API server in the background.
func (l *local) serve() error {
	generic := genericapiserver.NewRecommendedConfig(apiextensions.Codecs)
	etcd := l.etcdOptions()
	run := genericoptions.NewServerRunOptions()
	err := errors.Join(
		run.Complete(),
		run.ApplyTo(&generic.Config),
		etcd.ApplyTo(&generic.Config),
		applyFeatures(generic),
		genericoptions.NewAPIEnablementOptions().ApplyTo(&generic.Config, apiextensions.DefaultAPIResourceConfigSource(), apiextensions.Scheme),
	)
	if err != nil {
		return err
	}
	applyAccess(&generic.Config)
	applyOpenAPI(&generic.Config)
	roots := &discoveryRoots{wrap: l.options.Wrap}
	roots.applyTo(&generic.Config)

	if err := l.listen(generic); err != nil {
		return err
	}
	server, err := newServer(generic, etcd)
	if err != nil {
		return errors.Join(err, l.connections.Close())
	}
	roots.legacy = server.AggregatedLegacyDiscoveryGroupManager
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	go func() {
		defer close(l.done)
		l.err = server.PrepareRun().RunWithContext(ctx)
		server.Destroy()
		l.connections.sever()
	}()
	return nil
}

// listen opens the port, with a certificate that is kept in the directory of the server, and sets
// l.connections and l.config.
func (l *local) listen(generic *genericapiserver.RecommendedConfig) error {
	address := net.IPv4(127, 0, 0, 1)
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", address, l.options.Port))
	if err != nil {
		return err
	}
	l.connections = &connections{Listener: listener, open: map[net.Conn]struct{}{}}
	l.options.Port = listener.Addr().(*net.TCPAddr).Port
	serving := genericoptions.NewSecureServingOptions().WithLoopback()
	serving.BindAddress, serving.ExternalAddress, serving.BindPort = address, address, l.options.Port
	serving.Listener = l.connections
	serving.ServerCert.CertDirectory, serving.ServerCert.PairName = CertificateDir(l.options.Dir), certName
	err = serving.MaybeDefaultWithSelfSignedCerts("localhost", nil, []net.IP{address})
	if err == nil {
		err = serving.ApplyToConfig(&generic.Config)
	}
	var ca []byte
	if err == nil {
		cert, _ := certificate(l.options.Dir)
		ca, err = os.ReadFile(cert)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	l.config = ClientConfig("https://"+listener.Addr().String(), ca)
	return nil
}

func (l *local) etcdOptions() *genericoptions.EtcdOptions {
	codec := apiextensions.Codecs.LegacyCodec(v1beta1.SchemeGroupVersion, apiextensionsv1.SchemeGroupVersion)
	etcd := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", codec))
	etcd.StorageConfig.Transport.ServerList = l.options.Etcd
	if l.options.Compaction != 0 {
		etcd.StorageConfig.CompactionInterval = l.options.Compaction
	}
	etcd.EnableWatchCache = !l.options.NoWatchCache
	return etcd
}

// applyFeatures turns off the queueing of requests by priority, which needs kinds that are not here.
func applyFeatures(generic *genericapiserver.RecommendedConfig) error {
	features := genericoptions.NewFeatureOptions()
	features.EnablePriorityAndFairness = false
	return features.ApplyTo(&generic.Config, nil, nil)
}

// applyAccess lets in who has the token, to everything.
func applyAccess(generic *genericapiserver.Config) {
	users := tokenfile.New(map[string]*user.DefaultInfo{
		Token: {Name: "admin", UID: "admin", Groups: []string{user.SystemPrivilegedGroup}},
	})
	generic.Authentication.Authenticator = group.NewAuthenticatedGroupAdder(bearertoken.New(authenticator.Token(users)))
	generic.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
}

// newServer makes the server of custom resources and adds the built-in kinds to it.
func newServer(generic *genericapiserver.RecommendedConfig, etcd *genericoptions.EtcdOptions) (*genericapiserver.GenericAPIServer, error) {
	config := apiextensions.Config{
		GenericConfig: generic,
		ExtraConfig: apiextensions.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*etcd, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			MasterCount:          1,
			ServiceResolver:      noServices{},
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, generic.LoopbackClientConfig, noop.NewTracerProvider()),
		},
	}
	server, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	server.GenericAPIServer.ShutdownTimeout = drainTimeout
	storage := etcd.StorageConfig
	storage.Codec = codecs.LegacyCodec(scheme.PrioritizedVersionsAllGroups()...)
	storage.StorageObjectCountTracker = generic.StorageObjectCountTracker
	getter := etcd.CreateRESTOptionsGetter(&genericoptions.SimpleStorageFactory{StorageConfig: storage}, generic.ResourceTransformers)
	if err := installBuiltins(server.GenericAPIServer, getter); err != nil {
		return nil, err
	}
	return server.GenericAPIServer, nil
}

// noServices tells webhooks that there are no Services to find them by.
type noServices struct{}

func (noServices) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return nil, fmt.Errorf("service %s/%s: there are no Services here, name the webhook by its URL", namespace, name)
}
