package progress

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"
	clocktesting "k8s.io/utils/clock/testing"
)

var (
	start = time.Unix(1_000_000, 0)
	added = Cause{"pods", "added"}
)

func newLog() (*clocktesting.FakePassiveClock, *Log) {
	clock := clocktesting.NewFakePassiveClock(start)
	return clock, New(clock)
}

func object(i int) cache.ObjectName { return cache.NewObjectName("shop", strconv.Itoa(i)) }

// reconcile notes a reconcile that takes no time.
func (l *Log) reconcile(name cache.ObjectName, origin *Origin, result Result) {
	l.Begin(name, l.clock.Now(), origin)
	l.End(name, 0, result)
}

// TestListedItemsHaveNoEntry queues 100,000 items as a start does: they share a few origins.
func TestListedItemsHaveNoEntry(t *testing.T) {
	clock, l := newLog()
	origins := map[*Origin]bool{}
	for i := range 100_000 {
		clock.SetTime(start.Add(time.Duration(i) * 30 * time.Microsecond)) // 3 seconds
		origins[l.Queued(object(i), Cause{Event: "found"}, false)] = true
	}
	assert.Empty(t, l.entries)
	assert.Len(t, origins, 3)
	assert.NotContains(t, origins, nil)

	origin := l.Queued(object(1), added, false)
	assert.Equal(t, Origin{added, clock.Now()}, *origin, "not that of another cause")
	l.reconcile(object(1), origin, Result{})
	assert.Nil(t, l.Queued(object(1), Cause{Event: "resynced"}, false), "there is an entry")
	assert.Equal(t, Object{
		State: StateQueued, Since: clock.Now(), Cause: Cause{Event: "resynced"},
		Reconciles: []PastReconcile{{Cause: added, Start: clock.Now()}},
	}, l.Object(object(1), "low", nil))
}

// TestOnlyRecentReconcilesAreKept reconciles more objects than the log has reconciles of, some of them several times.
func TestOnlyRecentReconcilesAreKept(t *testing.T) {
	_, l := newLog()
	for i := range maxObjects + 10 {
		l.reconcile(object(i), nil, Result{})
		l.reconcile(object(0), nil, Result{Outcome: strconv.Itoa(i)})
	}
	assert.Len(t, l.entries, maxObjects)
	assert.Equal(t, maxObjects, l.recent.Len())
	assert.Equal(t, (maxObjects-1+maxReconciles)*reconcileSize, l.size)
	assert.Empty(t, l.Object(object(10), "", nil).Reconciles)
	assert.Len(t, l.Object(object(11), "", nil).Reconciles, 1)
	last := l.entries[object(maxObjects+9)] // which was the entry of another object
	assert.Equal(t, object(maxObjects+9), last.name)
	assert.Len(t, last.history.list(), 1)
	kept := l.Object(object(0), "", nil).Reconciles
	assert.Len(t, kept, maxReconciles)
	for i, past := range kept {
		assert.Equal(t, strconv.Itoa(maxObjects+9-i), past.Outcome, "the latest one first")
	}
	assert.Equal(t, kept[0].Outcome, l.entries[object(0)].history.latest().Outcome)
	assert.LessOrEqual(t, cap(l.entries[object(0)].history.ring), maxReconciles)
}

// TestLongErrorsAreBounded fills the log with errors, which count for its size. Failing objects stay known without their reconciles.
func TestLongErrorsAreBounded(t *testing.T) {
	_, l := newLog()
	long := Result{Class: Failing, Outcome: "error", Error: strings.Repeat("x", 1024)}
	for i := range maxSize/1024 + 100 {
		l.reconcile(object(i), nil, long)
		l.reconcile(object(i), nil, Result{})
		for range maxReconciles {
			l.reconcile(object(i), nil, long)
		}
	}
	assert.LessOrEqual(t, l.size, maxSize)
	sum := 0
	for _, e := range l.entries {
		sum += e.history.size
	}
	assert.Equal(t, sum, l.size)
	assert.Greater(t, l.size, maxSize-maxReconciles*2048)
	failing := l.Lists().Failing
	assert.Len(t, failing, maxSize/1024+100)
	assert.Empty(t, failing[0].Reason)
	assert.Equal(t, maxReconciles, l.Object(failing[0].Name, "", nil).Failures)
	for i := range maxSize/1024 + 100 {
		l.reconcile(object(i), nil, Result{})
	}
	assert.Len(t, l.entries, maxObjects, "what has recovered is forgotten")
	assert.Empty(t, l.Lists().Failing)
}

// TestFailed counts failures and conflicts of two objects.
func TestFailed(t *testing.T) {
	_, l := newLog()
	ended := Result{Class: Failing}
	// fail ends a reconcile that failed, or met a conflict, and returns the count.
	fail := func(i int, conflict bool) int {
		l.Begin(object(i), l.clock.Now(), nil)
		defer l.End(object(i), 0, ended)
		return l.Failed(object(i), conflict)
	}
	assert.Equal(t, []int{1, 2, 1, 3}, []int{fail(1, false), fail(1, false), fail(2, false), fail(1, false)})
	assert.Equal(t, []int{1, 2, 1, 4}, []int{fail(1, true), fail(1, true), fail(2, true), fail(1, false)})
	assert.Equal(t, 1, fail(1, true), "a failure was in between")
	l.reconcile(object(1), nil, Result{})
	assert.Equal(t, []int{1, 1, 2}, []int{fail(1, false), fail(1, true), fail(2, false)})
	l.Drop(object(2))
	assert.Equal(t, []int{1, 2}, []int{fail(2, false), fail(1, false)})
	ended.GaveUp = true
	assert.Equal(t, []int{3, 1, 1}, []int{fail(1, false), fail(1, false), fail(1, true)})
	assert.Equal(t, 6, l.Object(object(1), "", nil).Failures, "it has failed since it was reconciled last")
}

// TestStates follows one object.
func TestStates(t *testing.T) {
	clock, l := newLog()
	web := cache.NewObjectName("shop", "web")
	// at expects the state of the object, "since" a number of seconds, with its cause.
	at := func(want string) {
		t.Helper()
		o := l.Object(web, "", nil)
		got := fmt.Sprint(o.State, " ", o.Since.Sub(start).Seconds(), " ", o.Cause.Event)
		if !o.Next.IsZero() {
			got += fmt.Sprint(" next ", o.Next.Sub(start).Seconds())
		}
		assert.Equal(t, want, got)
	}
	second := func(seconds int) { clock.SetTime(start.Add(time.Duration(seconds) * time.Second)) }
	assert.Equal(t, Object{State: StateIdle}, l.Object(web, "", nil))
	l.Queued(web, added, true)
	second(1)
	l.Queued(web, Cause{"pods", "updated"}, true)
	at("queued 0 added")
	l.Held(web, nil)
	second(2)
	l.Held(web, nil)
	at("heldBack 1 added")
	assert.Equal(t, Lists{Held: []Listed{{Name: web, Since: start.Add(time.Second)}}}, l.Lists())
	l.Queued(web, Cause{Event: "held back"}, true)
	at("queued 0 added")
	l.Held(web, nil)
	at("heldBack 1 added")
	l.Queued(web, Cause{Event: "held back"}, true)
	l.Begin(web, clock.Now(), nil)
	second(4)
	at("running 2 added")
	assert.Equal(t, 2*time.Second, l.LongestRunning())
	assert.Equal(t, 1, l.Running())
	l.Delayed(web, 10*time.Second)
	l.Delayed(web, 60*time.Second)
	l.End(web, 2*time.Second, Result{Class: Failing, Outcome: "error", Error: "broken"})
	assert.Zero(t, l.Running())
	assert.Zero(t, l.LongestRunning())
	at("failing 4  next 14")
	second(14)
	at("queued 14 retried")
	l.reconcile(web, nil, Result{Class: Failing, Outcome: "conflict", Error: "again"})
	at("failing 4 ")
	assert.Equal(t, []Listed{{web, start.Add(4 * time.Second), "again"}}, l.Lists().Failing)
	second(15)
	l.Queued(web, added, true)
	l.Delayed(web, 10*time.Minute)
	l.reconcile(web, nil, Result{Class: Waiting, Outcome: "waiting", Waiting: "Secret shop/db"})
	at("waiting 15  next 615")
	assert.Equal(t, []Listed{{web, start.Add(15 * time.Second), "Secret shop/db"}}, l.Lists().Waiting)
	second(20)
	l.Queued(web, added, true)
	l.reconcile(web, nil, Result{})
	at("idle 20  next 615")
	second(700)
	l.reconcile(web, nil, Result{})
	second(701)
	l.reconcile(web, nil, Result{})
	at("idle 20 ")
	var got []string
	for _, p := range l.Object(web, "", nil).Reconciles {
		got = append(got, fmt.Sprint(p.Event, " ", p.Queued.Seconds(), " ", p.Took.Seconds(), " ", p.Outcome))
	}
	assert.Equal(t, []string{
		"requeued 0 0 ", "requeued 85 0 ", "added 0 0 ", "added 0 0 waiting", "retried 0 0 conflict", "added 2 2 error",
	}, got)
}

// TestHeldItemsKeepTheirOrigin has an item of the initial list that must wait.
func TestHeldItemsKeepTheirOrigin(t *testing.T) {
	clock, l := newLog()
	origin := l.Queued(object(1), Cause{Event: "found"}, false)
	clock.SetTime(start.Add(time.Second))
	l.Held(object(1), origin)
	l.Delayed(object(1), time.Second)
	clock.SetTime(start.Add(2 * time.Second))
	l.reconcile(object(1), nil, Result{})
	assert.Equal(t,
		[]PastReconcile{{Cause: origin.Cause, Queued: 2 * time.Second, Start: clock.Now()}}, l.Object(object(1), "", nil).Reconciles)
}

// BenchmarkLog notes what happens to an object because of an event, with as many objects as have reconciles, and with more.
func BenchmarkLog(b *testing.B) {
	for _, objects := range []int{1, maxObjects, 10 * maxObjects} {
		b.Run(strconv.Itoa(objects), func(b *testing.B) {
			_, l := newLog()
			names := make([]cache.ObjectName, objects)
			for i := range names {
				names[i] = object(i)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				name := names[i%objects]
				l.Queued(name, added, true)
				l.reconcile(name, nil, Result{})
			}
		})
	}
}
