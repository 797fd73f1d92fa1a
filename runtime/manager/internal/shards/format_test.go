package shards

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnnotationsAreSmall encodes maps and statements of a large group whose buckets are all in different states.
func TestAnnotationsAreSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	m := &Map{Lineage: strings.Repeat("l", 80), Revision: 1 << 40, Slots: 64}
	for i := range 64 {
		m.Members = append(m.Members, Member{fmt.Sprintf("%s-%d", strings.Repeat("i", 70), i), i, 1 << 40})
	}
	statement := Statement{Acked: map[string]*[Buckets]uint64{}, Opened: map[string]Set{}}
	for i := range 3 { // before, during and after a rolling update
		name := strings.Repeat("c", 30) + string(rune('a'+i))
		row := newRow(name)
		acked := &[Buckets]uint64{}
		var opened Set
		for b := range row.Buckets {
			row.Buckets[b] = Bucket{Index(random.IntN(64)), Index(random.IntN(64)), 1<<20 + uint64(b)}
			acked[b] = 1<<20 + uint64(b)
			if b%2 == 0 {
				opened.Add(b)
			}
		}
		m.Rows = append(m.Rows, row)
		statement.Controllers = append(statement.Controllers, name)
		statement.Acked[name], statement.Opened[name] = acked, opened
	}
	text := m.Encode()
	assert.Less(t, len(text), 32<<10)
	decoded, err := DecodeMap(text)
	require.NoError(t, err)
	assert.Equal(t, m, decoded)

	stated := statement.Encode()
	assert.Less(t, len(stated), 32<<10)
	again, err := DecodeStatement(stated)
	require.NoError(t, err)
	assert.Equal(t, statement.Acked, again.Acked)
	assert.Equal(t, statement.Opened, again.Opened)
	t.Logf("a map of 64 members with three rows: %d bytes, a statement about all buckets: %d bytes", len(text), len(stated))
}

// TestInvalidAnnotations reads annotations of other formats, and damaged ones.
func TestInvalidAnnotations(t *testing.T) {
	for _, text := range []string{
		"", "{", `{"format":2}`, `{"format":"x"}`, `{"format":1,"rows":[{"controllers":["a"],"buckets":"0-1=0"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m"}],"rows":[{"controllers":["a"],"buckets":"5-256=0"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m"}],"rows":[{"controllers":["a"],"buckets":"5-6=0>1#2"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m"}],"rows":[{"controllers":["a"],"buckets":"5-6=0>0#x"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m"}],"rows":[{"controllers":["a"],"buckets":"7"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m"}],"rows":[{"controllers":["a"],"buckets":"5-6"}]}`,
		`{"format":1,"slots":1,"members":[{"identity":"m","slot":1}]}`, `{"format":1,"slots":1,"members":[{"identity":"m","slot":-1}]}`,
	} {
		_, err := DecodeMap(text)
		assert.Error(t, err, text)
	}
	_, err := DecodeStatement(`{"format":2,"leaving":true}`)
	assert.ErrorIs(t, err, errFormat)
}

// TestUnknownFormat gives a map of a later format to a member that serves, and to a member that joins.
func TestUnknownFormat(t *testing.T) {
	w := newWorld(1)
	w.start("p1", []string{"a"}, slots)
	w.until(3 * timing.Renew)
	w.start("p2", []string{"a"}, slots)
	w.until(30 * time.Second)
	p := w.processes["p2"]
	require.Equal(t, Buckets, ready(w.processes["p1"])+ready(p))
	require.NotZero(t, ready(p))

	coordinator := *w.leases["m-coordinator"]
	coordinator.State, coordinator.Holder = `{"format":2}`, "a later release"
	p.leaving = true // the process shall not join again
	w.execute(coordinator, coordinator.Version)
	w.start("p3", []string{"a"}, slots)
	w.until(w.now + longestDrain + 2*timing.Renew)
	assert.Empty(t, w.failure)
	assert.True(t, p.gone, "p2 has drained its buckets")
	assert.False(t, p.member.claimsAny())
	assert.Equal(t, "a later release", w.leases["m-coordinator"].Holder)
	for slot := range slots {
		if lease := w.leases[Config{Name: "m"}.SlotName(slot)]; lease != nil {
			assert.NotContains(t, []string{"p2.1", "p3.1"}, lease.Holder)
		}
	}
}

// TestMoreSlots gives a map of a process with more slots to a member that joins, whose slots have been deleted.
func TestMoreSlots(t *testing.T) {
	m := New(Config{Name: "m", Identity: "p1", Slots: 2, Controllers: []string{"a"}, Timing: timing})
	row := newRow("a")
	row.Buckets[7] = heldBy(0)
	larger := Map{Lineage: "l", Revision: 1, Slots: 8, Members: []Member{{"p2", 5, 3}}, Rows: []Row{row}}
	leases := []Lease{
		{Name: "m", Version: 4, Holder: "m-shards", Duration: timing.Lease},
		{Name: "m-coordinator", Version: 5, Holder: "p2", Duration: timing.Lease, State: larger.Encode()},
		{Name: "m-member-0", Version: 5, Gone: true},
		{Name: "m-member-1", Version: 5, Gone: true},
	}
	assert.Equal(t, []Output{Unreadable{"m-coordinator", "the group has 8 slots, this process 2"}}, m.Step(epoch, Seen{epoch, leases}))
	now := epoch.Add(timing.Lease)
	assert.Empty(t, m.Step(now, Tick{}), "the gate has not expired")

	leases[0] = Lease{Name: "m", Version: 6}
	outputs := m.Step(now, Seen{now, leases})
	require.Len(t, outputs, 1, "the gate was given back")
	assert.Equal(t, "m-member-0", outputs[0].(Write).Lease.Name)
}

// ready returns the number of buckets that a process serves.
func ready(p *process) int {
	served := p.member.claims["a"].ready
	return served.Len()
}
