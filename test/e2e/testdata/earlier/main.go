// Command workload-controller runs the controller for workloads.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/events"
	klog "k8s.io/klog/v2"

	clientset "github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/scheme"
	reconciler "github.com/informer-gen-lite/informer-gen-lite/examples/internal/controller/workload"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/controller"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// options are the flags.
type options struct {
	kubeconfig, namespace       string
	workers                     int
	qps                         float64
	address                     string
	lead                        bool
	leaseNamespace              string
	lease, renewDeadline, retry time.Duration
	logFormat                   string
	verbosity                   int
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("workload-controller", flag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig `file`; by default $KUBECONFIG, the service account in a cluster, or ~/.kube/config")
	flags.StringVar(&o.namespace, "namespace", "", "namespace of the workloads to reconcile; all namespaces by default")
	flags.IntVar(&o.workers, "workers", 2, "number of workloads to reconcile concurrently")
	flags.Float64Var(&o.qps, "kube-api-qps", 50, "requests to the API server per second, with bursts of twice as many; negative for no limit")
	flags.StringVar(&o.address, "http-address", "localhost:8080", "`address` of /healthz, /readyz and /metrics; :8080 for all interfaces")
	flags.BoolVar(&o.lead, "leader-elect", true, "reconcile only while holding the lease, so that several replicas can stand by")
	flags.StringVar(&o.leaseNamespace, "leader-elect-namespace", "", "namespace of the lease; by default the namespace of the pod, or of the kubeconfig's context")
	flags.DurationVar(&o.lease, "leader-elect-lease-duration", 15*time.Second, "how long candidates wait after the last renewal before they take over the lease")
	flags.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second, "how long the leader retries to renew the lease before it gives up leadership")
	flags.DurationVar(&o.retry, "leader-elect-retry-period", 2*time.Second, "how long to wait between attempts to acquire or renew the lease")
	flags.StringVar(&o.logFormat, "log-format", "text", "log format, text or json")
	flags.IntVar(&o.verbosity, "v", 0, "log verbosity; 4 logs every reconcile")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.logFormat != "text" && o.logFormat != "json" {
		return o, fmt.Errorf("--log-format must be text or json, not %q", o.logFormat)
	}
	return o, nil
}

func main() {
	o, err := parseOptions(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fmt.Fprintf(os.Stderr, "workload-controller: %v\n", err)
		os.Exit(2)
	}
	setupLogs(o)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal terminates the process
	if err := run(ctx, o); err != nil {
		klog.Background().Error(err, "workload-controller failed")
		os.Exit(1)
	}
}

func setupLogs(o options) {
	handler := &slog.HandlerOptions{Level: slog.Level(-o.verbosity)}
	logger := slog.New(slog.NewTextHandler(os.Stderr, handler))
	if o.logFormat == "json" {
		logger = slog.New(slog.NewJSONHandler(os.Stderr, handler))
	}
	slog.SetDefault(logger)
	klog.SetSlogLogger(logger)
	var level klog.Level
	_ = level.Set(strconv.Itoa(o.verbosity)) // any number is a valid level
}

// run reconciles until the context is done. When it returns nil, everything that it started has stopped. After an error,
// the process must exit.
func run(ctx context.Context, o options) error {
	loader := clientcmd.NewDefaultClientConfigLoadingRules()
	loader.ExplicitPath = o.kubeconfig
	kubeconfig := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(loader, nil)
	config, err := kubeconfig.ClientConfig()
	if err != nil {
		return err
	}
	config.QPS, config.Burst = float32(o.qps), int(2*o.qps)
	if o.leaseNamespace == "" {
		if o.leaseNamespace, _, err = kubeconfig.Namespace(); err != nil {
			return err
		}
	}
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	kinds := runtime.NewScheme() // for references from events to objects
	if err := errors.Join(kubescheme.AddToScheme(kinds), scheme.AddToScheme(kinds)); err != nil {
		return err
	}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: kube.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	informerName, err := cache.NewInformerName("workload-controller")
	if err != nil {
		return err
	}
	defer informerName.Release()
	elected, record := make(chan struct{}), handover.New()
	c, err := reconciler.New(client, kube, broadcaster.NewRecorder(kinds, reconciler.FieldManager),
		controller.WithWorkers(o.workers), controller.WithInformers(informer.WithNamespaces(o.namespace)), controller.WithElected(elected),
		controller.WithHandover(record), controller.WithInformers(informer.WithInformerName(informerName)), controller.WithMetrics(reconciles))
	if err != nil {
		return err
	}
	stopServing, err := serve(ctx, o.address, c)
	if err != nil {
		return err
	}
	defer stopServing()
	if !o.lead {
		close(elected)
		return c.Run(ctx)
	}
	candidate, err := newCandidate(config, o, elected, record)
	if err != nil {
		return err
	}
	return candidate.run(ctx, kube, c.Run)
}
