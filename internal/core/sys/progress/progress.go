// Package progress shows the current step of a long run, on the last line of a terminal.
package progress

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Patience is the time after which the command shows its progress.
const Patience = 500 * time.Millisecond

// width is the number of columns that every terminal has. A longer line would wrap, and could not be erased.
const width = 79

// eraseLine moves a terminal's cursor to the start of the line and clears it.
const eraseLine = "\r\x1b[K"

// Line shows the current stage of a run on the last line of a terminal. A nil line shows nothing.
type Line struct {
	w        io.Writer
	patience time.Duration

	mu sync.Mutex
	// stage is "" while the run is idle or prints its results.
	stage string
	// since is the time of the first stage after an output.
	since time.Time
	timer *time.Timer
	shown bool
}

// New returns the line of a terminal. It appears if nothing is printed for some time after the beginning of a stage, and disappears with
// the next output through Above.
func New(terminal io.Writer, patience time.Duration) *Line {
	return &Line{w: terminal, patience: patience}
}

// key is the context key of the line.
type key struct{}

// With returns a context with a line.
func With(ctx context.Context, p *Line) context.Context { return context.WithValue(ctx, key{}, p) }

// From returns the line of a context, or nil.
func From(ctx context.Context) *Line {
	p, _ := ctx.Value(key{}).(*Line)
	return p
}

// At shows the current stage.
func (p *Line) At(stage string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stage == "" {
		p.since = time.Now()
		p.shown = p.patience == 0
		p.timer = time.AfterFunc(p.patience, p.show)
	}
	p.stage = stage
	if p.shown {
		p.print()
	}
}

// show is called when patience is at an end.
func (p *Line) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stage != "" && time.Since(p.since) >= p.patience { // otherwise, it is the timer of a stage that is over
		p.shown = true
		p.print()
	}
}

// print is called with the lock held.
func (p *Line) print() {
	text := []rune(p.stage + "…")
	if len(text) > width {
		text = append(text[:width-1], '…')
	}
	fmt.Fprint(p.w, eraseLine+string(text))
}

// Stop removes the line until the next stage.
func (p *Line) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// clear is called with the lock held.
func (p *Line) clear() {
	if p.stage == "" {
		return
	}
	p.timer.Stop()
	if p.shown {
		fmt.Fprint(p.w, eraseLine)
	}
	p.stage, p.shown = "", false
}

// Above returns a writer for the output of the run. It removes the line before it writes to w.
func (p *Line) Above(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return above{p, w}
}

type above struct {
	p *Line
	w io.Writer
}

// Write implements io.Writer.
func (a above) Write(text []byte) (int, error) {
	a.p.mu.Lock()
	defer a.p.mu.Unlock()
	a.p.clear()
	return a.w.Write(text)
}

// Downloads returns a writer for the standard error of a go command. It shows the modules that the command downloads, calls line for each
// other line unless it is nil, and copies all to w.
func (p *Line) Downloads(w io.Writer, line func(string)) io.Writer {
	if p == nil {
		return w
	}
	return &downloads{p: p, w: w, line: line}
}

type downloads struct {
	p    *Line
	w    io.Writer
	line func(string)
	// rest is the start of an incomplete line.
	rest []byte
	// modules is the number of modules so far.
	modules int
}

// Write implements io.Writer.
func (d *downloads) Write(text []byte) (int, error) {
	d.rest = append(d.rest, text...)
	for {
		line, rest, ok := bytes.Cut(d.rest, []byte("\n"))
		if !ok {
			return d.w.Write(text)
		}
		d.rest = rest
		if name, ok := strings.CutPrefix(string(line), "go: downloading "); ok {
			d.modules++
			d.p.At(fmt.Sprintf("downloading module %d, %s", d.modules, name))
		} else if d.line != nil {
			d.line(string(line))
		}
	}
}
