package shell

import (
	"context"
	"go/token"
	"regexp"
	"sync"
	"time"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
)

// Limits of scripts and Makefiles. Longer values count as unknown; past any other limit, reading ends with an error.
const (
	// MaxFile is the maximum size of a script or Makefile, in bytes.
	MaxFile = 1 << 17
	// MaxValue is the maximum size of a variable's value or of a command, in bytes.
	MaxValue = 1 << 16

	maxCommands   = 1 << 15
	maxInput      = 1 << 20     // of one command, such as the names of all files
	maxOutput     = 1 << 25     // of all commands, with their arguments
	maxTime       = time.Minute // only reached where the others fail, even on a slow machine
	maxDepth      = 1 << 6      // functions, scripts and conditions within each other
	maxNested     = 1 << 10     // nodes of a syntax tree within each other
	maxExpansions = 1 << 11     // in one text, with the words that braces make
)

// Limits bounds the work for one file, including everything that it sources, includes and calls.
type Limits struct {
	ctx              context.Context
	stop             context.CancelFunc
	at               token.Position
	commands, output int
	err              diag.List
}

// Lazy compiles a pattern when it is first used.
func Lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
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

// Count counts commands or make references and the bytes that they take or print. It reports whether the file may be read further.
func (l *Limits) Count(commands, bytes int) bool {
	l.commands += min(commands, maxCommands+1)
	l.output += min(bytes, maxOutput+1)
	switch {
	case l.ctx.Err() != nil:
		l.Exceeded("%v", maxTime)
	case l.commands > maxCommands:
		l.Exceeded("%d commands", maxCommands)
	case l.output > maxOutput:
		l.Exceeded("%d MiB of output", maxOutput>>20)
	}
	return l.err == nil
}

// Exceeded ends the work because of a limit. The first one is reported.
func (l *Limits) Exceeded(limit string, args ...any) {
	if l.err == nil {
		l.err.AddHint(l.at, "write .informer-gen.yaml by hand", "stopped reading this script: it exceeds the limit of "+limit, args...)
	}
}

// Err returns the exceeded limit with its position, as a diag.List.
func (l *Limits) Err() error { return l.err.Err() }
