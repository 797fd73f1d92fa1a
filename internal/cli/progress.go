package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// patience is the time after which a run shows its progress.
const patience = 500 * time.Millisecond

// eraseLine moves a terminal's cursor to the start of the line and clears it.
const eraseLine = "\r\x1b[K"

// progress shows the current stage of a run on one line of a terminal. A nil progress shows nothing.
type progress struct {
	w io.Writer

	mu    sync.Mutex
	stage string
	shown bool
	over  bool
}

// startProgress returns the progress of a run. It appears once late delivers a value.
func startProgress(w io.Writer, late <-chan time.Time) (p *progress, stop func()) {
	p = &progress{w: w}
	done := make(chan struct{})
	go func() {
		select {
		case <-late:
			p.show()
		case <-done:
		}
	}()
	return p, func() {
		close(done)
		p.erase()
	}
}

// at shows the current stage.
func (p *progress) at(stage string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage = stage
	if p.shown {
		p.print()
	}
}

// say prints a permanent line above the progress line. A nil progress prints nothing.
func (p *progress) say(w io.Writer, line string) {
	if p == nil {
		fmt.Fprintln(w, line)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
	fmt.Fprintln(w, line)
	if p.shown {
		p.print()
	}
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown = !p.over; p.shown {
		p.print()
	}
}

// print is called with the lock held.
func (p *progress) print() { fmt.Fprint(p.w, eraseLine+p.stage+"…") }

// erase removes the line permanently, so that further output starts on a clean line.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
	p.shown, p.over = false, true
}

// showProgress shows slow stages on a terminal until stop is called. Without a terminal, the progress is nil.
func (a app) showProgress() (shown *progress, stop func()) {
	if !a.terminal {
		return nil, func() {}
	}
	return startProgress(a.stderr, time.After(patience))
}
