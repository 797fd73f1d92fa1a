//go:build !race

package shards

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/runtime/manager/internal/shards/balance"
)

var (
	histories = flag.Int("histories", 2000, "number of random histories")
	first     = flag.Uint64("first", 1, "seed of the first history")
	replay    = flag.String("replay", "", "history to replay, as printed after a failure")
)

// step is something that happens to the group.
type step struct {
	at   time.Duration
	what string
	args []string
}

// history is a seed for delays and clocks, and steps.
type history struct {
	seed  uint64
	steps []step
}

func (h history) String() string {
	parts := []string{fmt.Sprintf("seed %d", h.seed)}
	for _, s := range h.steps {
		parts = append(parts, strings.Join(append([]string{strconv.FormatFloat(s.at.Seconds(), 'f', 3, 64), s.what}, s.args...), " "))
	}
	return strings.Join(parts, "; ")
}

func parseHistory(text string) (history, error) {
	var h history
	for i, part := range strings.Split(text, ";") {
		words := strings.Fields(part)
		if len(words) < 2 {
			return h, fmt.Errorf("step %q: no operation", part)
		}
		var err error
		if i == 0 {
			h.seed, err = strconv.ParseUint(words[1], 10, 64)
		} else {
			var seconds float64
			seconds, err = strconv.ParseFloat(words[0], 64)
			h.steps = append(h.steps, step{time.Duration(seconds * float64(time.Second)).Round(time.Millisecond), words[1], words[2:]})
		}
		if err != nil {
			return h, err
		}
	}
	return h, nil
}

// run runs a history and returns the violation, or "".
func (h history) run(trace func(format string, args ...any)) (*world, string) {
	w := newWorld(h.seed)
	w.trace = trace
	end := time.Duration(0)
	for _, s := range h.steps {
		w.after(s.at, func() { w.perform(s) })
		end = max(end, s.at+s.lasts())
	}
	var sample func()
	sample = func() {
		w.sample()
		w.after(500*time.Millisecond, sample)
	}
	w.after(0, sample)
	w.until(end + 2*longestList)
	// The group gets a long time to settle. Once all has been well for a while, nothing else will happen.
	last := end + slowly(2*timing.Lease+2*timing.Margin()) + timing.Settle + 2*longestDrain + 2*longestList + 8*time.Second
	for well := 0; w.now < last && well < 3 && w.failure == ""; {
		w.until(w.now + 2*time.Second)
		if well++; w.unsettled() != "" {
			well = 0
		}
	}
	if problem := w.unsettled(); problem != "" {
		w.fail("%s", problem)
	}
	return w, w.failure
}

// lasts returns how long a step has an effect.
func (s step) lasts() time.Duration {
	switch s.what {
	case "freeze", "cut", "slow", "late":
		d, err := time.ParseDuration(s.args[1])
		if err == nil {
			return d
		}
	case "killat":
		return 5 * time.Second
	}
	return 0
}

// slots returns the number of slots that a process knows.
func (s step) slots() int {
	if len(s.args) < 3 {
		return slots
	}
	n, _ := strconv.Atoi(s.args[2])
	return n
}

// perform carries out a step. A process that does not exist is no error, so that steps can be left out.
func (w *world) perform(s step) {
	w.log("* %s %s", s.what, strings.Join(s.args, " "))
	switch s.what {
	case "start":
		w.start(s.args[0], strings.Split(s.args[1], ","), s.slots())
		return
	case "delete":
		w.upset("delete")
		w.remove(s.args[0])
		return
	case "old":
		w.upset("old")
		w.startOld(s.args[0])
		return
	}
	if o := w.old[s.args[0]]; o != nil {
		w.performOld(o, s)
	}
	if p := w.processes[s.args[0]]; p != nil {
		w.performOn(p, s)
	}
}

func (w *world) performOn(p *process, s step) {
	switch s.what {
	case "stop":
		p.stop()
	case "kill":
		p.kill()
	case "killat":
		p.killAt, _ = strconv.Atoi(s.args[1])
		p.killBefore = s.args[2] == "before"
	case "freeze":
		p.frozen = max(p.frozen, w.now+s.lasts())
		w.disturb(s)
	default:
		w.disturb(s)
		p.link.disturb(w.now, s)
	}
}

func (w *world) performOld(o *old, s step) {
	w.upset("old")
	switch s.what {
	case "stop":
		o.stop()
	case "kill":
		o.quit()
	case "freeze":
		o.frozen = max(o.frozen, w.now+s.lasts())
		w.disturb(s)
	default:
		w.disturb(s)
		o.link.disturb(w.now, s)
	}
}

// disturb notes that something lasts for a while.
func (w *world) disturb(s step) {
	w.upset(s.what)
	w.after(s.lasts(), func() { w.upset(s.what) })
}

func (l *link) disturb(now time.Duration, s step) {
	if s.what == "cut" {
		l.cut = max(l.cut, now+s.lasts())
	} else {
		l.slow, l.late = max(l.slow, now+s.lasts()), s.what == "late"
	}
}

// unsettled returns what is wrong with a group to which nothing happens, or "".
func (w *world) unsettled() string {
	for _, p := range w.order {
		if p.leaving && !p.gone {
			return p.name + " does not leave"
		}
	}
	for _, o := range w.old {
		if !o.gone {
			return ""
		}
	}
	for _, controller := range controllers {
		if problem := w.unsettledRow(controller); problem != "" {
			return problem
		}
	}
	return w.differentRows()
}

// differentRows returns an error if all members have both controllers, but not the same buckets of both.
func (w *world) differentRows() string {
	problem := ""
	for _, p := range w.order {
		if p.gone {
			continue
		}
		a, b := p.member.claims["a"], p.member.claims["b"]
		if a == nil || b == nil {
			return ""
		}
		if a.ready != b.ready {
			problem = fmt.Sprintf("%s serves different buckets: a %v, b %v", p.name, a.ready.Arcs(), b.ready.Arcs())
		}
	}
	return problem
}

// unsettledRow returns what is wrong with the buckets of a controller.
func (w *world) unsettledRow(controller string) string {
	var members []Index
	most := 0
	for _, p := range w.order {
		if !p.gone {
			most = max(most, p.slots)
		}
	}
	var l balance.Layout
	for b := range l {
		l[b] = None
	}
	for i, p := range w.order {
		c := p.member.claims[controller]
		if p.gone || c == nil || p.slots < most { // who knows fewer slots than others waits
			continue
		}
		members = append(members, Index(i))
		for b := range Buckets {
			if c.ready.Has(b) {
				l[b] = Index(i)
			}
		}
	}
	if len(members) == 0 {
		return ""
	}
	if !l.Balanced(members) || slices.Contains(l[:], None) {
		return fmt.Sprintf("%s is not balanced: %v", controller, l)
	}
	for _, member := range members {
		if n := l.Arcs(member); n > balance.MaxArcs && len(members) <= 7 {
			return fmt.Sprintf("%s has %d arcs of %s", w.order[member].name, n, controller)
		}
	}
	return ""
}

// shrink leaves out steps as long as the history still fails.
func (h history) shrink() history {
	for size := max(1, len(h.steps)/2); size > 0; size /= 2 {
		for i := 0; i+size <= len(h.steps); {
			shorter := history{h.seed, append(append([]step(nil), h.steps[:i]...), h.steps[i+size:]...)}
			if _, failure := shorter.run(nil); failure != "" {
				h = shorter
			} else {
				i++
			}
		}
	}
	return h
}

// report shrinks a failing history and prints it.
func (h history) report(t *testing.T) {
	t.Helper()
	h = h.shrink()
	_, failure := h.run(nil)
	t.Errorf("%s\n    replay with: go test -run 'TestHistory$' . -args -replay '%s'", failure, h)
}

// TestHistory replays a history.
func TestHistory(t *testing.T) {
	if *replay == "" {
		t.Skip("no -replay")
	}
	h, err := parseHistory(*replay)
	if err != nil {
		t.Fatal(err)
	}
	if _, failure := h.run(t.Logf); failure != "" {
		t.Error(failure)
	}
}

// TestHistories runs random histories, each of a random kind.
func TestHistories(t *testing.T) {
	const workers = 2
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	longest := make(chan map[string]time.Duration, workers)
	for worker := range workers {
		go func() {
			most := map[string]time.Duration{}
			defer func() { longest <- most }()
			for seed := *first + uint64(worker); seed < *first+uint64(*histories) && !t.Failed(); seed += workers {
				h := newHistory(seed)
				w, failure := h.run(nil)
				if failure != "" {
					t.Logf("history %d", seed-*first+1)
					h.report(t)
				}
				for kind, d := range w.check.longest {
					most[kind] = max(most[kind], d)
				}
			}
		}()
	}
	most := map[string]time.Duration{}
	for range workers {
		for kind, d := range <-longest {
			most[kind] = max(most[kind], d)
		}
	}
	t.Logf("longest time without service: orderly end %v (bound %v), crash %v (%v), two crashes %v (%v)", most["orderly end"], boundOrderly,
		most["crash"], boundCrash.Round(time.Millisecond), most["two crashes"], boundBoth.Round(time.Millisecond))
}

var sets = []string{"a", "a,b", "b", "a,b", "a,b"}

// newHistory returns a random history.
func newHistory(seed uint64) history {
	r := rand.New(rand.NewPCG(seed, 3))
	g := &generator{r: r, h: history{seed: seed}}
	switch n := r.IntN(25); {
	case n == 24:
		g.resizing()
	case n < 8:
		g.special(n)
	case n < 12:
		g.group(1+r.IntN(4), sets[r.IntN(len(sets))])
		g.chaos(3 + r.IntN(12))
	case n < 15:
		g.rollout()
	case n < 19:
		g.switching()
	default:
		g.scaling()
	}
	return g.h
}
