package walk

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/crdfake"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned"
	"github.com/informer-gen-lite/informer-gen-lite/examples/generated/clientset/versioned/fake"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/strictfake"
	"github.com/informer-gen-lite/informer-gen-lite/test/contract/server"
)

const (
	// length is the number of requests in a round.
	length = 60
	// enough is the maximum number of differences shown.
	enough = 5
	// definitionsDir has the CustomResourceDefinitions of the examples.
	definitionsDir = "../../../examples/config/crd"
)

func TestMain(m *testing.M) {
	if apiservertest.IsChild() {
		if err := apiservertest.RunChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:forbidigo // TestMain is the main function of a test
		}
		return
	}
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run()) //nolint:forbidigo // TestMain is the main function of a test
}

// fromEnv returns a number from the environment.
func fromEnv(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return number
}

// TestWalk sends the same random requests to a server and to a strict fake with definitions: $WALK_REQUESTS of them, starting
// with seed $WALK_SEED.
func TestWalk(t *testing.T) {
	s, err := server.Start(t.Context(), t.TempDir(), definitionsDir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	definitions, err := crdfake.Load(definitionsDir)
	require.NoError(t, err)
	walk := &Walk{Prefix: "walk", Server: s.Client, Fake: func() versioned.Interface {
		client := fake.NewStrictClientsetFor(strictfake.NewServer(strictfake.WithGarbageCollection(false)))
		if err := crdfake.Use(client, definitions...); err != nil {
			t.Error(err)
		}
		return client
	}}
	requests, seed := fromEnv(t, "WALK_REQUESTS", 3000), fromEnv(t, "WALK_SEED", 1)
	found := 0
	for i := range requests / length {
		if difference := walk.Round(t.Context(), uint64(seed+i), length); difference != nil {
			t.Errorf("round %d:\n%s", seed+i, difference)
			if found++; found == enough {
				t.Fatal("there may be more")
			}
		}
	}
}

// TestDifference replaces the server by another fake: a round finds a difference and omits irrelevant requests.
func TestDifference(t *testing.T) {
	walk := &Walk{Prefix: "walk", Server: fake.NewStrictClientset(), Fake: func() versioned.Interface { return fake.NewClientset() }}
	difference := walk.Round(t.Context(), 1, length)
	require.NotNil(t, difference)
	assert.NotEqual(t, difference.Server, difference.Fake)
	assert.Len(t, difference.Requests, 1, "%s", difference)
	same := &Walk{Prefix: "walk", Server: fake.NewStrictClientset(), Fake: func() versioned.Interface { return fake.NewStrictClientset() }}
	assert.Nil(t, same.Round(t.Context(), 1, length))
}
