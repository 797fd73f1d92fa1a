package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/consistency"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/informer"
)

// leaseServer is an API server with one lease.
type leaseServer struct {
	lock  sync.Mutex
	lease *coordinationv1.Lease
}

// ServeHTTP implements http.Handler.
func (s *leaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		lease := &coordinationv1.Lease{}
		if err := json.NewDecoder(r.Body).Decode(lease); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.lease = lease
	}
	if s.lease == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.lease) // fails if the client has gone
}

// TestLeaseCarriesWrites runs two candidates in turn. The second one learns what the controller of the first one has written.
func TestLeaseCarriesWrites(t *testing.T) {
	leases := &leaseServer{}
	server := httptest.NewServer(leases)
	defer server.Close()
	o, err := parseOptions([]string{"--leader-elect-namespace=system"})
	require.NoError(t, err)
	secrets := informer.Namespaced(nil, corev1.SchemeGroupVersion.WithResource("secrets"), kubefake.NewClientset().CoreV1().Secrets)
	run := func(reconcile func(context.Context, *handover.Record, *consistency.Tracker)) {
		elected, record, tracker := make(chan struct{}), handover.New(), consistency.NewTracker()
		consistency.Track(tracker, informer.For(informer.NewFactory(), secrets))
		config := &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
		c, err := newCandidate(config, o, elected, record)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.NoError(t, c.run(ctx, kubefake.NewClientset(), func(ctx context.Context) error {
			select {
			case <-elected:
			case <-ctx.Done():
				return ctx.Err()
			}
			reconcile(ctx, record, tracker)
			return nil
		}))
	}
	written := func() string {
		leases.lock.Lock()
		defer leases.lock.Unlock()
		assert.Empty(t, *leases.lease.Spec.HolderIdentity, "the lease is released")
		return leases.lease.Annotations[handover.Annotation]
	}

	run(func(ctx context.Context, record *handover.Record, tracker *consistency.Tracker) {
		assert.Empty(t, record.CatchUp(ctx, "workloads", tracker))
		ctx, session := tracker.Begin(ctx, cache.NewObjectName("shop", "web"))
		consistency.Wrote(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7"}})
		session.End()
	})
	assert.Equal(t, `{"workloads":{"secrets":"7"}}`, written())
	run(func(ctx context.Context, record *handover.Record, tracker *consistency.Tracker) {
		assert.Empty(t, record.CatchUp(ctx, "workloads", tracker), "a cache that does not run has no versions")
		assert.Equal(t, consistency.Versions{"secrets": "7"}, tracker.Written())
	})
	assert.Equal(t, `{"workloads":{"secrets":"7"}}`, written())
}
