package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/apiserver"
	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/faults"
)

// patience is how long anything may take before a test gives up. Nothing that works takes nearly that long.
const patience = 90 * time.Second

func TestMain(m *testing.M) {
	if apiserver.IsChild() {
		if err := apiserver.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	klog.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m, apiserver.Leftovers()...)
}

// cluster is a server that knows the kinds of the examples.
type cluster struct {
	*apiserver.Server
	faults *faults.Injector
	client versioned.Interface
	// dynamic writes what the generated clients may only read.
	dynamic dynamic.Interface
}

// start starts a cluster that lives as long as the test. Options.Wrap goes behind the faults.
func start(t *testing.T, options apiserver.Options) *cluster {
	t.Helper()
	c := &cluster{faults: faults.New(1)}
	wrap := options.Wrap
	options.Wrap = func(api http.Handler) http.Handler {
		if wrap != nil {
			api = wrap(api)
		}
		return c.faults.Wrap(api)
	}
	options.Dir = t.TempDir()
	var err error
	c.Server, err = apiserver.Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Stop()) })
	install(t, c.Config())
	c.client, c.dynamic = connect(t, c.Config())
	return c
}

// install makes the kinds of the examples known to a server, together with extra ones.
func install(t *testing.T, config *rest.Config, extra ...*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	crds, err := apiserver.ReadCRDs("../../examples/config/crd")
	require.NoError(t, err)
	require.NoError(t, apiserver.InstallCRDs(t.Context(), config, append(crds, extra...)...))
}

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

// within returns a context that gives up in time to say why.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until what holds does.
func eventually(t *testing.T, holds func() bool, message string, args ...any) {
	t.Helper()
	err := wait.PollUntilContextCancel(within(t), 5*time.Millisecond, true, func(context.Context) (bool, error) { return holds(), nil })
	require.NoError(t, err, append([]any{message}, args...)...)
}
