package apiservertest_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest"
	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/faults"
)

// TestFaults has requests of clients fail, and leaves those of the server's controllers alone.
func TestFaults(t *testing.T) {
	var seen atomic.Int32
	server := apiservertest.Start(t, apiservertest.Options{
		CRDPaths: []string{"testdata/crd"},
		Wrap: func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen.Add(1)
				api.ServeHTTP(w, r)
			})
		},
	})
	f := newFamily(t, server)
	conflict := server.Faults.Add(faults.Rule{Verbs: []string{"create"}, Resource: "widgets", Times: 1, Do: faults.Fail(http.StatusConflict)})
	lost := server.Faults.Add(faults.Rule{Verbs: []string{"delete"}, Resource: "widgets", Times: 1, Do: faults.LoseReply()})
	for range 2 {
		server.Faults.Add(faults.Rule{Verbs: []string{"delete", "patch"}, Resource: "configmaps", Do: faults.Fail(http.StatusInternalServerError)})
	}
	before := seen.Load()
	_, err := f.widgets.Create(t.Context(), widget("a"), metav1.CreateOptions{})
	assert.True(t, apierrors.IsConflict(err), "%v", err)
	assert.Equal(t, before, seen.Load(), "the handler is behind the faults")
	owner := create1(t, f.widgets, widget("a"))
	assert.Less(t, before, seen.Load())
	create1(t, f.configs, config("child", ownedBy(owner, false)))

	assert.Error(t, f.widgets.Delete(t.Context(), "a", metav1.DeleteOptions{}))
	gone(t, f.configs, "child")
	assert.Equal(t, 1, conflict.Hits())
	assert.Equal(t, 1, lost.Hits())
	server.Faults.Clear()
}
