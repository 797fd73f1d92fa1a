package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// settling is how long an entry waits for earlier entries from other processes.
const settling = 150 * time.Millisecond

// timeline prints the actions of several actors in chronological order.
type timeline struct {
	w     io.Writer
	start time.Time

	lock    sync.Mutex
	entries []entry
	stop    chan struct{}
	stopped chan struct{}
}

type entry struct {
	at          time.Time
	actor, text string
}

func newTimeline(w io.Writer) *timeline {
	t := &timeline{w: w, start: time.Now()}
	t.resume()
	return t
}

// say records what an actor does now.
func (t *timeline) say(actor, format string, args ...any) {
	t.note(time.Now(), actor, fmt.Sprintf(format, args...))
}

// chapter prints a heading after all entries of the previous chapter.
func (t *timeline) chapter(title string) {
	time.Sleep(2 * settling) // for readability; nothing depends on it
	t.close()
	fmt.Fprintf(t.w, "\n%s\n", title)
	t.resume()
}

// note records what an actor did.
func (t *timeline) note(at time.Time, actor, text string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.entries = append(t.entries, entry{at, actor, text})
}

// resume starts printing.
func (t *timeline) resume() {
	t.stop, t.stopped = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(t.stopped)
		ticker := time.NewTicker(settling / 3)
		defer ticker.Stop()
		for {
			select {
			case <-t.stop:
				return
			case now := <-ticker.C:
				t.print(now.Add(-settling))
			}
		}
	}()
}

// close prints all pending entries, and then nothing until resume.
func (t *timeline) close() {
	select {
	case <-t.stopped:
	default:
		close(t.stop)
		<-t.stopped
		t.print(time.Now())
	}
}

// print prints the entries before a time.
func (t *timeline) print(before time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	slices.SortStableFunc(t.entries, func(a, b entry) int { return a.at.Compare(b.at) })
	for len(t.entries) > 0 && t.entries[0].at.Before(before) {
		e := t.entries[0]
		t.entries = t.entries[1:]
		fmt.Fprintf(t.w, "%8.3fs  %-7s %s\n", e.at.Sub(t.start).Seconds(), e.actor, e.text)
	}
}
