package model

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTargets lists the capabilities of each release, as the releases of client-go, apimachinery and code-generator have them.
func TestTargets(t *testing.T) {
	type capabilities struct {
		has                  map[string]bool
		discovery, mergeDiff string
	}
	names := []string{"DeleteWithResult", "KeepsSerializer", "TrimsComments", "Shards", "TypedInformers", "ConvertsMemory", "EmbedsUnnamed", "InformerNames",
		"Runtime", "SyncResults", "WatchListSemantics", "ExtractsSubresources", "ApplyInterface", "SchemeTypeConverter"}
	// since returns the capabilities before a name in the list as missing, and the others as existing.
	since := func(first int) map[string]bool {
		has := map[string]bool{}
		for i, name := range names {
			has[name] = i >= first
		}
		return has
	}
	want := map[string]capabilities{
		"v0.33": {since(14), "DiscoveryInterface", "v4"},
		"v0.34": {since(12), "DiscoveryInterface", "v6"},
		"v0.35": {since(10), "DiscoveryInterface", "v6"},
		"v0.36": {since(7), "DiscoveryInterface", "v6"},
		"v0.37": {since(4), "DiscoveryInterfaces", "v6"},
		"v0.38": {since(0), "DiscoveryInterfaces", "v7"},
	}
	all := append(Targets(), NewestTarget)
	require.Len(t, all, len(want))
	for _, target := range all {
		got := capabilities{map[string]bool{}, target.Discovery(), target.StructuredMergeDiff()}
		for _, name := range names {
			has, ok := reflect.TypeAssert[func() bool](reflect.ValueOf(target).MethodByName(name))
			require.True(t, ok, name)
			got.has[name] = has()
		}
		assert.Equal(t, want[target.String()], got, target)
	}
	// All capabilities are listed above.
	boolean := 0
	for method := range reflect.TypeFor[Target]().Methods() {
		if method.Type.NumIn() == 1 && method.Type.Out(0).Kind() == reflect.Bool {
			boolean++
		}
	}
	assert.Len(t, names, boolean)
}
