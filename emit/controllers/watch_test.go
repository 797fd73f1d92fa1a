package controllers

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	fleetv1 "github.com/informer-gen-lite/informer-gen-lite/examples/apis/fleet/v1"
)

// registration syncs when it is told to.
type registration struct {
	cache.ResourceEventHandlerRegistration
	synced atomic.Bool
}

func (r *registration) HasSynced() bool { return r.synced.Load() }

// TestWaitWithoutChannel is about releases of client-go whose registrations have no channel that tells when they have synced.
func TestWaitWithoutChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registration{}
		w := &watcher{registration: r, probe: probe{schema.GroupResource{Resource: "workloads"}, allNamespaces, func(context.Context, string, metav1.ListOptions) error { return nil }}}
		err := waitForSync(t.Context(), []*watcher{w}, time.Second)
		assert.ErrorContains(t, err, "informers have not synced after 1s: workloads: can be listed, but was not delivered in time")

		time.AfterFunc(time.Minute, func() { r.synced.Store(true) })
		start := time.Now()
		assert.NoError(t, waitForSync(t.Context(), []*watcher{w}, 0))
		assert.WithinRange(t, time.Now(), start.Add(time.Minute), start.Add(time.Minute+2*syncPoll))

		r.synced.Store(false)
		ended, end := context.WithCancel(t.Context())
		end()
		assert.NoError(t, waitForSync(ended, []*watcher{w}, 0))
	})
}

// TestHandler sends a handler what informers send, and what they could.
func TestHandler(t *testing.T) {
	var got []string
	h := handler[*fleetv1.Workload]{
		added: func(object *fleetv1.Workload, initial bool) {
			if initial {
				got = append(got, "found "+object.Name)
			} else {
				got = append(got, "added "+object.Name)
			}
		},
		updated: func(before, after *fleetv1.Workload) { got = append(got, "updated "+before.Name+" "+after.Name) },
		deleted: func(name cache.ObjectName, last *fleetv1.Workload) {
			got = append(got, "deleted "+name.String())
			if last != nil {
				got = append(got, "last "+last.Name)
			}
		},
		seen: func(name cache.ObjectName, version uint64) {
			got = append(got, fmt.Sprint("seen ", name, " ", version))
		},
	}
	web, other := workload("shop", "web", nil), &fleetv1.Region{}
	web.ResourceVersion = "7"
	for _, test := range []struct {
		event func()
		want  []string
	}{
		{func() { h.OnAdd(web, true) }, []string{"found web", "seen shop/web 7"}},
		{func() { h.OnAdd(web, false) }, []string{"added web", "seen shop/web 7"}},
		{func() { h.OnUpdate(web, web) }, []string{"updated web web", "seen shop/web 7"}},
		{func() { h.OnDelete(web) }, []string{"deleted shop/web", "last web", "seen shop/web 7"}},
		{func() { h.OnDelete(cache.DeletedFinalStateUnknown{Key: "shop/web", Obj: web}) }, []string{"deleted shop/web", "last web", "seen shop/web 0"}},
		{func() { h.OnDelete(cache.DeletedFinalStateUnknown{Key: "shop/web"}) }, []string{"deleted shop/web", "seen shop/web 0"}},
		{func() { h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a/b/c"}) }, nil},
		{func() { h.OnAdd(other, true); h.OnUpdate(other, web); h.OnUpdate(web, other); h.OnDelete(other) }, nil},
	} {
		got = nil
		test.event()
		assert.Equal(t, test.want, got)
	}
}
