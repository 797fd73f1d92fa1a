package walk

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/test/e2e/apiserver"
)

// length is how many requests a round has.
const length = 60

// fromEnv returns a number from the environment.
func fromEnv(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	require.NoError(t, err)
	return number
}

// TestWalk sends the same random requests to a server and to a strict fake: $WALK_REQUESTS of them, beginning with the round
// $WALK_SEED.
func TestWalk(t *testing.T) {
	klog.SetLogger(logr.Discard())
	server, err := apiserver.Start(t.Context(), apiserver.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop()) }()
	crds, err := apiserver.ReadCRDs("../../../examples/config/crd")
	require.NoError(t, err)
	require.NoError(t, apiserver.InstallCRDs(t.Context(), server.Config(), crds...))
	httpClient, err := rest.HTTPClientFor(server.Config())
	require.NoError(t, err)
	defer httpClient.CloseIdleConnections()
	client, err := versioned.NewForConfigAndClient(server.Config(), httpClient)
	require.NoError(t, err)

	walk := &Walk{Prefix: "walk", Server: client, Fake: func() versioned.Interface {
		return fake.NewStrictClientsetWithOptions(nil, fake.WithGarbageCollection(false))
	}}
	seed, found := fromEnv(t, "WALK_SEED", 1), 0
	for i := range fromEnv(t, "WALK_REQUESTS", 3000) / length {
		if difference := walk.Round(t.Context(), uint64(seed+i), length); difference != nil {
			t.Error(fmt.Sprintf("round %d:\n%s", seed+i, difference))
			if found++; found == 8 {
				return
			}
		}
	}
}
