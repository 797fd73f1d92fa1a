package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// TestUIDs has UIDs that shards can divide: each bucket has about as many objects as the others.
func TestUIDs(t *testing.T) {
	assert.Regexp(t, `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, uidOf(1, 7))
	assert.NotEqual(t, uidOf(1, 7), uidOf(2, 7))
	const mean = 100
	objects := newCensus(256 * mean)
	assert.Equal(t, 256*mean, objects.in(allBuckets))
	for bucket, n := range objects {
		assert.InDelta(t, mean, n, mean/2, "bucket %d", bucket)
	}
	assert.InDelta(t, 256*mean/3, objects.in(aThird), 0.02*256*mean)
}

func TestCensus(t *testing.T) {
	var objects census
	objects[0], objects[84], objects[85], objects[255] = 1, 2, 4, 8
	assert.Equal(t, 3, objects.in(aThird))
	assert.Equal(t, 12, objects.in(informer.Arc{First: 85, Last: 254}, informer.Arc{First: 255, Last: 255}))
	assert.Zero(t, objects.in())
}

func TestExchangedArcs(t *testing.T) {
	var objects census
	for bucket := range objects {
		objects[bucket] = 2
	}
	objects[28], objects[48] = 1, 0 // a held arc has the fewest
	before, after := objects.exchange()
	assert.Len(t, before, manyArcs)
	for n, arc := range before {
		assert.Equal(t, informer.Arc{First: uint8(16 * n), Last: uint8(16*n + 7)}, arc)
	}
	assert.Equal(t, informer.Arc{First: 24, Last: 31}, after[0])
	assert.Equal(t, before[1:], after[1:])
}

// TestCountReceived has a client that counts the answer with its head.
func TestCountReceived(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
	}))
	defer server.Close()
	config := &rest.Config{Host: server.URL}
	received := countReceived(config)
	client, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
	require.NoError(t, err)
	answer, err := client.Do(request)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, errors.Join(err, answer.Body.Close()))
	assert.Greater(t, received.Load(), int64(1000))
	assert.Less(t, received.Load(), int64(1500))

	_, err = config.Dial(t.Context(), "tcp", "nowhere")
	var failed *net.OpError
	assert.ErrorAs(t, err, &failed)
}

func TestQuiet(t *testing.T) {
	i := &sharded{received: new(atomic.Int64)}
	require.NoError(t, i.quiet(t.Context()))
	ended, end := context.WithTimeout(t.Context(), -time.Second)
	defer end()
	assert.ErrorIs(t, i.quiet(ended), context.DeadlineExceeded)
}
