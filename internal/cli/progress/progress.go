// Package progress shows what a long run is doing, on one line of a terminal.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Patience is the time after which a run shows its progress.
const Patience = 500 * time.Millisecond

// eraseLine moves a terminal's cursor to the start of the line and clears it.
const eraseLine = "\r\x1b[K"

// Line shows the current stage of a run on one line of a terminal. A nil line shows nothing.
type Line struct {
	w io.Writer

	mu    sync.Mutex
	stage string
	shown bool
	over  bool
}

// Start returns the line of a run. It appears once late delivers a value, and disappears with stop.
func Start(w io.Writer, late <-chan time.Time) (p *Line, stop func()) {
	p = &Line{w: w}
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

// At shows the current stage.
func (p *Line) At(stage string) {
	if p != nil {
		p.update(func() { p.stage = stage })
	}
}

// Say prints a permanent line above the line. A nil line prints only the permanent line.
func (p *Line) Say(w io.Writer, line string) {
	if p == nil {
		fmt.Fprintln(w, line)
		return
	}
	p.update(func() {
		p.erase()
		fmt.Fprintln(w, line)
	})
}

func (p *Line) show() { p.update(func() { p.shown = !p.over }) }

// stop removes the line permanently, so that further output starts on a clean line.
func (p *Line) stop() {
	p.update(func() {
		p.erase()
		p.shown, p.over = false, true
	})
}

// update calls f with the lock held, and then prints the line if it is shown.
func (p *Line) update(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f(); p.shown {
		fmt.Fprint(p.w, eraseLine+p.stage+"…")
	}
}

// erase is called with the lock held.
func (p *Line) erase() {
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
}
