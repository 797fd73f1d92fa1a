package shell

import (
	"context"
	"go/token"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/diag"
)

// Limits of scripts and Makefiles. Longer values count as unknown; past any other limit, reading ends with an error.
const (
	// MaxFile is the maximum size of a script or Makefile, in bytes.
	MaxFile = 1 << 17
	// MaxValue is the maximum size of a variable's value or of a command's arguments, in bytes.
	MaxValue = 1 << 17
	// MaxOutput is the maximum size of what one program prints, in bytes.
	MaxOutput = 1 << 24

	maxElements   = 1 << 14 // of an array
	maxExpansions = 1 << 8  // in one command
	maxLines      = 1 << 17 // that are interpreted
	maxNested     = 1 << 10 // commands within commands

	// maxReplacement is the maximum size of a text that replaces others in a variable, in bytes.
	maxReplacement = 1 << 3

	maxScripts   = 1 << 4 // scripts that call each other
	maxFunctions = 1 << 6 // functions that call each other
	maxSteps     = 1 << 16
	maxText      = 1 << 26
	maxTime      = 2 * time.Minute
)

// Limits bounds the work for one file, including everything that it sources, includes and calls. Steps and text are counted, so
// that a file always fails at the same line; the deadline is for what cannot be counted.
type Limits struct {
	ctx         context.Context
	stop        context.CancelFunc
	at          token.Position
	steps, text int
	err         diag.List
}

// NewLimits starts the time for a file. Close frees its timer.
func NewLimits() *Limits {
	l := &Limits{}
	l.ctx, l.stop = context.WithTimeout(context.Background(), maxTime)
	return l
}

// Close releases the timer.
func (l *Limits) Close() { l.stop() }

// At sets the position of the following work, for errors.
func (l *Limits) At(pos token.Position) { l.at = pos }

// Pos returns the current position.
func (l *Limits) Pos() token.Position { return l.at }

// Step counts commands, assignments, conditions or make references, and reports whether the file may be read further.
func (l *Limits) Step(n int) bool {
	if l.steps += min(n, maxSteps+1); l.steps > maxSteps {
		l.Exceeded("%d steps", maxSteps)
	}
	if l.ctx.Err() != nil {
		l.Exceeded("%v", maxTime)
	}
	return l.err == nil
}

// Text counts bytes, and reports whether the file may be read further.
func (l *Limits) Text(n int) bool {
	if l.text += min(n, maxText+1); l.text > maxText {
		l.Exceeded("%d MiB of text", maxText>>20)
	}
	return l.err == nil
}

// Exceeded ends the work because of a limit. The first one is reported.
func (l *Limits) Exceeded(limit string, args ...any) {
	if l.err == nil {
		l.err.AddHint(l.at, "write .informer-gen.yaml by hand", "stopped reading this script: it exceeds the limit of "+limit, args...)
	}
}

// Used returns the used share of the limits, from 0 to 1.
func (l *Limits) Used() float64 {
	return max(float64(l.steps)/maxSteps, float64(l.text)/maxText)
}

// Err returns the exceeded limit with its position, as a diag.List.
func (l *Limits) Err() error { return l.err.Err() }

// tooLong is the reason why a long value is unknown.
const tooLong = "a text that is too long"
