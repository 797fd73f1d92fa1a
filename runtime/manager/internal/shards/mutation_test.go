//go:build !race

package shards

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var mutate = flag.Bool("mutations", false, "break each rule, and count the histories until that is found")

// mutation breaks a rule: it replaces a text of the source, which occurs once.
type mutation struct{ rule, file, old, new string }

var mutations = []mutation{
	{"the margin covers clocks that differ in rate", "config.go", "(t.Lease+t.Write)/20 + t.Write", "t.Write"},
	{"the margin covers the time of a write", "config.go", "(t.Lease+t.Write)/20 + t.Write", "t.Lease / 20"},
	{"the margin's 5 % count for the time of a write, too", "config.go", "(t.Lease+t.Write)/20 + t.Write", "t.Lease/20 + t.Write"},
	{"the gates' duration includes the margin", "gate.go",
		"m.config.Timing.Lease + m.config.Timing.Margin() + time.Second - 1", "m.config.Timing.Lease + time.Second - 1"},
	{"the time in a gate grows by a second", "gate.go", "later(m.now, gate.Renewed.Add(time.Second))", "m.now"},
	{"the group waits until a process without shards has ended", "gate.go",
		"gate.expired(m.now, gate.Duration+m.config.Timing.Margin())", "gate.expired(m.now, gate.Duration/2)"},
	{"a gate's renewal by others counts from the request before", "machine.go", "s.renewed = later(s.renewed, proven)",
		"s.renewed = later(m.now, proven)"},
	{"the fence needs the gates", "member.go", "renewed = earlier(renewed, gate.renewed)", "_ = gate"},
	{"the fence needs the member's own Lease", "member.go", "renewed := m.own().renewed", "renewed := m.now"},
	{"the fence of a leader needs the coordinator's Lease", "member.go", "renewed = earlier(renewed, m.coordinator.renewed)", "_ = renewed"},
	{"a Lease counts from when its renewal was sent", "machine.go", "s.renewed, s.written = later(s.renewed, sent), sent",
		"s.renewed, s.written = later(s.renewed, m.now), sent"},
	{"a closed fence stays closed", "machine.go", "if m.fenceEnded() {", "if false {"},
	{"buckets open when the fence is open", "buckets.go", "!m.leaving && m.fenced()", "!m.leaving"},
	{"a member that has given its slot back opens nothing", "buckets.go", "m.joined && !m.leaving && m.fenced()", "m.joined && m.fenced()"},
	{"a new coordinator has the gates before it changes the map", "gate.go",
		"gate.Holder != m.config.Group() || gate.Gone || gate.written.IsZero() || gate.written.Before(m.acquired)", "gate.Gone"},
	{"the gates are given back after everything is drained", "coordinator.go",
		"return m.leaving && m.alone() && !m.holds()", "return m.leaving && m.alone()"},
	{"the gates are given back by the last member", "coordinator.go", "m.leaving && m.alone() && !m.holds()", "m.leaving && !m.holds()"},
	{"the gates are given back at the end", "gate.go", "case m.returns():", "case false:"},
	{"members renew the gates without the coordinator", "gate.go",
		"case gate.Holder == m.config.Group() && m.now.Sub(gate.renewed) >= m.patience() && m.due(gate):", "case false:"},
	{"a bucket opens after the holder's acknowledgment", "buckets.go",
		"return !m.alive(holder) || m.acked(holder, h.controller, b, bucket.Move)", "return holder.Slot >= 0"},
	{"an acknowledgment is for one move", "buckets.go", "moves := s.statement.Acked[controller]\n\treturn moves != nil && moves[b] == move",
		"moves := s.statement.Acked[controller]\n\treturn moves != nil && moves[b] != 0"},
	{"an acknowledgment follows the drain", "buckets.go", "} else if !h.closing.Has(b) && acked[b] != bucket.Move {",
		"} else if acked[b] != bucket.Move {"},
	{"an acknowledgment is for one controller", "plan.go", "for _, controller := range row.Controllers {\n\t\tif !p.machine.acked",
		"for _, controller := range row.Controllers[:1] {\n\t\tif !p.machine.acked"},
	{"the coordinator moves a bucket on after the acknowledgment", "plan.go", "case holds && !p.acked(row, b) && succeeds:", "case false:"},
	{"a successor that lives keeps the bucket", "plan.go", "return bucket // the successor may open it at any time",
		"return Bucket{bucket.Holder, Nobody, bucket.Move}"},
	{"a bucket that is drained belongs to its successor, who may have opened it", "plan.go",
		"case succeeds:\n\t\treturn heldBy(bucket.Successor)",
		"case succeeds && p.opened(row)[bucket.Successor].Has(b):\n\t\treturn heldBy(bucket.Successor)"},
	{"a bucket moves with an acknowledgment, not at once", "plan.go",
		"return Bucket{bucket.Holder, member, p.revision}", "return heldBy(member)"},
	{"a member is dead after its Lease and the margin", "member.go",
		"after := m.config.Timing.Lease + m.config.Timing.Margin()", "after := m.config.Timing.Lease"},
	{"a dead member's buckets move", "plan.go",
		"holds := bucket.Holder != None && p.peers[bucket.Holder].alive", "holds := bucket.Holder != None"},
	{"another member's slot, seen before it was acquired, says nothing", "member.go", "s.Gone || s.Version < member.Version ||", "s.Gone ||"},
	{"a deleted slot is no death", "member.go", "return s.Gone || s.Version < member.Version ||", "return s.Version < member.Version ||"},
	{"late events change nothing", "lease.go", "if lease.Version < s.Version {", "if false {"},
	{"a new map opens when all members follow it", "plan.go", "if m.chart.Revision == 0 && !m.agreed() {", "if false {"},
	{"a new map waits if there has been a group, whose Leases are gone", "plan.go", "if m.now.Before(m.openAt) {", "if false {"},
	{"a member with buckets of another map leaves", "coordinator.go", "m.retiring = true\n\t\treturn", "_ = 0"},
	{"the coordinator's Lease is taken after its end and the margin", "coordinator.go",
		"c.expired(m.now, m.config.Timing.Lease+m.config.Timing.Margin())", "c.expired(m.now, m.config.Timing.Lease/2)"},
	{"functions for the leader end before the Lease is given back", "coordinator.go", "case m.leading, m.returns() && !m.returned():",
		"case m.returns() && !m.returned():"},
	{"the coordinator gives its Lease to a member that stays", "coordinator.go", "m.leaving && (m.stays() || m.finished())",
		"m.leaving && m.finished()"},
	{"members that join wait, unless buckets need a member", "plan.go", "(peer.settled || forced || has[i])", "(peer.settled || has[i])"},
	{"a controller that some members have is served by these", "plan.go", "peer.stays() && peer.has(row.Controllers[0])", "peer.stays()"},
	{"rows with the same members become equal", "plan.go", "case first != nil && settled:", "case false && settled:"},
	{"a member that does not know all slots takes no part", "member.go", "return m.unreadable || m.larger() &&", "return m.unreadable || false &&"},
	{"who knows fewer slots than the last group joins when its gates have ended", "gate.go",
		"gate.Holder == m.config.Group() && !m.ended(gate)\n\t})",
		"gate.Holder == m.config.Group()\n\t})"},
	{"who knows fewer slots than the last group lets its gates end", "gate.go", "m.departing || m.larger()", "m.departing"},
	{"who knows fewer slots than the last group begins without it", "coordinator.go", "m.coordinator.Gone || m.larger()", "m.coordinator.Gone"},
	{"the map says how many slots its coordinator knows", "plan.go", "Slots: m.config.Slots}", "Slots: m.chart.Slots}"},
	{"members that leave get no buckets", "plan.go", "p.statement != nil && !p.statement.Leaving }", "p.statement != nil }"},
}

// TestMutationsMatch checks that each mutation still finds its text.
func TestMutationsMatch(t *testing.T) {
	for _, m := range mutations {
		source, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), m.old); n != 1 {
			t.Errorf("%s: %d matches in %s", m.rule, n, m.file)
		}
	}
}

var foundBy = regexp.MustCompile(`history (\d+)\n`)

// TestMutations breaks one rule after the other. The histories must find each.
func TestMutations(t *testing.T) {
	if !*mutate {
		t.Skip("no -mutations: make shards runs it")
	}
	for _, m := range mutations {
		t.Run(m.rule, func(t *testing.T) {
			out := runMutated(t, m)
			found := foundBy.FindStringSubmatch(out)
			if found == nil {
				t.Fatalf("not found:\n%s", out)
			}
			t.Logf("found by history %s\n%s", found[1], out)
		})
	}
}

// runMutated runs the histories with a broken rule.
func runMutated(t *testing.T, m mutation) string {
	t.Helper()
	source, err := filepath.Abs(m.file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	broken, overlay := filepath.Join(dir, m.file), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{source: broken}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{broken: []byte(strings.Replace(string(text), m.old, m.new, 1)), overlay: replaced} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-v", "-run", "TestHistories$", "-overlay", overlay, ".",
		"-args", fmt.Sprintf("-histories=%d", *histories))
	out, err := command.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic:") {
		t.Errorf("%s: %v\n%s", m.rule, err, out)
	}
	return string(out)
}
