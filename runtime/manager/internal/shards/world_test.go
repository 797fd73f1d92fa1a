package shards

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"
)

// timing is the timing of all histories: the defaults of leader election in Kubernetes.
var timing = Timing{Lease: 15 * time.Second, Renew: 2 * time.Second, Write: 5 * time.Second, Settle: 10 * time.Second}

const (
	// longestDrain, longestList are the limits of what members do with buckets.
	longestDrain = 2 * time.Second
	longestList  = 1500 * time.Millisecond
	// oldRenewDeadline is how long a process without shards tries to renew the gate.
	oldRenewDeadline = 10 * time.Second
	slots            = 8
)

// epoch is when each history begins.
var epoch = time.Unix(1_800_000_000, 0)

// world is a cluster in virtual time: an API server with Leases, and processes.
type world struct {
	now    time.Duration
	queue  queue
	serial int
	random *rand.Rand

	leases  map[string]*Lease
	version uint64
	// names are all names of Leases, also those that the group holds besides the gate.
	names, also []string
	processes   map[string]*process
	order       []*process
	old         map[string]*old
	// members are all members that there have been: a process that joins again is another member.
	members []*member

	// quick is set for a quick server, and members that look at their clocks often: margins are exact there.
	quick bool
	// shrunk is set when a process knows fewer slots than the group: it waits until all others have ended.
	shrunk bool

	check checks
	// failure is the first violation.
	failure string
	trace   func(format string, args ...any)
}

type call struct {
	at     time.Duration
	serial int
	run    func()
}

type queue []call

func (q *queue) Len() int { return len(*q) }
func (q *queue) Less(i, j int) bool {
	a, b := &(*q)[i], &(*q)[j]
	return a.at < b.at || a.at == b.at && a.serial < b.serial
}
func (q *queue) Swap(i, j int) { (*q)[i], (*q)[j] = (*q)[j], (*q)[i] }
func (q *queue) Push(x any)    { *q = append(*q, x.(call)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func newWorld(seed uint64) *world {
	w := &world{
		random: rand.New(rand.NewPCG(seed, 7)), leases: map[string]*Lease{}, processes: map[string]*process{}, old: map[string]*old{},
		version: 1, quick: seed%8 == 5,
	}
	if seed%3 == 0 {
		w.also = []string{"other"}
	}
	w.names = Config{Name: "m", AlsoHold: w.also, Slots: slots}.Names()
	w.check.init()
	return w
}

// after calls run later.
func (w *world) after(delay time.Duration, run func()) {
	w.serial++
	heap.Push(&w.queue, call{w.now + delay, w.serial, run})
}

// until runs the world until a time, or until something is violated.
func (w *world) until(end time.Duration) {
	for len(w.queue) > 0 && w.queue[0].at <= end && w.failure == "" {
		next := heap.Pop(&w.queue).(call)
		w.now = next.at
		next.run()
	}
	w.now = max(w.now, end)
}

// fail notes the first violation.
func (w *world) fail(format string, args ...any) {
	if w.failure == "" {
		w.failure = fmt.Sprintf(format, args...)
		w.log("VIOLATION %s", w.failure)
	}
}

func (w *world) log(format string, args ...any) {
	if w.trace != nil {
		w.trace("%8.3f "+format, append([]any{w.now.Seconds()}, args...)...)
	}
}

// between returns a random duration.
func (w *world) between(low, high time.Duration) time.Duration {
	return low + time.Duration(w.random.Int64N(int64(high-low)+1))
}

// clock is the clock of a process: it has an offset, and a rate.
type clock struct {
	offset time.Duration
	rate   float64
}

// newClock returns a clock. Two clocks differ in rate by less than 5 %.
func (w *world) newClock() clock {
	rates := []float64{0.9765, 1, 1.0235, 0.9765 + 0.047*w.random.Float64()}
	return clock{w.between(-5*time.Second, 5*time.Second), rates[w.random.IntN(len(rates))]}
}

func (c clock) read(now time.Duration) time.Time {
	return epoch.Add(c.offset + time.Duration(float64(now)*c.rate))
}

// when returns the true time at which the clock shows a time.
func (c clock) when(t time.Time) time.Duration {
	return time.Duration(float64(t.Sub(epoch)-c.offset) / c.rate)
}

// link is the connection of a process to the API server.
type link struct {
	cut, slow time.Duration // until when
	// late is set if requests take up to half of the longest write, and all answers take as long.
	late bool
}

// latency returns how long a request takes.
func (w *world) latency(l *link) time.Duration {
	switch {
	case w.now < l.slow && l.late:
		return w.between(0, timing.Write/2)
	case w.now < l.slow && w.random.IntN(4) == 0:
		return w.between(timing.Write/2, timing.Write)
	case w.now < l.slow:
		return w.between(0, timing.Write/4)
	case w.quick:
		return time.Duration(w.random.IntN(1000)) * time.Microsecond
	}
	return w.between(2*time.Millisecond, 60*time.Millisecond)
}

// answering returns how long an answer takes.
func (w *world) answering(l *link) time.Duration {
	if w.now < l.slow && l.late {
		return timing.Write/2 - time.Millisecond
	}
	return w.latency(l)
}

// write executes a write after a while, and calls answer with the version, or 0 if it is refused. Without an answer, lost is called after
// the longest time of a write.
func (w *world) write(l *link, lease Lease, base uint64, answer func(version uint64), lost func()) {
	answered := false
	w.after(timing.Write, func() {
		if !answered {
			answered = true
			lost()
		}
	})
	w.after(w.latency(l), func() {
		if w.now < l.cut {
			return
		}
		version := w.execute(lease, base)
		w.after(w.answering(l), func() {
			if w.now >= l.cut && !answered {
				answered = true
				answer(version)
			}
		})
	})
}

// execute writes a Lease if it has the version, and tells watches.
func (w *world) execute(lease Lease, base uint64) uint64 {
	current := w.leases[lease.Name]
	if current == nil && base != 0 || current != nil && current.Version != base {
		return 0
	}
	w.version++
	lease.Version = w.version
	w.leases[lease.Name] = &lease
	w.log("server: %s #%d holder=%q %s", lease.Name, lease.Version, lease.Holder, lease.State)
	w.tell(lease)
	return lease.Version
}

// remove deletes a Lease.
func (w *world) remove(name string) {
	if w.leases[name] == nil {
		return
	}
	delete(w.leases, name)
	w.version++
	w.log("server: %s is deleted", name)
	w.tell(Lease{Name: name, Version: w.version, Gone: true})
}

// tell sends an event to the watches of all processes.
func (w *world) tell(lease Lease) {
	for _, p := range w.order {
		if p.gone || w.now < p.link.cut {
			continue
		}
		delay := w.between(time.Millisecond, 150*time.Millisecond)
		switch {
		case w.now < p.link.slow:
			delay = w.between(0, 5*time.Second)
		case w.quick:
			delay = w.latency(&p.link)
		}
		m := p.member
		w.after(delay, func() { p.deliver(m, Seen{Leases: []Lease{lease}}) })
	}
}

// list returns all Leases of the group.
func (w *world) list() []Lease {
	leases := make([]Lease, 0, len(w.names))
	for _, name := range w.names {
		if lease := w.leases[name]; lease != nil {
			leases = append(leases, *lease)
		} else {
			leases = append(leases, Lease{Name: name, Version: w.version, Gone: true})
		}
	}
	return leases
}
