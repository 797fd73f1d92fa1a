package member

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/handover"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/internal/sleepless"
	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards"
)

// TestShare starts three members one after the other, which share all buckets, and ends them. The last one gives the gate back.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		first := c.start()
		time.Sleep(10 * time.Second)
		assert.Equal(t, shards.Buckets, first.serves(), "nobody else is there")
		assert.True(t, first.isLeading())
		assert.Equal(t, "operator-shards", c.holder("operator"))
		second, third := c.start(), c.start()
		time.Sleep(time.Minute)
		assert.Zero(t, c.unserved())
		for _, p := range []*process{first, second, third} {
			assert.InDelta(t, shards.Buckets/3, p.serves(), 9, p.name)
		}
		first.end()
		require.NoError(t, first.err)
		time.Sleep(10 * time.Second)
		assert.Zero(t, c.unserved())
		assert.NotEqual(t, second.isLeading(), third.isLeading())
		third.end()
		second.end()
		assert.Equal(t, shards.Buckets, c.unserved())
		for _, lease := range []string{"operator", "operator-coordinator", "operator-member-0", "operator-member-1", "operator-member-2"} {
			assert.Empty(t, c.holder(lease), lease)
		}
		assert.Zero(t, c.twice)
	})
}

// TestCut cuts a member off from the API server: it is dropped before others serve its buckets, and comes back with another identity.
func TestCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		first, second := c.start(), c.start()
		time.Sleep(time.Minute)
		first.down.Store(true)
		cut := time.Now()
		<-first.ended
		var dropped *DroppedError
		require.ErrorAs(t, first.err, &dropped)
		assert.LessOrEqual(t, time.Since(cut), timing.Lease)
		assert.False(t, first.until.After(sleepless.Now()))
		assert.NotZero(t, c.unserved())
		for c.unserved() > 0 && time.Since(cut) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		assert.Less(t, time.Since(cut), timing.Lease+timing.Margin()+3*timing.Renew)
		third := c.start()
		time.Sleep(time.Minute)
		assert.NotZero(t, third.serves())
		assert.Zero(t, c.unserved())
		third.end()
		second.end()
		assert.Zero(t, c.twice)
	})
}

// TestDrain lets a member take its time to drain buckets: the next one serves them afterwards.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		first := c.start()
		first.slow = 20 * time.Second
		time.Sleep(10 * time.Second)
		second := c.start()
		time.Sleep(25 * time.Second)
		assert.Zero(t, second.serves())
		assert.Equal(t, shards.Buckets, first.serves())
		time.Sleep(30 * time.Second)
		assert.InDelta(t, shards.Buckets/2, second.serves(), 13)
		first.end()
		second.end()
		assert.Zero(t, c.twice)
	})
}

// TestGates waits for a process without shards, also one whose Lease is in another namespace.
func TestGates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		gates := []cache.ObjectName{{Namespace: "system", Name: "operator"}, {Namespace: "elsewhere", Name: "old"}}
		for _, gate := range gates {
			lease := leaseOf(gate.Namespace, gate.Name, "someone")
			lease.Annotations = map[string]string{handover.Annotation: `{"robots":{"robots.example.com":"7"}}`}
			_, err := c.kube.CoordinationV1().Leases(gate.Namespace).Create(t.Context(), lease, metav1.CreateOptions{})
			require.NoError(t, err)
		}
		p := c.start(func(config *Config) { config.AlsoHold = []string{"elsewhere/old"} })
		time.Sleep(10 * time.Second)
		assert.Zero(t, p.serves())
		for _, gate := range gates {
			client := c.kube.CoordinationV1().Leases(gate.Namespace)
			stored, err := client.Get(t.Context(), gate.Name, metav1.GetOptions{})
			require.NoError(t, err)
			*stored.Spec.HolderIdentity = ""
			_, err = client.Update(t.Context(), stored, metav1.UpdateOptions{})
			require.NoError(t, err)
			time.Sleep(10 * time.Second)
			assert.Equal(t, gate.Name == "old", p.serves() > 0, "after the release of %s", gate)
		}
		stored, err := c.kube.CoordinationV1().Leases("system").Get(t.Context(), "operator-member-0", metav1.GetOptions{})
		require.NoError(t, err)
		assert.JSONEq(t, `{"robots":{"robots.example.com":"7"}}`, stored.Annotations[handover.Annotation], "not yet waited for")
		p.end()
		require.NoError(t, p.err)
	})
}

// TestTaken empties the Lease of a member, as others do with one that they take for dead. It is dropped at once.
func TestTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		p := c.start()
		time.Sleep(10 * time.Second)
		stored, err := c.kube.CoordinationV1().Leases("system").Get(t.Context(), "operator-member-0", metav1.GetOptions{})
		require.NoError(t, err)
		*stored.Spec.HolderIdentity = ""
		_, err = c.kube.CoordinationV1().Leases("system").Update(t.Context(), stored, metav1.UpdateOptions{})
		require.NoError(t, err)
		synctest.Wait()
		<-p.ended
		var dropped *DroppedError
		assert.ErrorAs(t, p.err, &dropped)
	})
}

// TestUnserved ends the only member with a controller. The coordinator says that nobody serves it.
func TestUnserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		first := c.start(func(config *Config) { config.Controllers = []string{robots, "yards"} })
		time.Sleep(10 * time.Second)
		second := c.start()
		time.Sleep(30 * time.Second)
		first.end()
		time.Sleep(30 * time.Second)
		assert.Equal(t, []string{"yards"}, second.unserved)
		second.end()
	})
}

// TestConfig refuses what would not be safe.
func TestConfig(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"renewals too often":  func(c *Config) { c.Timing.Renew = 500 * time.Millisecond },
		"renewals too seldom": func(c *Config) { c.Timing.Renew = 3 * time.Second },
		"writes too slow":     func(c *Config) { c.Timing.Write = 15 * time.Second },
		"no slots":            func(c *Config) { c.Slots = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			config := Config{Config: shards.Config{Slots: 1, Timing: timing}}
			require.NoError(t, config.check())
			change(&config)
			assert.Error(t, config.check())
		})
	}
}
