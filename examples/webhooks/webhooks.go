// Package webhooks serves the admission and conversion webhooks of workloads with controller-runtime, in the process of a controller
// that does not use it otherwise.
package webhooks

import (
	"context"
	"crypto/tls"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	klog "k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
	fleetv1beta1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1beta1"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// The paths of the webhooks. The manifests in config refer to them.
const (
	ValidatePath = "/validate-workload"
	ConvertPath  = "/convert"
)

// Options are the options of Serve. The zero value is valid.
type Options struct {
	// Host and Port are the address to listen on; all interfaces and 9443 by default.
	Host string
	Port int
	// CertDir has the files tls.crt and tls.key, which are read again when they change; by default, the folder of
	// controller-runtime. It can be the folder of the certificate for the metrics.
	CertDir string
}

// Serve serves the webhooks until ctx is done, and then finishes the requests in flight. config is that of the API server, which the
// validation reads from.
func Serve(ctx context.Context, config *rest.Config, options Options) error {
	log.SetLogger(klog.Background())
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(fleetv1.AddToScheme(scheme), fleetv1beta1.AddToScheme(scheme)); err != nil {
		return err
	}
	converter, err := conversion.NewHubSpokeConverter(&fleetv1.Workload{},
		conversion.NewSpokeConverter(&fleetv1beta1.Workload{}, toV1beta1, fromV1beta1))(scheme)
	if err != nil {
		return err
	}
	converters := conversion.NewRegistry()
	if err := converters.RegisterConverter(fleetv1.Kind("Workload"), converter); err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{
		Host: options.Host, Port: options.Port, CertDir: options.CertDir,
		// Resets of HTTP/2 streams let clients cause work before they are authenticated (CVE-2023-44487).
		TLSOpts: []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }},
	})
	server.Register(ValidatePath, admission.WithValidator(scheme, validator{client.FleetV1().Regions()}))
	server.Register(ConvertPath, conversion.NewWebhookHandler(scheme, converters))
	return server.Start(ctx)
}
