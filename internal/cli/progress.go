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
		p.stop()
	}
}

// at shows the current stage.
func (p *progress) at(stage string) {
	if p != nil {
		p.update(func() { p.stage = stage })
	}
}

// say prints a permanent line above the progress line. A nil progress prints only the permanent line.
func (p *progress) say(w io.Writer, line string) {
	if p == nil {
		fmt.Fprintln(w, line)
		return
	}
	p.update(func() {
		p.erase()
		fmt.Fprintln(w, line)
	})
}

func (p *progress) show() { p.update(func() { p.shown = !p.over }) }

// stop removes the line permanently, so that further output starts on a clean line.
func (p *progress) stop() {
	p.update(func() {
		p.erase()
		p.shown, p.over = false, true
	})
}

// update calls f with the lock held, and then prints the line if it is shown.
func (p *progress) update(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f(); p.shown {
		fmt.Fprint(p.w, eraseLine+p.stage+"…")
	}
}

// erase is called with the lock held.
func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
}

// showProgress shows slow stages on a terminal until stop is called. Without a terminal, the progress is nil.
func (a app) showProgress() (shown *progress, stop func()) {
	if !a.terminal {
		return nil, func() {}
	}
	return startProgress(a.stderr, time.After(patience))
}
