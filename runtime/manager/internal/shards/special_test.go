//go:build !race

package shards

import (
	"fmt"
	"time"
)

// special adds steps for a rule that random steps hardly ever need.
func (g *generator) special(n int) {
	[]func(){g.orphans, g.succession, g.handback, g.hurry, g.forgotten, g.backAndForth, g.answers, g.unnoticed}[n]()
}

// orphans lets the coordinator end, and cuts off its only successor, while a process without shards waits.
func (g *generator) orphans() {
	g.group(2, "a,b")
	g.wait(0, 20*time.Second)
	g.add("old", "o1")
	g.wait(0, 10*time.Second)
	slow := g.r.IntN(2) == 0
	if slow {
		g.add("slow", "p2", "15s")
		g.wait(0, 5*time.Second)
	}
	g.add("kill", "p1")
	if slow {
		g.wait(3*time.Second, 9*time.Second)
	} else {
		g.wait(5*time.Second, 25*time.Second)
	}
	g.add("cut", "p2", "60s")
}

// succession cuts off the next coordinator when it begins.
func (g *generator) succession() {
	g.group(3, "a,b")
	g.add("stop", "p1")
	g.wait(0, 4*time.Second)
	g.add("cut", g.live[1+g.r.IntN(2)], "40s")
	if g.r.IntN(2) == 0 {
		g.add("slow", "p2", "10s")
		g.wait(0, 9*time.Second)
		g.add([]string{"cut", "freeze"}[g.r.IntN(2)], "p2", "40s")
	}
}

// handback ends all members, and begins others before or after the gates are given back to a process without shards.
func (g *generator) handback() {
	n := 1 + g.r.IntN(3)
	g.group(n, "a,b")
	g.add("old", "o1")
	g.wait(0, 10*time.Second)
	for i := range n {
		g.add("stop", fmt.Sprintf("p%d", i+1))
	}
	for g.r.IntN(4) > 0 {
		g.wait(0, 2*time.Second)
		g.start("a,b")
	}
	g.wait(0, 10*time.Second)
}

// unnoticed lets the last member end slowly, so that it may not notice that another one begins.
func (g *generator) unnoticed() {
	g.group(1, "a,b")
	g.add("old", "o1")
	g.wait(0, 10*time.Second)
	g.add("slow", "p1", "30s")
	g.add("stop", "p1")
	g.wait(0, 9*time.Second)
	g.start("a,b")
}

// hurry lets a member leave as soon as it has got the buckets of a dead one, to a member that sees everything late. Its slot is not new.
func (g *generator) hurry() {
	g.group(4, "a,b")
	g.add("stop", "p4")
	g.wait(8*time.Second, 10*time.Second)
	g.add("kill", "p3")
	g.wait(19*time.Second, 22*time.Second)
	g.add([]string{"slow", "late"}[g.r.IntN(2)], "p2", "20s")
	g.start("a,b")
	g.wait(200*time.Millisecond, 1500*time.Millisecond)
	g.add("stop", "p5")
}

// answers lets the coordinator get all answers late, and cuts it off.
func (g *generator) answers() {
	g.group(2, "a,b")
	g.add("late", "p1", "30s")
	g.wait(5*time.Second, 20*time.Second)
	g.add([]string{"cut", "freeze"}[g.r.IntN(2)], "p1", "40s")
}

// forgotten deletes the slot of a member that is frozen, and lets a new member coordinate.
func (g *generator) forgotten() {
	g.group(2, "a,b")
	g.add("freeze", "p2", "9s")
	g.add("delete", "m-member-1")
	g.add("delete", "m-member-0")
	if g.r.IntN(2) == 0 {
		g.add("delete", "m-coordinator")
	}
	g.start("a,b")
	g.wait(0, 4*time.Second)
	g.add("stop", "p1")
}

// backAndForth moves buckets to a member that leaves at once, and on to a member that sees everything late.
func (g *generator) backAndForth() {
	g.group(3, "a,b")
	g.wait(10*time.Second, 15*time.Second)
	g.start("a,b")
	g.wait(9*time.Second, 11*time.Second)
	g.add("slow", "p3", "25s")
	g.wait(500*time.Millisecond, 3*time.Second)
	g.add("stop", "p4")
	g.wait(500*time.Millisecond, 4*time.Second)
	g.add("stop", "p2")
}
