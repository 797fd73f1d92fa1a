package apiservertest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
)

// TestFeatureGates lists a shard, which servers do only with their gate.
func TestFeatureGates(t *testing.T) {
	const nothing = "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')"
	for _, on := range []bool{true, false} {
		process, err := apiservertest.StartProcess(t.Context(), apiservertest.Options{
			Dir: t.TempDir(), FeatureGates: map[string]bool{"ShardedListAndWatch": on},
		})
		require.NoError(t, err)
		client := connect(t, process.Config()).CoreV1()
		namespaces, err := client.Namespaces().List(t.Context(), metav1.ListOptions{ShardSelector: nothing})
		require.NoError(t, err)
		assert.Equal(t, on, len(namespaces.Items) == 0)
		assert.Equal(t, on, namespaces.ShardInfo != nil)
		table := &metav1.Table{}
		rows := client.RESTClient().Get().Resource("namespaces").Param("shardSelector", nothing)
		require.NoError(t, rows.SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(t.Context()).Into(table))
		assert.Equal(t, on, len(table.Rows) == 0)
		assert.Nil(t, table.ShardInfo, "tables do not say it")
		get := client.RESTClient().Get().Resource("namespaces").Name("default").Param("shardSelector", nothing)
		require.NoError(t, get.Do(t.Context()).Error(), "a get ignores it")
		get = client.RESTClient().Get().Resource("namespaces").Param("shardSelector", nothing).Param("shardSelector", "")
		require.NoError(t, get.Do(t.Context()).Into(namespaces))
		assert.Equal(t, on, len(namespaces.Items) == 0, "the first parameter counts")
		require.NoError(t, process.Terminate())
	}
}

func TestOtherFeatureGates(t *testing.T) {
	onlyHere(t)
	_, err := apiservertest.StartServer(t.Context(), apiservertest.Options{FeatureGates: map[string]bool{"ShardedListAndWatch": true}})
	assert.ErrorContains(t, err, "a server with other feature gates runs in this process")
}
