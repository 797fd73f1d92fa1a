//go:build !race

package shards

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// generator makes a history.
type generator struct {
	r    *rand.Rand
	h    history
	at   time.Duration
	live []string
	n    int
}

func (g *generator) add(what string, args ...string) {
	g.h.steps = append(g.h.steps, step{g.at, what, args})
}

// wait lets time pass.
func (g *generator) wait(low, high time.Duration) {
	g.at += (low + time.Duration(g.r.Int64N(int64(high-low)))).Round(time.Millisecond)
}

func (g *generator) start(args ...string) {
	g.n++
	name := fmt.Sprintf("p%d", g.n)
	g.add("start", append([]string{name}, args...)...)
	g.live = append(g.live, name)
}

func (g *generator) group(n int, controllers string) {
	for range n {
		g.start(controllers)
		g.wait(0, 3*time.Second)
	}
	g.wait(0, 25*time.Second)
}

// one returns a live process, and whether there is one.
func (g *generator) one() (string, bool) {
	if len(g.live) == 0 {
		return "", false
	}
	return g.live[g.r.IntN(len(g.live))], true
}

func (g *generator) forget(name string) {
	for i, other := range g.live {
		if other == name {
			g.live = append(g.live[:i:i], g.live[i+1:]...)
			return
		}
	}
}

// lasts returns a random time in seconds.
func (g *generator) lasts(high int) string { return fmt.Sprintf("%dms", 200+g.r.IntN(high*1000)) }

// trouble adds a step that is not asked for.
func (g *generator) trouble() {
	name, ok := g.one()
	if !ok {
		return
	}
	switch g.r.IntN(12) {
	case 0, 1:
		g.add("kill", name)
		g.forget(name)
	case 2, 3:
		g.add("killat", name, strconv.Itoa(1+g.r.IntN(6)), []string{"before", "after"}[g.r.IntN(2)])
		g.forget(name)
	case 4, 5, 6:
		g.add("freeze", name, g.lasts(30))
	case 7, 8:
		g.add("cut", name, g.lasts(30))
	case 9, 10:
		g.add("slow", name, g.lasts(15))
	case 11:
		if g.r.IntN(4) == 0 {
			g.add("delete", []string{"m-coordinator", "m-member-0", "m-member-1"}[g.r.IntN(3)])
		}
	}
}

// chaos adds steps of all kinds.
func (g *generator) chaos(n int) {
	for range n {
		switch g.r.IntN(6) {
		case 0:
			if len(g.live) < 6 {
				g.start(sets[g.r.IntN(len(sets))])
			}
		case 1:
			if name, ok := g.one(); ok {
				g.add("stop", name)
				g.forget(name)
			}
		default:
			g.trouble()
		}
		if g.r.IntN(3) > 0 {
			g.wait(0, 12*time.Second)
		}
	}
}

// rollout replaces processes with others that have other controllers.
func (g *generator) rollout() {
	n := 1 + g.r.IntN(3)
	g.group(n, sets[g.r.IntN(len(sets))])
	after := sets[g.r.IntN(len(sets))]
	for _, name := range append([]string(nil), g.live...) {
		g.start(after)
		g.wait(0, 15*time.Second)
		if g.r.IntN(5) == 0 {
			g.trouble()
		}
		g.add("stop", name)
		g.forget(name)
		g.wait(0, 5*time.Second)
	}
	g.wait(0, 40*time.Second)
	if g.r.IntN(3) == 0 {
		g.chaos(3)
	}
}

// switching goes from processes without shards to a group, and back.
func (g *generator) switching() {
	toGroup := g.r.IntN(2) == 0
	if toGroup {
		g.add("old", "o1")
		g.wait(0, 20*time.Second)
	}
	g.group(1+g.r.IntN(3), "a,b")
	if g.r.IntN(2) == 0 {
		g.add("old", "o2")
		g.wait(0, 10*time.Second)
	}
	end := func(name string) {
		if g.r.IntN(4) == 0 {
			g.add("kill", name)
		} else {
			g.add("stop", name)
		}
		g.forget(name)
		g.wait(0, 4*time.Second)
	}
	if toGroup {
		if g.r.IntN(2) == 0 {
			g.add([]string{"cut", "freeze"}[g.r.IntN(2)], "o1", g.lasts(30))
			g.wait(0, 20*time.Second)
		}
		end("o1")
		g.wait(0, 30*time.Second)
	}
	if g.r.IntN(2) == 0 {
		g.chaos(1 + g.r.IntN(6))
	}
	for _, name := range append([]string(nil), g.live...) {
		end(name)
	}
	g.wait(0, 30*time.Second)
	if g.r.IntN(3) > 0 {
		end("o2")
		if g.r.IntN(2) == 0 {
			g.group(1, "a")
		}
	}
}

// scaling changes the number of processes.
func (g *generator) scaling() {
	for range 1 + g.r.IntN(4) {
		for n := 1 + g.r.IntN(6); len(g.live) != n; {
			if len(g.live) < n {
				g.start("a,b")
			} else {
				name, _ := g.one()
				g.add("stop", name)
				g.forget(name)
			}
			if g.r.IntN(3) == 0 {
				g.wait(0, 3*time.Second)
			}
		}
		g.wait(0, 50*time.Second)
		if g.r.IntN(3) == 0 {
			g.trouble()
		}
	}
}

// resizing replaces processes with others that know another number of slots.
func (g *generator) resizing() {
	sizes := [][2]int{{3, slots}, {slots, 3}, {2, 3}, {3, 2}}[g.r.IntN(4)]
	for range 1 + g.r.IntN(min(5, sizes[0])) {
		g.start("a,b", strconv.Itoa(sizes[0]))
		g.wait(0, 3*time.Second)
	}
	g.wait(0, 25*time.Second)
	before := append([]string(nil), g.live...)
	for more := 1 + g.r.IntN(min(5, sizes[1])); len(before) > 0 || more > 0; more-- {
		if more > 0 {
			g.start("a,b", strconv.Itoa(sizes[1]))
			g.wait(0, 15*time.Second)
		}
		if g.r.IntN(3) == 0 {
			g.trouble()
		}
		if len(before) > 0 {
			g.add("stop", before[0])
			g.forget(before[0])
			before = before[1:]
			g.wait(0, 5*time.Second)
		}
	}
	g.wait(0, 40*time.Second)
}
