// Package server starts an API server that knows the kinds of the examples and converts their versions.
package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/extended"
)

// convertedTimeout is ample time for the server to learn about a webhook.
const convertedTimeout = time.Minute

// Server is an API server with a clientset for it.
type Server struct {
	api     *apiservertest.Server
	webhook *webhook
	http    *http.Client
	Client  versioned.Interface
}

// Start starts a server that keeps its files in dir, reads CustomResourceDefinitions from crds, and has feature gates.
func Start(ctx context.Context, dir, crds string, gates map[string]bool) (*Server, error) {
	// Namespaces need not exist, and there is no garbage collection, as with fakes whose collector is off.
	api, err := apiservertest.StartServer(
		ctx,
		apiservertest.Options{Dir: dir, CRDPaths: []string{crds}, AnyNamespace: true, NoControllers: true, FeatureGates: gates},
	)
	if err != nil {
		return nil, err
	}
	s := &Server{api: api, webhook: startWebhook()}
	if err := s.connect(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// Config returns the configuration of a client. It does not retry requests for which the server is not ready yet: the answer
// would be the same after ten retries.
func (s *Server) Config() *rest.Config {
	config := s.api.Config()
	config.UserAgent = rest.DefaultKubernetesUserAgent() // the default for clients that create their own connections
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return withoutRetryAfter{next} })
	return config
}

// connect sets the client and returns when the server converts workloads.
func (s *Server) connect(ctx context.Context) error {
	config := s.Config()
	var err error
	if s.http, err = rest.HTTPClientFor(config); err != nil {
		return err
	}
	client, err := versioned.NewForConfigAndClient(config, s.http)
	if err != nil {
		return err
	}
	definitions, err := clientset.NewForConfigAndClient(config, s.http)
	if err != nil {
		return err
	}
	crds := definitions.ApiextensionsV1().CustomResourceDefinitions()
	s.Client = untyped{client, crds, config, s.http}
	crd, err := crds.Get(ctx, "workloads.fleet.example.com", metav1.GetOptions{})
	if err != nil {
		return err
	}
	crd.Spec.Conversion = s.webhook.conversion()
	if _, err := crds.Update(ctx, crd, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := s.waitConverted(ctx); err != nil {
		return err
	}
	return s.extend(ctx, crds)
}

// untyped is a clientset that also takes definitions and objects without Go types.
type untyped struct {
	versioned.Interface

	crds   apiextensionsclient.CustomResourceDefinitionInterface
	config *rest.Config
	http   *http.Client
}

// Untyped implements contract.Untyper.
func (u untyped) Untyped() (dynamic.Interface, error) {
	return dynamic.NewForConfigAndClient(u.config, u.http)
}

// Metadata implements contract.MetadataClient.
func (u untyped) Metadata() (metadata.Interface, error) {
	return metadata.NewForConfigAndClient(u.config, u.http)
}

// BuiltIn implements contract.BuiltInKinds.
func (u untyped) BuiltIn() (kubernetes.Interface, error) {
	return kubernetes.NewForConfigAndClient(u.config, u.http)
}

// Define implements contract.Definer with a dry run.
func (u untyped) Define(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) error {
	_, err := u.crds.Create(ctx, crd, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// waitConverted waits until a workload of one version can be read in the other.
func (s *Server) waitConverted(ctx context.Context) error {
	const namespace = "conversion"
	_, err := s.Client.FleetV1().Workloads(namespace).Create(ctx, &fleetv1.Workload{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"},
		Spec:       fleetv1.WorkloadSpec{RegionName: "north", Template: fleetv1.WorkloadTemplate{Image: "image:1"}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, convertedTimeout, true, func(ctx context.Context) (bool, error) {
		got, err := s.Client.FleetV1beta1().Workloads(namespace).Get(ctx, "probe", metav1.GetOptions{})
		return err == nil && got.Spec.Image == "image:1", nil
	})
	if err != nil {
		return fmt.Errorf("workloads are not converted: %w", err)
	}
	return nil
}

// extend extends the definition of gateways, and waits until the server defaults their status.
func (s *Server) extend(ctx context.Context, crds apiextensionsclient.CustomResourceDefinitionInterface) error {
	crd, err := crds.Get(ctx, extended.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := extended.Definitions(crd); err != nil {
		return err
	}
	if _, err := crds.Update(ctx, crd, metav1.UpdateOptions{}); err != nil {
		return err
	}
	gateways := s.Client.FleetV1beta1().Gateways("extended")
	_, err = gateways.Create(ctx, &fleetv1beta1.Gateway{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"},
		Spec:       fleetv1beta1.GatewaySpec{Listeners: []fleetv1beta1.GatewayListener{{Port: 80, WorkloadName: "web"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, 5*time.Millisecond, convertedTimeout, true, func(ctx context.Context) (bool, error) {
		got, err := gateways.Get(ctx, "probe", metav1.GetOptions{})
		return err == nil && len(got.Status.Addresses) > 0, nil
	})
	if err != nil {
		return fmt.Errorf("gateways are not extended: %w", err)
	}
	return nil
}

// Stop stops the server.
func (s *Server) Stop() error {
	if s.http != nil {
		s.http.CloseIdleConnections()
	}
	s.webhook.server.Close()
	return s.api.Stop()
}

// withoutRetryAfter removes Retry-After headers from responses.
type withoutRetryAfter struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t withoutRetryAfter) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Header.Del("Retry-After")
	}
	return response, err
}
