package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
)

// patience is the timeout of everything that a test waits for. Working code needs far less, also while something else is compiled.
const patience = 4 * time.Minute

func TestMain(m *testing.M) {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	klog.SetLogger(logr.Discard())
	var leftovers []goleak.Option
	for _, function := range apiservertest.Leftovers() {
		leftovers = append(leftovers, goleak.IgnoreAnyFunction(function))
	}
	goleak.VerifyTestMain(m, leftovers...)
}

// cluster is a server that knows the kinds of the examples.
type cluster struct {
	*apiservertest.Server
	client versioned.Interface
	// dynamic writes objects that the generated clients can only read.
	dynamic dynamic.Interface
}

// start starts a cluster until the test ends. Namespaces need not exist, and deployments become ready.
func start(t *testing.T, options apiservertest.Options) *cluster {
	t.Helper()
	options.CRDPaths = []string{crdDir}
	options.AnyNamespace, options.ReadyDeployments = true, true
	c := &cluster{Server: apiservertest.Start(t, options)}
	c.client, c.dynamic = connect(t, c.Config())
	return c
}

// crdDir has the kinds of the examples.
const crdDir = "../../examples/config/crd"

// connect returns clients whose connections end with the test.
func connect(t *testing.T, config *rest.Config) (versioned.Interface, dynamic.Interface) {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := versioned.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	dynamicClient, err := dynamic.NewForConfigAndClient(config, httpClient)
	require.NoError(t, err)
	return client, dynamicClient
}

// soon returns the time that an idle machine is given for something, or more with -short: then other tests run at the same time.
func soon(idle time.Duration) time.Duration {
	if testing.Short() {
		return 10 * idle
	}
	return idle
}

// within returns a context that ends early enough to report the reason.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until holds returns true.
func eventually(t *testing.T, holds func() bool, message string, args ...any) {
	t.Helper()
	err := wait.PollUntilContextCancel(within(t), 5*time.Millisecond, true, func(context.Context) (bool, error) { return holds(), nil })
	require.NoError(t, err, append([]any{message}, args...)...)
}
